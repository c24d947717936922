//! What a run comes to, and how it is printed.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::decided::Decision;

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As expected.
    Passed,
    /// Different, and nobody decided so.
    Failed,
    /// Different on purpose.
    Decided(&'static Decision),
    /// As expected although it was decided to differ.
    Agrees(&'static Decision),
}

/// One case, put to the browser.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// The case's place in the corpus.
    pub(super) number: usize,
    pub(super) kind: &'static str,
    pub(super) id: String,
    /// The selector or the template.
    pub(super) subject: String,
    pub(super) expected: String,
    pub(super) got: String,
    pub(super) verdict: Verdict,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.verdict {
            Verdict::Passed => "passed".to_owned(),
            Verdict::Failed => "FAILED".to_owned(),
            Verdict::Decided(decision) => format!("decided, {decision}"),
            Verdict::Agrees(Decision { row, .. }) => {
                format!("AGREES although {row} says it differs; drop it from decided.rs")
            }
        };
        write!(f, "{}  {}  {}  ({word})", self.kind, self.id, short(&self.subject.escape_debug().to_string()))?;
        write!(f, "\n  expected: {}\n  got: {}", shown(&self.expected), shown(&self.got))
    }
}

/// One line as a quoted string, several as a block.
fn shown(text: &str) -> String {
    if !text.contains('\n') {
        return format!("{:?}", short(text));
    }
    text.lines().map(|line| format!("\n    {}", short(line))).collect()
}

/// A line that fits a screen.
fn short(line: &str) -> Cow<'_, str> {
    const LONGEST: usize = 300;
    match line.char_indices().nth(LONGEST) {
        None => line.into(),
        Some((end, _)) => format!("{}… ({} characters)", &line[..end], line.chars().count()).into(),
    }
}

/// Counts by kind, a line each and an empty one, in the order in which the kinds come.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    let mut kinds: Vec<&str> = outcomes.iter().map(|outcome| outcome.kind).collect();
    kinds.dedup();
    let mut table = format!("{:<24}{:>8}{:>8}{:>9}{:>8}\n", "kind", "passed", "failed", "decided", "cases");
    for kind in kinds {
        let count = |wanted: fn(Verdict) -> bool| {
            outcomes.iter().filter(|outcome| outcome.kind == kind && wanted(outcome.verdict)).count()
        };
        let passed = count(|verdict| verdict == Verdict::Passed);
        let failed = count(|verdict| matches!(verdict, Verdict::Failed | Verdict::Agrees(_)));
        let decided = count(|verdict| matches!(verdict, Verdict::Decided(_)));
        let _ = writeln!(table, "{kind:<24}{passed:>8}{failed:>8}{decided:>9}{:>8}", passed + failed + decided);
    }
    table
}
