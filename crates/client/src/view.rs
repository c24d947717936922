//! What the interface reads.

use std::rc::Rc;

use crate::Row;

/// State of the connection to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionState {
    /// Before `start` and after `stop`.
    Stopped,
    /// The first attempt is under way.
    Connecting,
    /// Both streams are open, the host has described itself, both lists are there.
    Connected,
    /// The connection was lost or could not be made.
    Reconnecting {
        /// Attempts that failed since the last success, from 1.
        attempt: u32,
    },
}

/// How far a session is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Not opened.
    Cold,
    /// Opened; its first page has not come yet.
    Loading,
    /// Its window is there and follows the host.
    Ready,
    /// It could not be loaded or repaired; says why and what to do. `open` tries again.
    Failed(String),
}

/// One opened session at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionView {
    /// Session id.
    pub id: String,
    /// Title, where one was given.
    pub title: Option<String>,
    /// How far it is loaded.
    pub phase: Phase,
    /// The transcript of the loaded window, then what is being streamed, then prompts not yet durable.
    pub rows: Vec<Rc<Row>>,
    /// A turn is open, or a prompt of this connection was sent and its turn has not begun.
    pub running: bool,
    /// Sequence number of the last event in `rows`; -1 when there is none.
    pub applied_seq: i64,
    /// There are events before the window.
    pub has_more: bool,
    /// An older page is on its way.
    pub loading_older: bool,
    /// The last cancel or older page that failed; cleared by the next one that works.
    pub problem: Option<String>,
}
