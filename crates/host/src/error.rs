use std::path::PathBuf;

/// A composition that can't be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompositionError {
    /// The text of a file of rows or patches does not fit.
    #[error("{origin}: {detail}")]
    Text {
        /// The file, or what else the text came from.
        origin: String,
        /// What does not fit, with its line where there is one.
        detail: String,
    },
    /// A patch names a row that is not there.
    #[error("{origin}: no row has the id {id:?}; {}", nearest(near))]
    UnknownRow {
        /// Where the patch came from.
        origin: String,
        /// The id it names.
        id: String,
        /// Ids that look like it, all ids where none does.
        near: Vec<String>,
    },
    /// Two rows have one id.
    #[error("{origin}: the id {id:?} is taken by a row of {first}; give this row another id")]
    DuplicateRow {
        /// File of the second row.
        origin: String,
        /// The id.
        id: String,
        /// File of the first.
        first: String,
    },
    /// A row is of a kind that does not exist.
    #[error("row {id:?} ({origin}): there is no kind {kind:?}; {}", nearest(near))]
    UnknownKind {
        /// Row id.
        id: String,
        /// Files and patches the row is made of.
        origin: String,
        /// Its kind.
        kind: String,
        /// Kinds that look like it, all kinds where none does.
        near: Vec<String>,
    },
    /// A row has a setting that its kind does not read.
    #[error("row {id:?} ({origin}): {kind} has no setting {setting:?}; {}", nearest(near))]
    UnknownSetting {
        /// Row id.
        id: String,
        /// Files and patches the row is made of.
        origin: String,
        /// Its kind.
        kind: String,
        /// The setting.
        setting: String,
        /// Settings that look like it, all settings where none does.
        near: Vec<String>,
    },
    /// A setting has the wrong type or is missing.
    #[error("row {id:?} ({origin}): {detail}; correct the setting")]
    Setting {
        /// Row id.
        id: String,
        /// Files and patches the row is made of.
        origin: String,
        /// What does not fit.
        detail: String,
    },
    /// A part no host can be without was disabled or is not there.
    #[error("no enabled row of kind {kind:?}; a host can't be without one, so enable it")]
    Missing {
        /// The kind.
        kind: String,
    },
    /// There is more than one row of a kind that a host has one of.
    #[error("rows {first:?} and {second:?} are both of kind {kind:?}; disable one of them")]
    Twice {
        /// The kind.
        kind: String,
        /// Id of the first row.
        first: String,
        /// Id of the second.
        second: String,
    },
}

fn nearest(names: &[String]) -> String {
    format!("did you mean one of: {}?", names.join(", "))
}

/// The names that look like `name`, best first, at most three; all of them when none does.
pub(crate) fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let known: Vec<_> = known.into_iter().collect();
    let mut scored: Vec<_> = known
        .iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), *candidate))
        .filter(|(score, _)| *score > 0.75)
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0));
    let best: Vec<_> = scored.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect();
    if best.is_empty() { known.into_iter().map(str::to_owned).collect() } else { best }
}

/// Why a host did not start, or can't do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The composition can't be built.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// The connection to a provider can't be made.
    #[error("provider row {row:?}: {source}")]
    Provider {
        /// Row id.
        row: String,
        /// Why.
        source: llm::LlmError,
    },
    /// A workspace given at boot is no usable directory.
    #[error("workspace {}: {source}", path.display())]
    Workspace {
        /// The path given.
        path: PathBuf,
        /// Why.
        source: Box<store::StoreError>,
    },
}

/// What went wrong while a host ended, in the order it happened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", failures.join("; "))]
pub struct ShutdownError {
    /// One text a failure.
    pub failures: Vec<String>,
}
