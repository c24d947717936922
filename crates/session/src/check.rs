//! What makes a sequence of events a log: one rule set for reading, seeding and appending.

use crate::{Event, PayloadError, SurfaceOp};

/// The event types that change the surface, and must say how.
const SURFACE_TYPES: &[&str] = &["user/message", "assistant/message", "tool/result"];

/// An event that cannot stand where it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EventProblem {
    /// Sequence numbers are contiguous from 0.
    #[error(
        "event {found} ({kind}) comes where event {due} is due; a log has every event once, in order: \
         restore the missing lines or record the log again"
    )]
    OutOfOrder {
        /// Sequence number found.
        found: u64,
        /// Sequence number due.
        due: u64,
        /// Event type found.
        kind: String,
    },
    /// The data does not fit the type, or the type is unknown and not ignorable.
    #[error(transparent)]
    Payload(#[from] PayloadError),
    /// A surface event must carry `surfaceOp`.
    #[error(
        "event {seq} ({kind}) has no surfaceOp; a message event says how it changes what the model sees: \
         add \"surfaceOp\":\"append\""
    )]
    NoSurfaceOp {
        /// Sequence number.
        seq: u64,
        /// Event type.
        kind: String,
    },
    /// Only surface events carry `surfaceOp`.
    #[error(
        "event {seq} ({kind}) has a surfaceOp, which only user/message, assistant/message and tool/result carry; remove it"
    )]
    StraySurfaceOp {
        /// Sequence number.
        seq: u64,
        /// Event type.
        kind: String,
    },
    /// A replace range must lie inside the surface.
    #[error("event {seq} replaces surface nodes {start}..{end}, but the surface has {len} here; correct the range")]
    SurfaceRange {
        /// Sequence number.
        seq: u64,
        /// First node replaced.
        start: u64,
        /// One past the last.
        end: u64,
        /// Nodes there are.
        len: u64,
    },
    /// `sourceEventSeqs` point backwards.
    #[error("event {seq} is derived from event {source_seq}, which does not come before it; correct sourceEventSeqs")]
    SourceAhead {
        /// Sequence number.
        seq: u64,
        /// The source named.
        source_seq: u64,
    },
}

/// Admits events one after the other. What it admits, a reader of the written log admits too.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogCheck {
    next_seq: u64,
    surface_len: u64,
}

impl LogCheck {
    /// Sequence number of the next event.
    pub fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Takes the next event in, or says why it cannot follow; then nothing has changed.
    pub fn admit(&mut self, event: &Event) -> Result<(), EventProblem> {
        let (seq, kind) = (event.seq, || event.kind.clone());
        if seq != self.next_seq {
            return Err(EventProblem::OutOfOrder { found: seq, due: self.next_seq, kind: kind() });
        }
        event.payload()?;
        if let Some(&source_seq) = event.source_event_seqs.iter().flatten().find(|source| **source >= seq) {
            return Err(EventProblem::SourceAhead { seq, source_seq });
        }
        let on_surface = SURFACE_TYPES.contains(&event.kind.as_str());
        self.surface_len = match (&event.surface_op, on_surface) {
            (None, false) => self.surface_len,
            (None, true) => return Err(EventProblem::NoSurfaceOp { seq, kind: kind() }),
            (Some(_), false) => return Err(EventProblem::StraySurfaceOp { seq, kind: kind() }),
            (Some(SurfaceOp::Append(_)), true) => self.surface_len + 1,
            (Some(SurfaceOp::Replace { start, end, .. }), true) => {
                let (start, end, len) = (*start, *end, self.surface_len);
                if start > end || end > len {
                    return Err(EventProblem::SurfaceRange { seq, start, end, len });
                }
                len - (end - start) + 1
            }
        };
        self.next_seq += 1;
        Ok(())
    }
}
