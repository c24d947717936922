//! From the bytes of a log file to its events, and what a crash left to repair.

use std::path::Path;

use session::{Event, Header, LogDecoder, balance};

use crate::StoreError;
use crate::frame::{self, Frame};

/// A log as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredLog {
    /// The header.
    pub header: Header,
    /// The events; every turn is closed.
    pub events: Vec<Event>,
    /// What a crash made necessary; `None` for a log that was left in order.
    pub repair: Option<Repair>,
}

/// What repair did (on disk when the log was resumed, in memory when it was only read).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Bytes of an unfinished last frame that were cut off.
    pub torn_bytes: u64,
    /// Events recovered from that frame.
    pub recovered: usize,
    /// Events added to close the open turn.
    pub closing: usize,
}

/// The content of a log file before repair.
pub(crate) struct Loaded {
    pub(crate) header: Header,
    pub(crate) events: Vec<Event>,
    /// Length of the whole frames, in bytes.
    pub(crate) whole_bytes: u64,
    /// Events in whole frames; the rest was recovered from the torn one.
    pub(crate) whole_events: usize,
    torn_bytes: u64,
}

impl Loaded {
    /// Reads a log file's bytes.
    pub(crate) fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Self, StoreError> {
        let mut decoder = LogDecoder::default();
        let mut at = 0;
        let mut torn = Vec::new();
        while at < bytes.len() {
            let damaged = |detail, decoder: &LogDecoder| StoreError::Damaged {
                path: path.to_owned(),
                offset: at as u64,
                detail,
                events: decoder.events().len(),
            };
            match frame::read(&bytes[at..]) {
                Frame::Whole(length, content) => {
                    let text = String::from_utf8(content).map_err(|error| damaged(error.to_string(), &decoder))?;
                    for line in text.lines() {
                        decoder.line(line).map_err(|error| StoreError::Log { path: path.to_owned(), error })?;
                    }
                    at += length;
                }
                // A log is published with its first frame whole, so that no crash tears the header.
                Frame::Incomplete(_) if decoder.header().is_none() => {
                    return Err(damaged("the header's frame is incomplete".to_owned(), &decoder));
                }
                Frame::Incomplete(content) => {
                    torn = content;
                    break;
                }
                Frame::Damaged(detail) => return Err(damaged(detail, &decoder)),
            }
        }
        let whole_events = decoder.events().len();
        recover(&mut decoder, &torn);
        let (header, events) = decoder.finish().map_err(|error| StoreError::Log { path: path.to_owned(), error })?;
        let torn_bytes = (bytes.len() - at) as u64;
        Ok(Self { header, events, whole_bytes: at as u64, whole_events, torn_bytes })
    }

    /// The log with its open turn closed. The closing events carry the time of the last event, the last sign of life:
    /// reading twice gives the same log, and no turn seems to have lasted until it was read.
    pub(crate) fn balanced(mut self) -> StoredLog {
        let recovered = self.events.len() - self.whole_events;
        let time = self.events.last().map_or(self.header.created_at, |event| event.time);
        let closing = balance(&self.events);
        let repair = (self.torn_bytes > 0 || !closing.is_empty()).then_some(Repair {
            torn_bytes: self.torn_bytes,
            recovered,
            closing: closing.len(),
        });
        for draft in closing {
            self.events.push(draft.at(self.events.len() as u64, time));
        }
        StoredLog { header: self.header, events: self.events, repair }
    }
}

/// Takes the complete lines of a torn frame, up to the first that does not fit: nothing vouches for its checksum.
fn recover(decoder: &mut LogDecoder, torn: &[u8]) {
    for line in torn.split_inclusive(|byte| *byte == b'\n') {
        let complete = line.strip_suffix(b"\n").and_then(|line| std::str::from_utf8(line).ok());
        if complete.is_none_or(|line| decoder.line(line).is_err()) {
            break;
        }
    }
}
