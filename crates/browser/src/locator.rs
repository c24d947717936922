//! Which element is meant, what to do with it, and what is expected of it.

mod action;
mod expect;
mod handle;
mod step;

pub use expect::Expect;
pub use handle::Locator;
pub use step::TextMatch;
