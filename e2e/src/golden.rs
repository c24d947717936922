use std::io::Write as _;
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

    /// Compares by equality, or writes in refresh mode. In refresh mode an equal file is left alone.
    pub fn check(&self, scenario: &str, state: &str, actual: &str) -> Result<(), GoldenError> {
        let path = self.path(scenario, state);
        let expected = read(&path)?;
        if expected.as_deref() == Some(actual) {
            return Ok(());
        }
        if self.mode == SnapshotMode::Refresh {
            return write(&path, scenario, state, actual).map_err(|source| GoldenError::Unwritable { path, source });
        }
        let scenario = scenario.to_owned();
        Err(match expected {
            None => GoldenError::Missing { path, scenario },
            Some(expected) => GoldenError::Differs { path, scenario, diff: diff(&expected, actual) },
        })
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
    let folder = path.parent().expect("a golden lies in its scenario's folder");
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    write!(file, "---\nsource: e2e\ndescription: \"scenario {scenario}, state {state}\"\n---\n{contents}\n")?;
    file.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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

    #[test]
    fn missing_golden_names_the_refresh_command_and_writes_nothing() {
        let (folder, store) = store(SnapshotMode::Replay);
        let message = store.check("greeting", "hero", TREE).expect_err("missing").to_string();
        assert!(message.contains("DSH_SNAPSHOT=refresh cargo test -p e2e greeting"), "{message}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("list").count(), 0);
    }

    #[test]
    fn refresh_writes_and_a_second_refresh_changes_nothing() {
        let (_folder, store) = store(SnapshotMode::Refresh);
        store.check("greeting", "hero", TREE).expect("written");
        let path = store.path("greeting", "hero");
        let first = std::fs::read(&path).expect("read");
        store.check("greeting", "hero", TREE).expect("equal");
        assert_eq!(std::fs::read(&path).expect("read"), first);
        let compare = GoldenStore::new(store.root.clone(), SnapshotMode::Replay);
        compare.check("greeting", "hero", TREE).expect("equal");
    }

    #[test]
    fn a_spoiled_golden_names_the_node() {
        let (_folder, store) = store(SnapshotMode::Refresh);
        store.check("greeting", "hero", TREE).expect("written");
        let compare = GoldenStore::new(store.root.clone(), SnapshotMode::Replay);
        let message =
            compare.check("greeting", "hero", &TREE.replace("Send", "Submit")).expect_err("differs").to_string();
        assert!(message.contains("Send") && message.contains("Submit"), "{message}");
    }

    #[test]
    fn comparison_is_equality_not_containment() {
        let (_folder, store) = store(SnapshotMode::Refresh);
        store.check("greeting", "hero", TREE).expect("written");
        let compare = GoldenStore::new(store.root.clone(), SnapshotMode::Replay);
        compare.check("greeting", "hero", "- button \"Send\"").expect_err("a part is not the whole");
    }

    #[test]
    fn text_with_trailing_blank_lines_and_quotes_survives_the_file() {
        let (_folder, store) = store(SnapshotMode::Refresh);
        let text = "- text: \"a: \\\"b\\\"\"\n- 'button \"x: y\"'";
        store.check("greeting", "odd", text).expect("written");
        GoldenStore::new(store.root.clone(), SnapshotMode::Replay).check("greeting", "odd", text).expect("equal");
    }
}
