//! The YAML form: Playwright's, as it prints snapshots, and what it needs of YAML.

mod flow;
pub(crate) mod key;
pub(crate) mod parse;
pub(crate) mod quote;
pub(crate) mod read;
pub(crate) mod scan;
pub(crate) mod write;
