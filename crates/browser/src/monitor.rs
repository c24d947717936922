//! What pages report without being asked: console, uncaught errors, requests.
//!
//! One listener hears all events from before the first page exists, in socket order, and files
//! them by page. After any round trip to the browser, everything it sent before is filed.

mod chrome;
mod console;
mod event;
mod log;
mod popup;
mod problem;
mod prompts;
mod router;
mod workers;

pub(crate) use console::locations;
pub use console::{ConsoleEntry, Location};
pub use event::PageEvent;
pub(crate) use event::{Heard, Scope, Subscription};
pub(crate) use log::PageLog;
pub use problem::{Problem, ProblemKind};
pub(crate) use router::Monitor;
