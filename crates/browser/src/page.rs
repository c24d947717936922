//! A window of a context.

mod act;
mod chrome;
mod crash;
mod emulation;
mod evaluate;
mod frames;
mod handle;
mod keyboard;
mod lifecycle;
mod navigation;
mod screenshot;

pub use aria::CaptureOptions as SnapshotOptions;
pub(crate) use crash::{TARGET_CRASHED, watch as watch_crashes};
pub use handle::Page;
pub use keyboard::Keyboard;
pub(crate) use lifecycle::Lifecycles;
pub use lifecycle::LoadState;
pub use navigation::NavigationOptions;
