//! Accessibility snapshots: the page-side capture script, the tree, its YAML form, node diff and tokens. No I/O.
//!
//! A page is captured with [`CAPTURE_SCRIPT`]; its answer becomes a [`Snapshot`], which prints as YAML in Playwright's
//! form (or the [full form](Snapshot::to_yaml_full), or [JSON](Snapshot::to_json)), reads that form back, and has its
//! declared volatile values replaced by tokens. What belongs in the tree is decided by the ARIA, accname and HTML-AAM
//! specifications; [`decisions`] lists every case where that differs from what Playwright shows.
//!
//! A snapshot is compared with another one node by node ([`diff`]), or with a [`Template`], in which names and texts may
//! be patterns and lists parts. [`Snapshot::to_template`] writes a first draft of one, [`Template::rebaseline`] brings
//! one up to date.
//!
//! ```
//! use aria::{Check, Snapshot, Template, TokenRule, diff};
//!
//! let captured = r#"{"marked": true, "rows": [
//!     {"depth": 0, "role": "heading", "name": "Log of \uE000clock\uE0030\uE00112:30\uE002", "states": {"level": 1}},
//!     {"depth": 1, "text": "Log of \uE000clock\uE0030\uE00112:30\uE002"}
//! ]}"#;
//! let actual = Snapshot::from_json(captured)?.apply_tokens(&[TokenRule::new("clock", Check::Clock)])?;
//! assert_eq!(actual.to_yaml(), r#"- 'heading "Log of {{clock}}" [level=1]'"#);
//!
//! let expected = Snapshot::parse_yaml(r#"- 'heading "Log of {{clock}}" [level=2]'"#)?;
//! assert!(diff(&expected, &actual).to_string().contains("[level=2] became [level=1]"));
//!
//! let template = Template::parse(r"- heading /Log of .+/ [level=1]")?;
//! assert!(template.matches(&actual).is_match());
//! # Ok::<(), aria::Error>(())
//! ```

mod capture;
mod chars;
mod deep;
mod depth;
mod diff;
mod error;
mod json;
mod normalise;
mod output;
mod pattern;
mod printed;
mod roles;
mod states;
mod template;
mod text;
mod tokens;
mod tree;
mod yaml;

pub use capture::{CAPTURE_SCRIPT, CaptureOptions, PAGE_WORLD_SCRIPT};
pub use diff::{Change, ChangeKind, Diff, diff, diff_full};
pub use error::{Error, ParseError, ParseErrors, Position, Result, TokenProblem};
pub use states::{Current, HasPopup, Invalid, Orientation, Sort, States, Toggle};
pub use template::{Dialect, Match, Template};
pub use text::{Mark, Text};
pub use tokens::{Check, TokenRule};
pub use tree::{Child, Node, Snapshot};

#[doc = include_str!("../docs/decisions.md")]
pub mod decisions {}
