//! Closed shadow roots that came with the source of the page: no script ever held them, so they are asked for.

use super::Frame;
use crate::error::Result;
use crate::script;
use bidi::command::script::{SerializationOptions, node};
use std::time::Duration;

impl Frame {
    /// Makes the closed roots of the hosts that the page script wonders about known to it.
    ///
    /// # Errors
    /// As for [`call`](Self::call).
    pub(super) async fn adopt_roots(&self, deadline: Duration) -> Result<()> {
        let options = SerializationOptions { max_dom_depth: 0, include_shadow_tree: "all" };
        let hosts = self
            .call_described(Some(script::SANDBOX), script::UNKNOWN_HOSTS, Vec::new(), deadline, Some(options))
            .await?;
        let pairs: Vec<_> = hosts
            .value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|host| Some([host["sharedId"].as_str()?, host["value"]["shadowRoot"]["sharedId"].as_str()?]))
            .flatten()
            .map(node)
            .collect();
        if !pairs.is_empty() {
            self.call(Some(script::SANDBOX), script::ADOPT, pairs, deadline).await?;
        }
        Ok(())
    }
}
