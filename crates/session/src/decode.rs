use serde::Deserialize;
use serde_json::Value;

use crate::check::{EventProblem, LogCheck};
use crate::packed::{Row, RowKind};
use crate::{Event, Header, LOG_VERSION};

/// A log that cannot be read. Names the line, from 1; whoever read the file adds its name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LogError {
    /// Line of the text, from 1 (the header).
    pub line: usize,
    /// What is wrong there.
    pub problem: LogProblem,
}

/// What can be wrong with a line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LogProblem {
    /// There is no line at all.
    #[error("the log is empty; its first line must be a session header")]
    Empty,
    /// A line without content between others.
    #[error("the line is blank; every line holds one JSON object: remove it")]
    Blank,
    /// Not JSON.
    #[error("not valid JSON ({detail}); restore the line or cut the log at a line end")]
    Json {
        /// The parser's words.
        detail: String,
    },
    /// The first line is not a header.
    #[error("not a session header ({detail}); the first line must be {{\"type\":\"session\",\"version\":0,…}}")]
    Header {
        /// What does not fit.
        detail: String,
    },
    /// Written by another version of the format.
    #[error("log version {found}, this program reads version {LOG_VERSION}; use the program that wrote the log")]
    Version {
        /// Version found.
        found: Value,
    },
    /// A packed row that cannot be unpacked exactly.
    #[error("malformed {row_type} row: {detail}; record the log again or write its events unpacked")]
    Row {
        /// Type of the row.
        row_type: String,
        /// What does not fit.
        detail: String,
    },
    /// A line that is neither an event nor a packed row.
    #[error(
        "not an event ({detail}); an event is {{\"type\",\"seq\",\"time\",\"data\"}} with optional ignorable, sourceEventSeqs, surfaceOp"
    )]
    Shape {
        /// What does not fit.
        detail: String,
    },
    /// An event that cannot stand there.
    #[error(transparent)]
    Event(#[from] EventProblem),
}

/// Reads a whole log: header, events and packed rows, strictly. See [`LogDecoder`].
pub fn decode_log(text: &str) -> Result<(Header, Vec<Event>), LogError> {
    let mut decoder = LogDecoder::default();
    for line in text.lines() {
        decoder.line(line)?;
    }
    decoder.finish()
}

/// Reads a log line by line. A line that fails leaves everything read before it intact.
#[derive(Clone, Debug, Default)]
pub struct LogDecoder {
    lines: usize,
    header: Option<Header>,
    check: LogCheck,
    events: Vec<Event>,
}

impl LogDecoder {
    /// Takes the next line, without its line end.
    pub fn line(&mut self, line: &str) -> Result<(), LogError> {
        let taken = if line.trim().is_empty() { Err(LogProblem::Blank) } else { self.take(line) };
        taken.map_err(|problem| LogError { line: self.lines + 1, problem })?;
        self.lines += 1;
        Ok(())
    }

    /// Lines read.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The header, once its line is read.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Events read so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The log; fails when there was no line.
    pub fn finish(self) -> Result<(Header, Vec<Event>), LogError> {
        match self.header {
            Some(header) => Ok((header, self.events)),
            None => Err(LogError { line: 1, problem: LogProblem::Empty }),
        }
    }

    fn take(&mut self, line: &str) -> Result<(), LogProblem> {
        let value: Value =
            serde_json::from_str(line).map_err(|error| LogProblem::Json { detail: error.to_string() })?;
        if self.header.is_none() {
            self.header = Some(header(&value)?);
            return Ok(());
        }
        let row_type = value.get("type").and_then(Value::as_str).unwrap_or_default();
        if RowKind::of(row_type).is_none() {
            let event = Event::deserialize(value).map_err(|error| LogProblem::Shape { detail: error.to_string() })?;
            self.check.admit(&event)?;
            self.events.push(event);
            return Ok(());
        }
        let malformed = |detail| LogProblem::Row { row_type: row_type.to_owned(), detail };
        let members =
            Row::deserialize(&value).map_err(|error| malformed(error.to_string()))?.unpack().map_err(malformed)?;
        let mut check = self.check;
        for event in &members {
            check.admit(event)?;
        }
        self.check = check;
        self.events.extend(members);
        Ok(())
    }
}

fn header(value: &Value) -> Result<Header, LogProblem> {
    let detail = |detail: &str| LogProblem::Header { detail: detail.to_owned() };
    if value.get("type").and_then(Value::as_str) != Some("session") {
        return Err(detail("its `type` is not \"session\""));
    }
    match value.get("version") {
        None => return Err(detail("it has no `version`")),
        Some(version) if *version != LOG_VERSION => return Err(LogProblem::Version { found: version.clone() }),
        Some(_) => {}
    }
    Header::deserialize(value).map_err(|error| detail(&error.to_string()))
}
