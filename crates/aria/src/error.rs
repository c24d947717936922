//! What can go wrong, in words for the person who reads the failure.

use std::fmt;

use crate::yaml::scan::Fail;

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
    /// A snapshot or a template that cannot be read.
    #[error(transparent)]
    Parse(#[from] ParseErrors),
    /// Volatile values and declared rules do not fit.
    #[error("volatile values do not fit their declared rules:{}", listed(.0))]
    Tokens(
        /// Every problem, in the order of the tree, then of the rules.
        Vec<TokenProblem>,
    ),
}

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// Everything that is wrong with the text of a snapshot or a template, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseErrors {
    what: &'static str,
    errors: Vec<ParseError>,
}

/// One thing that is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Where it is.
    pub at: Position,
    /// What is wrong and what would be right.
    pub problem: String,
    /// The line.
    pub source: String,
}

impl ParseErrors {
    /// The errors in the order of the text, of which there is one at least.
    pub fn errors(&self) -> &[ParseError] {
        &self.errors
    }

    /// The problems of a text; `None` when there are none. `what` names the kind of text.
    pub(crate) fn of(what: &'static str, text: &str, mut problems: Vec<Fail>) -> Option<ParseErrors> {
        problems.sort_by_key(|fail| fail.at);
        let lines: Vec<_> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
        let errors: Vec<_> = problems
            .into_iter()
            .map(|Fail { at, problem }| {
                let source = lines.get(at.line - 1).copied().unwrap_or_default().to_owned();
                ParseError { at, problem, source }
            })
            .collect();
        (!errors.is_empty()).then_some(ParseErrors { what, errors })
    }
}

impl std::error::Error for ParseErrors {}

impl fmt::Display for ParseErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, error) in self.errors.iter().enumerate() {
            let Position { line, column } = error.at;
            let between = if nth == 0 { "" } else { "\n" };
            write!(f, "{between}{} line {line}, column {column}: {}", self.what, error.problem)?;
            // A tab before the place is kept, so that the caret stands under it.
            let before: String =
                error.source.chars().take(column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(f, "\n  {}\n  {before}{:pad$}^", error.source, "", pad = column - 1 - before.chars().count())?;
        }
        Ok(())
    }
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
