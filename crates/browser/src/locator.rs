//! Which element is meant, what to do with it, and what is expected of it.

mod evaluate;
mod find;
mod frame;
mod handle;
mod read;
mod role;
mod step;
mod text;

pub(crate) use find::finders;
pub use frame::FrameLocator;
pub use handle::Locator;
pub use read::BoundingBox;
pub use role::RoleOptions;
pub(crate) use step::Step;
pub use text::TextMatch;
