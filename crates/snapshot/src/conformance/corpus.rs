//! Reading a corpus folder: `DIR/corpus/KIND.json`, each a list of cases.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use serde_json::Value;

/// Kinds of cases that need a page, in the order of the report. Each is a file of the same name.
pub(super) const KINDS: [&str; 6] = ["snapshot", "role", "name", "description", "role-query", "known-spec-divergence"];

/// One case: a page, what is asked of it, and what is expected.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Case {
    /// Unique in the corpus.
    pub(super) id: String,
    /// What is asked: `name`, `role`, `snapshot` and so on. The file's name where the case does not say.
    #[serde(default)]
    pub(super) kind: String,
    html: Option<String>,
    html_file: Option<PathBuf>,
    #[serde(default)]
    pub(super) steps: Vec<Step>,
    /// CSS, or for `role-query` a role selector. The page's body when absent.
    pub(super) selector: Option<String>,
    /// Which of several matches, from 0.
    #[serde(default)]
    pub(super) nth: usize,
    /// Frame of the page, from 1; 0 is the page itself.
    #[serde(default)]
    pub(super) frame: usize,
    #[serde(default)]
    pub(super) options: Options,
    pub(super) expected: Value,
    /// The kind of the file it stands in, which is what the report counts by.
    #[serde(skip)]
    pub(super) file: &'static str,
    /// Its place in the corpus.
    #[serde(skip)]
    pub(super) number: usize,
}

/// What a snapshot case asks beyond the default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Options {
    pub(super) mode: Option<String>,
    pub(super) depth: Option<usize>,
    pub(super) boxes: bool,
}

/// What happens on the page after it has loaded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum Step {
    /// Calls `fn` with all matches of a selector.
    All {
        #[serde(rename = "evalAll")]
        selector: String,
        #[serde(rename = "fn")]
        function: String,
    },
    /// Calls a function, with the first match of a selector when there is one.
    Evaluate { evaluate: String, selector: Option<String> },
    /// Gives an element the focus, inside a frame when one is named.
    Focus { focus: String, frame_selector: Option<String> },
}

impl Case {
    /// The page's markup; a file of it is named relative to `corpus`.
    pub(super) fn html(&self, corpus: &Path) -> anyhow::Result<String> {
        match (&self.html_file, &self.html) {
            (Some(file), _) => {
                let path = corpus.join(file);
                fs::read_to_string(&path).with_context(|| format!("{self}: cannot read its page {}", path.display()))
            }
            (None, Some(html)) => Ok(html.clone()),
            (None, None) => bail!("{self} has neither `html` nor `htmlFile`; give it one"),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.json, case {}", self.file, self.id)
    }
}

/// All cases of the kinds wanted (all, when there are none). A file that is missing holds no cases.
pub(super) fn read(corpus: &Path, wanted: &[String]) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| wanted.is_empty() || wanted.iter().any(|wanted| wanted == kind)) {
        let path = corpus.join(kind).with_extension("json");
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
            Err(error) => return Err(anyhow!(error).context(format!("cannot read {}", path.display()))),
        };
        let list: Vec<Value> = serde_json::from_str(&text)
            .with_context(|| format!("{} is not a list of cases in JSON; correct the file", path.display()))?;
        for (number, value) in list.into_iter().enumerate() {
            let id = value["id"].as_str().unwrap_or("without id").to_owned();
            let mut case: Case = serde_json::from_value(value)
                .with_context(|| format!("{}: case {number} ({id}) cannot be read", path.display()))?;
            case.file = kind;
            case.number = cases.len();
            if case.kind.is_empty() {
                kind.clone_into(&mut case.kind);
            }
            cases.push(case);
        }
    }
    Ok(cases)
}
