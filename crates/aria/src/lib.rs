//! Accessibility snapshots: the page-side capture script, the tree, its YAML form, node diff and tokens. No I/O.
//!
//! A page is captured with [`CAPTURE_SCRIPT`]; its answer becomes a [`Snapshot`], which prints as YAML in
//! Playwright's form, reads that form back, has its declared volatile values replaced by tokens, and compares with
//! another snapshot node by node. What belongs in the tree is decided by the ARIA, accname and HTML-AAM
//! specifications.

mod capture;
mod chars;
mod error;
mod json;
mod normalise;
mod states;
mod text;
mod tree;
mod yaml;

pub use capture::{CAPTURE_SCRIPT, CaptureOptions};
pub use error::{Error, Result, TokenProblem};
pub use states::{Invalid, States, Toggle};
pub use text::{Mark, Text};
pub use tree::{Child, Node, Snapshot};
