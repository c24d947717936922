//! A window of a context.

mod act;
mod chooser;
mod chrome;
mod crash;
mod dialog;
mod download;
mod emulation;
mod evaluate;
mod frames;
mod handle;
mod lifecycle;
mod navigation;
mod routes;
mod screenshot;
mod waits;

pub use aria::CaptureOptions as SnapshotOptions;
pub use chooser::FileChooser;
pub(crate) use crash::{TARGET_CRASHED, watch as watch_crashes};
pub use dialog::{AnsweredBy, Dialog, DialogAnswer, DialogKind};
pub(crate) use dialog::{Claim, DialogHandler};
pub use download::Download;
pub(crate) use download::{allow as allow_downloads, folder as downloads_folder};
pub use handle::Page;
pub(crate) use lifecycle::Lifecycles;
pub use lifecycle::LoadState;
pub use navigation::NavigationOptions;
pub use screenshot::ScreenshotOptions;
pub use waits::{Events, Expectation};
