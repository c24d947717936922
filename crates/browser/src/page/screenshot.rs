//! Pictures of the page.

use super::Page;
use crate::error::{Error, Result};
use base64::Engine;
use bidi::command::browsing_context::{CaptureScreenshot, ImageFormat, Origin};
use std::time::Duration;

impl Page {
    /// The viewport as a `data:` address of a JPEG, small enough to keep many of.
    pub(crate) async fn thumbnail_within(&self, deadline: Duration) -> Result<String> {
        let capture = CaptureScreenshot {
            context: self.id().to_owned(),
            origin: Origin::Viewport,
            format: Some(ImageFormat { kind: "image/jpeg".to_owned(), quality: Some(0.6) }),
            clip: None,
        };
        let data = self.core().link.call_within(&capture, deadline).await?.data;
        Ok(format!("data:image/jpeg;base64,{data}"))
    }

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
