//! The one door that every action of a test goes through.

use super::Page;
use crate::error::Result;
use std::time::Duration;

impl Page {
    /// Does `work`, an action called by its title: `click get_by_role("button")`. First comes the pause of slow motion. Actions
    /// are not nested: one that is made of several asks for their inner parts.
    pub(crate) async fn act<T>(&self, _title: String, work: impl Future<Output = Result<T>>) -> Result<T> {
        let pause = self.core().settings.slow_motion;
        if pause > Duration::ZERO {
            tokio::time::sleep(pause).await;
        }
        work.await
    }
}
