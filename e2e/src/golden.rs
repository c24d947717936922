use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::SnapshotMode;

/// A declared user-visible state: which region, when it is ready, which values are volatile.
#[derive(Clone, Debug)]
pub struct Golden {
    pub(crate) state: &'static str,
    pub(crate) region: &'static str,
    pub(crate) ready: Vec<&'static str>,
    pub(crate) tokens: Vec<Token>,
}

/// Kinds of volatile values. The page marks the elements that show them; nothing else is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A time of day.
    Clock,
    /// How long something took.
    Duration,
    /// A session's id.
    SessionId,
    /// The workspace's last folder name.
    WorkspaceName,
    /// The workspace's path.
    WorkspacePath,
}

impl Token {
    /// The kind as the page writes it into `data-volatile`.
    pub fn kind(self) -> &'static str {
        match self {
            Self::Clock => "clock",
            Self::Duration => "duration",
            Self::SessionId => "session-id",
            Self::WorkspaceName => "workspace-name",
            Self::WorkspacePath => "workspace-path",
        }
    }
}

impl Golden {
    /// The state `goldens/<scenario>/<state>.snap`: the region's accessible tree.
    pub fn new(state: &'static str, region: &'static str) -> Self {
        Self { state, region, ready: Vec::new(), tokens: Vec::new() }
    }

    /// A CSS selector that must match before the region is read.
    pub fn ready(mut self, anchor: &'static str) -> Self {
        self.ready.push(anchor);
        self
    }

    /// Volatile kinds that must occur; no other may.
    pub fn tokens(mut self, tokens: &[Token]) -> Self {
        self.tokens.extend_from_slice(tokens);
        self
    }
}

/// The folder of committed goldens and who may write to it.
#[derive(Clone, Debug)]
pub struct GoldenStore {
    root: PathBuf,
    mode: SnapshotMode,
}

/// A golden that is not there or not equal.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// No file yet.
    #[error(
        "golden {} is missing; look at what the page shows in the evidence and, if it is right, write it with\n  \
         DSH_SNAPSHOT=refresh cargo test -p e2e {scenario}",
        path.display()
    )]
    Missing {
        /// The file.
        path: PathBuf,
        /// The scenario that makes it.
        scenario: String,
    },
    /// The page shows something else.
    #[error(
        "golden {} differs from the page:\n{diff}\nif the page is right: DSH_SNAPSHOT=refresh cargo test -p e2e \
         {scenario}, and read the diff",
        path.display()
    )]
    Differs {
        /// The file.
        path: PathBuf,
        /// The scenario that makes it.
        scenario: String,
        /// Which nodes differ, and the tree with marks.
        diff: String,
    },
    /// The file is no snapshot.
    #[error("golden {}: {detail}; restore it from version control or refresh it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        detail: String,
    },
    /// The file cannot be written.
    #[error("golden {}: cannot be written: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl GoldenStore {
    /// Goldens below `root`; written only in [`SnapshotMode::Refresh`].
    pub fn new(root: PathBuf, mode: SnapshotMode) -> Self {
        Self { root, mode }
    }

    /// `<root>/<scenario>/<state>.snap`.
    pub fn path(&self, scenario: &str, state: &str) -> PathBuf {
        self.root.join(scenario).join(format!("{state}.snap"))
    }

    /// Compares by equality. Where goldens are refreshed anything goes, and what was recorded from a live model is not
    /// compared: its words are new.
    pub fn check(&self, scenario: &str, state: &str, actual: &str) -> Result<(), GoldenError> {
        if self.mode != SnapshotMode::Replay {
            return Ok(());
        }
        let path = self.path(scenario, state);
        let expected = read(&path)?;
        if expected.as_deref() == Some(actual) {
            return Ok(());
        }
        let scenario = scenario.to_owned();
        Err(match expected {
            None => GoldenError::Missing { path, scenario },
            Some(expected) => GoldenError::Differs { path, scenario, diff: diff(&expected, actual) },
        })
    }
}

impl GoldenStore {
    /// In refresh mode, once the scenario is clean: writes the states it showed. An equal file is left alone.
    pub fn refresh(&self, scenario: &str, states: &BTreeMap<&'static str, String>) -> Result<(), GoldenError> {
        if self.mode != SnapshotMode::Refresh {
            return Ok(());
        }
        for (state, actual) in states {
            let path = self.path(scenario, state);
            if !matches!(read(&path), Ok(Some(written)) if written == *actual) {
                write(&path, scenario, state, actual).map_err(|source| GoldenError::Unwritable { path, source })?;
            }
        }
        Ok(())
    }
}

/// What a scenario showed, by state.
#[derive(Debug, Default)]
pub(crate) struct Shown(BTreeMap<&'static str, String>);

impl Shown {
    /// A state looks the same each time a scenario comes to it; otherwise it is two states.
    pub(crate) fn note(&mut self, state: &'static str, actual: &str) -> Result<(), String> {
        match self.0.get(state) {
            Some(before) if before != actual => Err(format!(
                "state {state} was shown before in this scenario, and differently:\n{}\ngive it a name of its own, or \
                 find out why it changed",
                diff(before, actual)
            )),
            _ => {
                self.0.insert(state, actual.to_owned());
                Ok(())
            }
        }
    }

    pub(crate) fn states(&self) -> &BTreeMap<&'static str, String> {
        &self.0
    }
}

