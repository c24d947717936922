//! Reading a corpus folder: `DIR/corpus/KIND.json`, each a list of cases.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use serde_json::Value;

/// The kinds of cases, in the order of the report. Each is a file of the same name.
pub(super) const KINDS: [&str; 14] = [
    "snapshot",
    "snapshot-json",
    "role",
    "name",
    "description",
    "role-query",
    "known-spec-divergence",
    "match-pass",
    "match-fail",
    "match-edge",
    "parser",
    "parse-error",
    "rebaseline",
    "strings",
];

/// One case: a page, what is asked of it, and what is expected.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Case {
    /// Unique in the corpus; made of kind and place where the case has none.
    #[serde(default)]
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
    #[serde(default)]
    pub(super) expected: Value,
    /// A template; for the kinds that have one.
    #[serde(default)]
    pub(super) template: String,
    /// The template without blank lines and common indent, which positions of errors count in.
    pub(super) template_normalized: Option<String>,
    /// `parser`, `match-edge`: whether the template matches.
    pub(super) matches: Option<bool>,
    /// `parser`: the error of a template that can't be read.
    pub(super) error: Option<String>,
    /// `strings`: the string, and how it is written.
    #[serde(flatten)]
    pub(super) written: Option<Written>,
    /// The kind of the file it stands in, which is what the report counts by.
    #[serde(skip)]
    pub(super) file: &'static str,
    /// Its place in the corpus.
    #[serde(skip)]
    pub(super) number: usize,
}

/// How a string is written, as a button's name and as a paragraph's text.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Written {
    pub(super) input: String,
    pub(super) key: String,
    pub(super) value: String,
    pub(super) regex_key: String,
    pub(super) regex_value: String,
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

/// What a file of cases holds.
#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    List(Vec<Value>),
    Shared {
        /// The page of all of them.
        html: Option<String>,
        cases: Vec<Value>,
    },
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
        let file: File = serde_json::from_str(&text)
            .with_context(|| format!("{} is not a list of cases in JSON; correct the file", path.display()))?;
        let (html, list) = match file {
            File::List(list) => (None, list),
            File::Shared { html, cases } => (html, cases),
        };
        for (number, value) in list.into_iter().enumerate() {
            let id = value["id"].as_str().map_or_else(|| format!("{kind}-{}", number + 1), str::to_owned);
            let mut case: Case = serde_json::from_value(value)
                .with_context(|| format!("{}: case {} ({id}) cannot be read", path.display(), number + 1))?;
            case.id = id;
            case.file = kind;
            case.number = cases.len();
            if case.kind.is_empty() {
                kind.clone_into(&mut case.kind);
            }
            if case.html.is_none() {
                case.html.clone_from(&html);
            }
            cases.push(case);
        }
    }
    Ok(cases)
}
