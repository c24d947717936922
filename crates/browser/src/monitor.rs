//! What pages report without being asked: console, uncaught errors, requests.
//!
//! One listener hears all events from before the first page exists, in socket order, and files
//! them by page. After any round trip to the browser, everything it sent before is filed.

mod chrome;
mod log;
mod problem;

pub(crate) use log::PageLog;
pub use log::{ConsoleEntry, Location, Request, RequestState};
pub use problem::{Problem, ProblemKind};

mod router;
pub(crate) use router::Monitor;
