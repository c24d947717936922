//! The changes, and how they are shown.

use std::fmt;

use crate::yaml::write::Line;

/// The difference of two snapshots. Its `Display` is the report: one line a change, then the tree with `-` before what
/// only the expected snapshot has and `+` before what only the actual one has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    changes: Vec<Change>,
    lines: Vec<(Sign, Line)>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The node, as `main > list > button "Send"`: in the expected tree, or in the actual one for what was added.
    pub path: String,
    /// What happened to it.
    pub kind: ChangeKind,
    /// Line of the template which does not hold, from 1; for what was added, of the node around it. `None` where no
    /// template was compared, and at a template's top level.
    pub line: Option<usize>,
}

/// Kinds of difference.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// The node is only in the actual tree.
    Added,
    /// The node is only in the expected tree.
    Removed,
    /// The node, unchanged, is in another place.
    Moved {
        /// Its path in the actual tree.
        to: String,
    },
    /// Another accessible name; an absent one is empty.
    Renamed {
        /// Expected name.
        from: String,
        /// Actual name.
        to: String,
    },
    /// Another role under the same name.
    Role {
        /// Expected role.
        from: String,
        /// Actual role.
        to: String,
    },
    /// Other states.
    States {
        /// Expected, as printed: `checked`, `level=2`.
        from: Vec<String>,
        /// Actual, as printed.
        to: Vec<String>,
    },
    /// Another value of a property.
    Property {
        /// `url` or `placeholder`.
        name: &'static str,
        /// Expected value.
        from: Option<String>,
        /// Actual value.
        to: Option<String>,
    },
    /// A template's pattern does not match.
    NotMatched {
        /// `name`, `text` or a property such as `/url`.
        what: String,
        /// The pattern, with its slashes.
        pattern: String,
        /// What is there; `None` for a property that is absent.
        actual: Option<String>,
        /// Whether the pattern would match a part of it.
        matches_part: bool,
    },
    /// Another text.
    Text {
        /// Expected text.
        from: String,
        /// Actual text.
        to: String,
    },
    /// A text that is only in the actual tree.
    TextAdded {
        /// The text.
        text: String,
    },
    /// A text that is only in the expected tree.
    TextRemoved {
        /// The text.
        text: String,
    },
}

/// Which tree a line is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Both,
    Expected,
    Actual,
}

/// Unchanged lines shown on each side of a change.
const CONTEXT: usize = 2;

impl Diff {
    pub(super) fn new(changes: Vec<Change>, lines: Vec<(Sign, Line)>) -> Diff {
        Diff { changes, lines }
    }

    /// Whether the snapshots are equal.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The changes in the order of the tree.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The lines of one tree, for checking that the report leaves nothing out.
    #[cfg(test)]
    pub(super) fn lines_of(&self, own: Sign) -> String {
        let lines = self.lines.iter().filter(|(sign, _)| *sign == Sign::Both || *sign == own);
        lines.map(|(_, line)| line.to_string()).collect::<Vec<_>>().join("\n")
    }

    /// Which lines are shown: changed ones, the nodes they are in, and a little around them.
    fn shown(&self) -> Vec<bool> {
        let mut shown = vec![false; self.lines.len()];
        for (at, (sign, line)) in self.lines.iter().enumerate() {
            if *sign == Sign::Both {
                continue;
            }
            let around = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(shown.len());
            shown[around].fill(true);
            let mut depth = line.depth;
            for before in (0..at).rev().filter(|&before| self.lines[before].0 == Sign::Both) {
                if self.lines[before].1.depth < depth {
                    depth = self.lines[before].1.depth;
                    shown[before] = true;
                }
                if depth == 0 {
                    break;
                }
            }
        }
        shown
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.changes.len() {
            0 => return f.write_str("no change"),
            1 => f.write_str("1 change:")?,
            count => write!(f, "{count} changes:")?,
        }
        for change in &self.changes {
            write!(f, "\n  {change}")?;
        }
        f.write_str("\n\n--- expected\n+++ actual")?;
        let mut hidden = 0;
        for ((sign, line), is_shown) in self.lines.iter().zip(self.shown()) {
            if !is_shown {
                hidden += 1;
                continue;
            }
            write_hidden(f, hidden)?;
            hidden = 0;
            let sign = match sign {
                Sign::Both => ' ',
                Sign::Expected => '-',
                Sign::Actual => '+',
            };
            write!(f, "\n{sign} {line}")?;
        }
        write_hidden(f, hidden)
    }
}

fn write_hidden(f: &mut fmt::Formatter<'_>, lines: usize) -> fmt::Result {
    match lines {
        0 => Ok(()),
        1 => f.write_str("\n  … 1 equal line"),
        _ => write!(f, "\n  … {lines} equal lines"),
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "template line {line}: ")?;
        }
        let path = &self.path;
        match &self.kind {
            ChangeKind::Added => write!(f, "{path}: added"),
            ChangeKind::Removed => write!(f, "{path}: removed"),
            ChangeKind::Moved { to } => write!(f, "{path}: moved to {to}"),
            ChangeKind::Renamed { from, to } if from.is_empty() => write!(f, "{path}: now has the name {to:?}"),
            ChangeKind::Renamed { from, to } if to.is_empty() => write!(f, "{path}: lost its name {from:?}"),
            ChangeKind::Renamed { from, to } => write!(f, "{path}: name {from:?} became {to:?}"),
            ChangeKind::Role { from, to } => write!(f, "{path}: role {from} became {to}"),
            ChangeKind::States { from, to } => write!(f, "{path}: {}", states_changed(from, to)),
            ChangeKind::Property { name, from, to } => match (from, to) {
                (Some(from), Some(to)) => write!(f, "{path}: /{name} {from:?} became {to:?}"),
                (Some(from), None) => write!(f, "{path}: lost its /{name} {from:?}"),
                (None, to) => write!(f, "{path}: now has the /{name} {:?}", to.as_deref().unwrap_or_default()),
            },
            ChangeKind::NotMatched { what, pattern, actual: None, .. } => {
                write!(f, "{path}: has no {what} for {pattern}")
            }
            ChangeKind::NotMatched { what, pattern, actual: Some(actual), matches_part } => {
                write!(f, "{path}: {what} {actual:?} does not match {pattern}")?;
                match matches_part {
                    true => f.write_str(" as a whole, only a part of it: allow the rest with `.*`"),
                    false => Ok(()),
                }
            }
            ChangeKind::Text { from, to } => write!(f, "{path}: {from:?} became {to:?}"),
            ChangeKind::TextAdded { text } => write!(f, "{path}: {text:?} added"),
            ChangeKind::TextRemoved { text } => write!(f, "{path}: {text:?} removed"),
        }
    }
}

/// `[level=2] became [level=1], gained [checked]`
fn states_changed(from: &[String], to: &[String]) -> String {
    let name = |state: &str| state.split('=').next().unwrap_or_default().to_owned();
    let twin = |state: &String, others: &[String]| others.iter().find(|other| name(other) == name(state)).cloned();
    let lost_or_changed = from.iter().filter(|state| !to.contains(state)).map(|state| match twin(state, to) {
        Some(other) => format!("[{state}] became [{other}]"),
        None => format!("lost [{state}]"),
    });
    let gained = to.iter().filter(|state| twin(state, from).is_none()).map(|state| format!("gained [{state}]"));
    lost_or_changed.chain(gained).collect::<Vec<_>>().join(", ")
}
