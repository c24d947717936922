//! A window of a context.

mod answer;
mod chrome;
mod evaluate;
mod handle;
mod keyboard;
mod navigation;
mod screenshot;

pub(crate) use answer::Asked;
pub use aria::CaptureOptions as SnapshotOptions;
pub use handle::Page;
pub use keyboard::Keyboard;
