//! Glue for the commands `snapshot` and `conformance`: what they read from their arguments, and what they print.

pub mod conformance;
mod options;
