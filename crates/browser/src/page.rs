//! A window of a context.

mod chrome;
mod evaluate;
mod frames;
mod handle;
mod keyboard;
mod navigation;
mod screenshot;

pub use aria::CaptureOptions as SnapshotOptions;
pub use handle::Page;
pub use keyboard::Keyboard;
