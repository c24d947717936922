//! The client's state as data, for the lane's barriers and guards and for failure reports.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{ConnectionState, Counters};

/// The whole state at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostics {
    /// State of the connection.
    pub connection: ConnectionName,
    /// Number of the current generation, from 1; 0 before the first.
    pub generation: u64,
    /// What was counted.
    pub counters: Counters,
    /// Why the last generation ended, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_loss: Option<String>,
    /// Why the last malformed frame was malformed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_malformed: Option<String>,
    /// The selected session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<String>,
    /// Every opened session.
    pub sessions: BTreeMap<String, SessionDiagnostics>,
    /// Changes wait for their microtask or frame.
    pub publication_pending: bool,
    /// Calls without an answer yet.
    pub pending_calls: usize,
}

/// [`ConnectionState`] as one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the words of `ConnectionState`")]
pub enum ConnectionName {
    Stopped,
    Connecting,
    Connected,
    Reconnecting,
}

impl From<ConnectionState> for ConnectionName {
    fn from(state: ConnectionState) -> Self {
        match state {
            ConnectionState::Stopped => Self::Stopped,
            ConnectionState::Connecting => Self::Connecting,
            ConnectionState::Connected => Self::Connected,
            ConnectionState::Reconnecting { .. } => Self::Reconnecting,
        }
    }
}

/// One opened session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionDiagnostics {
    /// `cold`, `loading`, `ready`, `failed`.
    pub phase: Cow<'static, str>,
    /// Last applied sequence number, -1 for none.
    pub applied_seq: i64,
    /// A turn is open.
    pub running: bool,
    /// Rows shown.
    pub rows: usize,
}
