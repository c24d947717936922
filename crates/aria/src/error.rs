//! What can go wrong, in words for the person who reads the failure.

use std::fmt;

/// Results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// All errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The capture script's answer is not of its shape.
    #[error(
        "the page's accessibility capture cannot be read: {source}; it begins with `{excerpt}`: pass the text that \
         `snapshot` of CAPTURE_SCRIPT returned, unchanged"
    )]
    Capture {
        /// What is wrong with it.
        source: serde_json::Error,
        /// How the answer begins.
        excerpt: String,
    },
    /// A snapshot in YAML form that cannot be read.
    #[error("snapshot line {line}, column {column}: {problem}\n{excerpt}")]
    Parse {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong and what would be right.
        problem: String,
        /// The line with a caret under the column.
        excerpt: String,
    },
    /// Volatile values and declared rules do not fit.
    #[error("volatile values do not fit their declared rules:{}", listed(.0))]
    Tokens(
        /// Every problem, in the order of the tree, then of the rules.
        Vec<TokenProblem>,
    ),
}

fn listed(problems: &[TokenProblem]) -> String {
    problems.iter().map(|problem| format!("\n- {problem}")).collect()
}

/// One reason why tokens could not be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TokenProblem {
    /// The page marks a value of a kind for which there is no rule.
    Undeclared {
        /// The marked kind.
        kind: String,
        /// The value shown.
        raw: String,
        /// Where it is in the tree.
        path: String,
    },
    /// A marked value is not what its rule expects.
    Refused {
        /// The marked kind.
        kind: String,
        /// The value shown.
        raw: String,
        /// Where it is in the tree.
        path: String,
        /// What the rule takes.
        expected: String,
    },
    /// A declared rule met no value.
    NeverFired {
        /// The rule's kind.
        kind: String,
    },
    /// Two rules have one kind.
    Duplicate {
        /// The kind.
        kind: String,
    },
    /// A value that is known to be volatile is shown where nothing marks it.
    Leak {
        /// The kind of the rule that knows the value.
        kind: String,
        /// The value.
        raw: String,
        /// Where it is in the tree.
        path: String,
        /// The text that holds it.
        text: String,
    },
}

impl fmt::Display for TokenProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenProblem::Undeclared { kind, raw, path } => write!(
                f,
                "`{raw}` at {path} is marked as {kind}, for which no rule is declared: declare a rule of kind `{kind}` \
                 or remove the mark"
            ),
            TokenProblem::Refused { kind, raw, path, expected } => write!(
                f,
                "`{raw}` at {path} is marked as {kind}, which must be {expected}: mark exactly the element that shows \
                 the value, or correct what it shows"
            ),
            TokenProblem::NeverFired { kind } => write!(
                f,
                "the rule for {kind} met no value: nothing in this snapshot is marked as `{kind}`; mark the element \
                 that shows it or drop the rule"
            ),
            TokenProblem::Duplicate { kind } => {
                write!(f, "two rules are declared for {kind}: keep one, or mark the elements with two kinds")
            }
            TokenProblem::Leak { kind, raw, path, text } => write!(
                f,
                "the {kind} `{raw}` is shown unmarked at {path}, in `{text}`: mark the element that shows it as \
                 `{kind}`"
            ),
        }
    }
}
