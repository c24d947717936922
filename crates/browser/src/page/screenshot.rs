//! Pictures of the page.

use super::Page;
use crate::error::{Error, Result};
use base64::Engine;
use bidi::command::browsing_context::{CaptureScreenshot, Origin};

impl Page {
    /// The viewport as PNG.
    ///
    /// # Errors
    /// [`Error::PageClosed`].
    pub async fn screenshot(&self) -> Result<Vec<u8>> {
        let shot = self
            .core()
            .link
            .call(&CaptureScreenshot {
                context: self.id().to_owned(),
                origin: Origin::Viewport,
                format: None,
                clip: None,
            })
            .await;
        let data = shot.map_err(|error| self.explain("a screenshot", error))?.data;
        base64::engine::general_purpose::STANDARD.decode(data).map_err(|error| {
            let method = "browsingContext.captureScreenshot".to_owned();
            Error::Protocol(bidi::Error::Shape { method, reason: error.to_string(), excerpt: "base64 text".into() })
        })
    }
}
