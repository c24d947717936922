//! Which element is meant, what to do with it, and what is expected of it.

mod action;
mod evaluate;
mod expect;
mod find;
mod frame;
mod handle;
mod step;

pub use expect::Expect;
pub(crate) use find::finders;
pub use frame::FrameLocator;
pub use handle::Locator;
pub(crate) use step::Step;
pub use step::TextMatch;
