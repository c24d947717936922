//! The YAML form: Playwright's, as it prints snapshots.

mod parse;
mod quote;
mod scan;
pub(crate) mod write;
