//! The frames of the page, and what is found in its own document and expected of it.

use super::Page;
use crate::error::Result;
use crate::expect::PageExpect;
use crate::frame::Frame;
use crate::locator::{Locator, finders};

impl Page {
    /// The page's own document, as a frame.
    pub fn main_frame(&self) -> Frame {
        Frame::new(self.clone(), self.id())
    }

    /// All frames of the page that are there now: its own document, then those in it, each before those inside it.
    ///
    /// # Errors
    /// [`Error::PageClosed`](crate::Error::PageClosed).
    pub async fn frames(&self) -> Result<Vec<Frame>> {
        self.main_frame().all().await
    }

    /// The source of the document as it is now, doctype included.
    ///
    /// # Errors
    /// As for [`url`](Self::url).
    pub async fn content(&self) -> Result<String> {
        self.main_frame().content().await
    }

    /// Assertions about the page that wait until they hold.
    pub fn expect(&self) -> PageExpect<'_> {
        PageExpect::new(self)
    }

    fn root(&self) -> Locator {
        Locator::new(self.main_frame())
    }
}

finders!(Page);
