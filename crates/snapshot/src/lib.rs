//! Glue for the commands `snapshot` and `conformance`: what they read from their arguments, and what they print.

pub mod command;
pub mod conformance;
mod file_url;
mod options;
mod output;

pub use output::complain;
