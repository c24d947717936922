//! Scripts of the test on an element.

use super::Locator;
use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::Instant;

impl Locator {
    /// Calls `function`, the source of a JavaScript function, with the element and then `arguments`, in the page's own
    /// world, once the element is there. The result comes as for [`Page::evaluate`](crate::Page::evaluate).
    ///
    /// # Errors
    /// [`Error::Timeout`] and [`Error::Strict`] for the element; [`Error::Script`] when the function throws or rejects;
    /// [`Error::PageClosed`].
    pub async fn evaluate<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        let end = Instant::now() + self.deadline();
        loop {
            let (element, frame) = self.node("evaluate on").await?;
            let left = end.saturating_duration_since(Instant::now());
            match frame.evaluate_in(None, function, Some(&element), arguments, left).await {
                // Its document was replaced before the function ran.
                Err(Error::Protocol(bidi::Error::Refused { code, .. }))
                    if code == "no such node" && !left.is_zero() => {}
                other => return other,
            }
        }
    }
}
