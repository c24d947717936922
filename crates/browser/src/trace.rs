//! A record of what a test did and what the page looked like meanwhile, as one HTML file.

mod document;
mod handle;
mod recorder;

pub use handle::{Trace, TraceOptions};
pub(crate) use recorder::Recorders;
