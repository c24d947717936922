//! What went wrong and was healed, counted. The lane reads these instead of console texts.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

/// Counts since the client was made. In a run with nothing wrong `generations` is 1 and the rest is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counters {
    /// Connection attempts begun: both streams and the description belong to one.
    pub generations: u64,
    /// Generations that ended (stream end, `stream/error`, failed handshake) and were followed by another attempt.
    pub reconnects: u64,
    /// Tail pages pulled because live events skipped a sequence number.
    pub gap_repairs: u64,
    /// Live events the stream had already carried, dropped by their sequence number.
    pub dropped_frames: u64,
    /// Frames, or events inside them, that could not be read.
    pub malformed_frames: u64,
    /// Pages that were not contiguous or did not join the window, dropped.
    pub discontinuous_pages: u64,
    /// Subscribers that panicked; the others were still told.
    pub sink_panics: u64,
    /// Calls the host refused, answered wrongly, or left without an answer until the deadline. Not counted: a call whose
    /// carrier failed or whose connection was lost meanwhile (the page's network reports the one, `reconnects` the
    /// other), and one that ends after the client was stopped.
    pub failed_calls: u64,
    /// Times an opened session turned into a failed one: its pull failed, or the history does not fit the stream. Not
    /// counted when the carrier of the pull failed, as above.
    pub failed_sessions: u64,
}

impl Counters {
    /// Both together: of two clients, or of a client and what it left.
    pub fn plus(self, other: Self) -> Self {
        Self {
            generations: self.generations + other.generations,
            reconnects: self.reconnects + other.reconnects,
            gap_repairs: self.gap_repairs + other.gap_repairs,
            dropped_frames: self.dropped_frames + other.dropped_frames,
            malformed_frames: self.malformed_frames + other.malformed_frames,
            discontinuous_pages: self.discontinuous_pages + other.discontinuous_pages,
            sink_panics: self.sink_panics + other.sink_panics,
            failed_calls: self.failed_calls + other.failed_calls,
            failed_sessions: self.failed_sessions + other.failed_sessions,
        }
    }
}

/// The counters, shared by every part of one client.
#[derive(Default)]
pub(crate) struct Meter(Cell<Counters>);

impl Meter {
    pub(crate) fn read(&self) -> Counters {
        self.0.get()
    }

    pub(crate) fn add(&self, more: Counters) {
        self.0.set(self.0.get().plus(more));
    }
}
