use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Payload, PayloadError};

/// How an event changes the surface (the list of messages the model sees).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SurfaceOp {
    /// The string `"append"`.
    Append(AppendOp),
    /// `{op: "replace", start, end}`: the nodes `start..end` give way to this one.
    Replace {
        /// Constant `"replace"`.
        op: ReplaceOp,
        /// First surface index replaced.
        start: u64,
        /// One past the last.
        end: u64,
    },
}

/// The constant `"append"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AppendOp {
    /// `"append"`.
    #[serde(rename = "append")]
    Append,
}

/// The constant `"replace"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReplaceOp {
    /// `"replace"`.
    #[serde(rename = "replace")]
    Replace,
}

impl SurfaceOp {
    /// The append operation.
    pub const APPEND: Self = Self::Append(AppendOp::Append);
}

/// One event of a log. `data` is kept as it was read, so that reading and writing lose nothing; [`Event::payload`] is
/// the typed view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Event {
    /// Event type, for example `turn/start`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Position in the log, contiguous from 0.
    pub seq: u64,
    /// Milliseconds since the Unix epoch.
    pub time: i64,
    /// The event's facts.
    pub data: Value,
    /// A reader that does not know the type may skip it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignorable: bool,
    /// Sequence numbers this event was derived from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_event_seqs: Option<Vec<u64>>,
    /// Change to the surface; only surface events carry it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface_op: Option<SurfaceOp>,
}

impl Event {
    /// The typed view of `data`. Reads both generations of event shapes.
    pub fn payload(&self) -> Result<Payload, PayloadError> {
        Payload::read(self)
    }
}

/// An event before the log gives it its position and time.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDraft {
    /// Event type.
    pub kind: String,
    /// The event's facts.
    pub data: Value,
    /// Change to the surface.
    pub surface_op: Option<SurfaceOp>,
    /// Sequence numbers this event is derived from.
    pub source_event_seqs: Option<Vec<u64>>,
}

impl EventDraft {
    /// The event at its place in the log.
    pub fn at(self, seq: u64, time: i64) -> Event {
        Event {
            kind: self.kind,
            seq,
            time,
            data: self.data,
            ignorable: false,
            source_event_seqs: self.source_event_seqs,
            surface_op: self.surface_op,
        }
    }

    /// The same with the sequence numbers it is derived from.
    pub fn derived_from(mut self, seqs: Vec<u64>) -> Self {
        self.source_event_seqs = Some(seqs);
        self
    }
}
