use std::fmt;
use std::path::PathBuf;

/// Why a scenario failed: every finding, the first one first, and where the evidence is.
#[derive(Debug, Default)]
pub struct Failure {
    /// Findings in the order they came up: the scenario's own error, guards, close.
    pub findings: Vec<String>,
    /// Folder with screenshot, snapshot, diff, host events, frames, console and driver log.
    pub evidence: Option<PathBuf>,
}

impl Failure {
    pub(crate) fn add(&mut self, finding: impl fmt::Display) {
        self.findings.push(finding.to_string());
    }

    /// Adds a finding only where there is none yet.
    pub(crate) fn add_if_first(&mut self, finding: impl fmt::Display) {
        if self.is_empty() {
            self.add(finding);
        }
    }

    /// All findings as one text.
    pub(crate) fn text(&self) -> String {
        self.findings.join("\n\nand then:\n")
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}

/// An error with its causes, each said once: many messages hold their cause already.
pub fn whole(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text())?;
        if let Some(evidence) = &self.evidence {
            write!(formatter, "\n\nevidence: file://{}", evidence.join("index.html").display())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_the_message_holds_is_not_said_twice() {
        let error = anyhow::anyhow!("line 3 is broken").context("fixture a.jsonl: line 3 is broken").context("boot");
        assert_eq!(whole(&error), "boot: fixture a.jsonl: line 3 is broken");
    }
}
