use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Phase;

/// How one scenario of one run went.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// Test file.
    pub file: String,
    /// Scenario.
    pub scenario: String,
    /// Nothing was found.
    pub passed: bool,
    /// Wall time in milliseconds, from boot to close.
    pub milliseconds: u64,
    /// Where the time went.
    pub phases: Vec<Phase>,
    /// Findings, empty when passed.
    pub message: String,
    /// Picture of the page at the end, relative to the report.
    pub picture: Option<String>,
    /// Folder of the evidence of a failure, relative to the report.
    pub evidence: Option<String>,
}

/// The report of a run: one record a scenario and one page a person can open. Several test files of one run share a
/// folder; the page is made anew from all records after each.
#[derive(Clone, Debug)]
pub struct Report {
    folder: PathBuf,
}

impl Report {
    /// A report in `folder`, which is made when the first record comes.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The page.
    pub fn page(&self) -> PathBuf {
        self.folder.join("index.html")
    }

    /// Adds one record and makes the page anew.
    pub fn add(&self, outcome: &Outcome) -> std::io::Result<()> {
        let records = self.folder.join("records");
        fs::create_dir_all(&records)?;
        // Test files, and scenarios of one, end at the same time: none may make the page from an older list.
        let lock = fs::File::create(records.join(".lock"))?;
        lock.lock()?;
        let name = format!("{}--{}.json", outcome.file, outcome.scenario);
        replace(&records.join(name), &serde_json::to_vec_pretty(outcome)?)?;
        let mut outcomes: Vec<Outcome> = Vec::new();
        for entry in fs::read_dir(&records)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                outcomes.push(serde_json::from_slice(&fs::read(path)?)?);
            }
        }
        outcomes.sort_by(|a, b| (a.passed, &a.file, &a.scenario).cmp(&(b.passed, &b.file, &b.scenario)));
        replace(&self.page(), render(&outcomes).as_bytes())
    }
}

/// All or nothing: test files that end at the same time do not see each other's half-written page.
fn replace(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let file = tempfile::NamedTempFile::new_in(path.parent().expect("a file in a folder"))?;
    fs::write(file.path(), contents)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

pub(crate) const STYLE: &str = "
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 0; }
.row { border: 1px solid #8884; border-radius: 10px; margin: 1rem 0; padding: 1rem; }
.failed { border-color: #d33; } .mark { font-weight: 600; } .failed .mark { color: #d33; } .passed .mark { color: #2a7; }
img { border: 1px solid #8884; border-radius: 6px; display: block; margin-top: .75rem; max-width: 100%; }
pre { background: #8881; border-radius: 6px; overflow: auto; padding: .75rem; white-space: pre-wrap; }
";

fn render(outcomes: &[Outcome]) -> String {
    let failed = outcomes.iter().filter(|outcome| !outcome.passed).count();
    let mut body = format!(
        "<h1>Lane: {} scenarios, {} failed</h1>",
        outcomes.len(),
        if failed == 0 { "none".to_owned() } else { failed.to_string() }
    );
    for outcome in outcomes {
        let (class, mark) = if outcome.passed { ("passed", "passed") } else { ("failed", "failed") };
        let _ = write!(
            body,
            "<section class=\"row {class}\"><h2>{} <span class=mark>{mark}</span></h2><div>{} · {} ms</div>",
            escape(&outcome.scenario),
            escape(&outcome.file),
            outcome.milliseconds
        );
        if !outcome.message.is_empty() {
            let _ = write!(body, "<pre>{}</pre>", escape(&outcome.message));
        }
        if let Some(evidence) = &outcome.evidence {
            let _ = write!(body, "<a href=\"{0}/index.html\">evidence</a>", escape(evidence));
        }
        if let Some(picture) = &outcome.picture {
            let _ = write!(
                body,
                "<img loading=lazy src=\"{}\" alt=\"The page at the end of {}\">",
                escape(picture),
                escape(&outcome.scenario)
            );
        }
        body.push_str("</section>");
    }
    page("Lane report", &body)
}

/// A page of its own, without scripts.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <title>{}</title><style>{STYLE}</style><body>{body}</body></html>",
        escape(title)
    )
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(scenario: &str, passed: bool) -> Outcome {
        Outcome {
            file: "live_turn".to_owned(),
            scenario: scenario.to_owned(),
            passed,
            milliseconds: 7,
            phases: Vec::new(),
            message: if passed { String::new() } else { "<b>& \"broken\"".to_owned() },
            picture: None,
            evidence: None,
        }
    }

    #[test]
    fn failures_come_first_and_text_stays_text() {
        let folder = tempfile::tempdir().expect("folder");
        let report = Report::new(folder.path().join("run"));
        report.add(&outcome("a_good_one", true)).expect("added");
        report.add(&outcome("z_bad_one", false)).expect("added");
        let page = fs::read_to_string(report.page()).expect("page");
        assert!(page.find("z_bad_one") < page.find("a_good_one"), "{page}");
        assert!(page.contains("2 scenarios, 1 failed") && page.contains("&lt;b&gt;&amp; &quot;broken&quot;"), "{page}");
    }
}
