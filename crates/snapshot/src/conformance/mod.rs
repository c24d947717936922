//! Checking snapshots against a corpus of cases and against Chromium's own accessibility tree.

mod args;
mod cases;
mod corpus;
mod decided;
mod judge;
mod oracle;
mod report;
mod role_query;
mod run;
mod templates;

pub use args::{Checks, HELP, Request, parse};
pub use run::run;
