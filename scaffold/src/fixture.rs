use std::path::{Path, PathBuf};

use session::{Event, Header};

/// A recorded session log: what a replay model answers from and what is seeded as a cold session.
#[derive(Clone, Debug)]
pub struct Fixture {
    origin: PathBuf,
    text: String,
    header: Header,
    events: Vec<Event>,
}

/// A fixture that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixtureError {
    /// The file cannot be read.
    #[error(
        "fixture {}: cannot be read: {source}; write a log that holds the prompts and record the rest with \
         DSH_SNAPSHOT=record (README, Write a scenario)",
        path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text is not a log.
    #[error("fixture {}: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Which line and why.
        source: session::LogError,
    },
}

impl Fixture {
    /// Reads and checks a log file.
    pub fn load(path: &Path) -> Result<Self, FixtureError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| FixtureError::Unreadable { path: path.to_owned(), source })?;
        Self::parse(text, path)
    }

    /// Checks a log given as text; `origin` is named in errors.
    pub fn parse(text: String, origin: &Path) -> Result<Self, FixtureError> {
        let (header, events) =
            session::decode_log(&text).map_err(|source| FixtureError::Malformed { path: origin.to_owned(), source })?;
        Ok(Self { origin: origin.to_owned(), text, header, events })
    }

    /// Where the text came from.
    pub fn origin(&self) -> &Path {
        &self.origin
    }

    /// The text as it stands in the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The header line.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The events, packed rows unpacked.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The prompts a person typed, in order.
    pub fn user_prompts(&self) -> Vec<String> {
        session::user_prompts(&self.events)
    }
}