/// Contents of an insta snapshot file, `None` when there is no file.
fn read(path: &Path) -> Result<Option<String>, GoldenError> {
    let unreadable = |detail: String| GoldenError::Unreadable { path: path.to_owned(), detail };
    match path.try_exists() {
        Ok(false) => return Ok(None),
        Ok(true) => {}
        Err(error) => return Err(unreadable(error.to_string())),
    }
    let snapshot = insta::Snapshot::from_file(path).map_err(|error| unreadable(error.to_string()))?;
    let text = snapshot.as_text().ok_or_else(|| unreadable("it is not a text snapshot".to_owned()))?;
    Ok(Some(text.to_string()))
}

/// Writes the file in insta's own format, all at once, so that a killed run leaves the old file or the new one.
fn write(path: &Path, scenario: &str, state: &str, contents: &str) -> std::io::Result<()> {
    let text = format!("---\nsource: e2e\ndescription: \"scenario {scenario}, state {state}\"\n---\n{contents}\n");
    scaffold::replace_file(path, &text)
}

/// Node by node where both are trees, line by line otherwise.
fn diff(expected: &str, actual: &str) -> String {
    match (aria::Snapshot::parse_yaml(expected), aria::Snapshot::parse_yaml(actual)) {
        (Ok(expected), Ok(actual)) => aria::diff(&expected, &actual).to_string(),
        (Err(error), _) => format!("the golden does not parse: {error}\n+++ the page\n{actual}"),
        (_, Err(error)) => format!("the page's tree does not parse: {error}\n+++ the page\n{actual}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "- heading \"Hello\" [level=1]\n- button \"Send\"";

    fn store(mode: SnapshotMode) -> (tempfile::TempDir, GoldenStore) {
        let folder = tempfile::tempdir().expect("folder");
        let store = GoldenStore::new(folder.path().to_owned(), mode);
        (folder, store)
    }

    /// A folder with one golden, and the store that compares with it.
    fn written(state: &'static str, contents: &str) -> (tempfile::TempDir, GoldenStore) {
        let (folder, refresh) = store(SnapshotMode::Refresh);
        refresh.refresh("greeting", &BTreeMap::from([(state, contents.to_owned())])).expect("written");
        let compare = GoldenStore::new(refresh.root, SnapshotMode::Replay);
        (folder, compare)
    }

    #[test]
    fn missing_golden_names_the_refresh_command_and_writes_nothing() {
        let (folder, store) = store(SnapshotMode::Replay);
        let message = store.check("greeting", "hero", TREE).expect_err("missing").to_string();
        assert!(message.contains("DSH_SNAPSHOT=refresh cargo test -p e2e greeting"), "{message}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("list").count(), 0);
    }

    #[test]
    fn a_second_refresh_changes_nothing() {
        let (_folder, store) = written("hero", TREE);
        let path = store.path("greeting", "hero");
        let first = std::fs::metadata(&path).and_then(|file| file.modified()).expect("a file");
        let again = GoldenStore::new(store.root.clone(), SnapshotMode::Refresh);
        again.refresh("greeting", &BTreeMap::from([("hero", TREE.to_owned())])).expect("equal");
        assert_eq!(std::fs::metadata(&path).and_then(|file| file.modified()).expect("a file"), first);
        store.check("greeting", "hero", TREE).expect("equal");
    }

    #[test]
    fn replay_and_record_write_nothing() {
        for mode in [SnapshotMode::Replay, SnapshotMode::Record] {
            let (folder, store) = store(mode);
            store.refresh("greeting", &BTreeMap::from([("hero", TREE.to_owned())])).expect("nothing to do");
            assert_eq!(std::fs::read_dir(folder.path()).expect("list").count(), 0);
        }
    }

    #[test]
    fn a_spoiled_golden_names_the_node() {
        let (_folder, store) = written("hero", TREE);
        let spoiled = TREE.replace("Send", "Submit");
        let message = store.check("greeting", "hero", &spoiled).expect_err("differs").to_string();
        assert!(message.contains("Send") && message.contains("Submit"), "{message}");
    }

    #[test]
    fn comparison_is_equality_not_containment() {
        let (_folder, store) = written("hero", TREE);
        store.check("greeting", "hero", "- button \"Send\"").expect_err("a part is not the whole");
    }

    #[test]
    fn text_with_quotes_and_colons_survives_the_file() {
        let text = "- text: \"a: \\\"b\\\"\"\n- 'button \"x: y\"'";
        let (_folder, store) = written("odd", text);
        store.check("greeting", "odd", text).expect("equal");
    }

    #[test]
    fn a_state_that_changes_within_a_scenario_is_two_states() {
        let mut shown = Shown::default();
        shown.note("hero", TREE).expect("first");
        shown.note("hero", TREE).expect("the same again");
        let message = shown.note("hero", "- button \"Send\"").expect_err("another");
        assert!(message.contains("state hero was shown before"), "{message}");
    }
}
