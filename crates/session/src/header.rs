use serde::{Deserialize, Serialize};

/// The only log version this reader knows.
pub const LOG_VERSION: u32 = 0;

/// The constant `"session"` that marks the first line of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeaderKind {
    /// `"session"`.
    #[default]
    #[serde(rename = "session")]
    Session,
}

/// Line 0 of a log: who the session is. Every other line is an event or a packed row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Header {
    /// Always `"session"`.
    #[serde(rename = "type")]
    pub kind: HeaderKind,
    /// [`LOG_VERSION`].
    pub version: u32,
    /// Session id (a UUID, or a token such as `{{sessionId}}` in a committed fixture).
    pub id: String,
    /// Milliseconds since the Unix epoch.
    pub created_at: i64,
    /// Working directory of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Id of the session this one was forked from or delegated by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_session: Option<String>,
    /// Count of events copied from the parent; own events start at this sequence number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_length: Option<u64>,
    /// `"subagent"` for delegated sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Depth of delegation, 0 for a session a person started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delegation_depth: Option<u32>,
    /// Name of the agent preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_preset: Option<String>,
}

impl Header {
    /// A header of the current version.
    pub fn new(id: impl Into<String>, created_at: i64, cwd: Option<String>) -> Self {
        Self {
            kind: HeaderKind::Session,
            version: LOG_VERSION,
            id: id.into(),
            created_at,
            cwd,
            parent_session: None,
            seed_length: None,
            origin: None,
            delegation_depth: None,
            agent_preset: None,
        }
    }
}
