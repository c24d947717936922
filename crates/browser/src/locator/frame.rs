//! Going into frames.

use super::Locator;

/// A place to look for elements in: the document of an `<iframe>`. Like a [`Locator`] it holds nothing and is resolved
/// anew each time: a frame that is replaced or loads another document is found again.
#[derive(Debug, Clone)]
pub struct FrameLocator {
    pub(super) owner: Locator,
}

impl FrameLocator {
    /// The frame element itself.
    pub fn owner(&self) -> &Locator {
        &self.owner
    }

    fn root(&self) -> Locator {
        self.owner.enter_frame()
    }
}

super::finders!(FrameLocator);
