use serde::{Deserialize, Serialize};
use serde_json::Value;
use session::Event;

use crate::{EnvelopeKind, ServerRequest, SessionSummary, WorkspaceSummary, new_rpc_id};

/// Path of the stream of session frames.
pub const MUX_STREAM_PATH: &str = "/api/events.mux";
/// Path of the stream of host frames.
pub const HOST_STREAM_PATH: &str = "/api/events.host";

/// Frames of `events.mux`: what happens inside sessions. On open: `session/subscribed` for every attached session,
/// then live.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "payload", rename_all_fields = "camelCase")]
pub enum MuxFrame {
    /// The stream carries this session from here on; its log ends at `last_seq` (-1: empty).
    #[serde(rename = "session/subscribed")]
    Subscribed {
        /// Session id.
        session_id: String,
        /// Last sequence number, -1 for an empty log.
        last_seq: i64,
    },
    /// One new event.
    #[serde(rename = "session/event")]
    Event {
        /// Session id.
        session_id: String,
        /// The event.
        event: Event,
    },
    /// The stream cannot go on.
    #[serde(rename = "stream/error")]
    Error {
        /// Why, for a person.
        message: String,
    },
}

/// Frames of `events.host`: what happens around sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", content = "payload", rename_all_fields = "camelCase")]
pub enum HostFrame {
    /// A session came to be, or its list row changed (title, blank, time). Whole row.
    #[serde(rename = "host/session-changed")]
    SessionChanged(SessionSummary),
    /// A turn opened or closed.
    #[serde(rename = "host/session-status")]
    SessionStatus {
        /// Session id.
        session_id: String,
        /// A turn is open.
        running: bool,
    },
    /// The agent failed outside a turn.
    #[serde(rename = "host/agent-error")]
    AgentError {
        /// Session id.
        session_id: String,
        /// Safe to show.
        message: String,
    },
    /// A workspace changed. Whole row.
    #[serde(rename = "host/workspace-changed")]
    WorkspaceChanged(WorkspaceSummary),
    /// The stream cannot go on.
    #[serde(rename = "stream/error")]
    Error {
        /// Why, for a person.
        message: String,
    },
}

fn envelope(frame: Value) -> ServerRequest {
    let Value::Object(mut fields) = frame else { unreachable!("an adjacently tagged enum is an object") };
    let method = fields.remove("method").and_then(|method| method.as_str().map(str::to_owned)).unwrap_or_default();
    let payload = fields.remove("payload").unwrap_or(Value::Null);
    ServerRequest { kind: EnvelopeKind::ServerRequest, rpc_id: new_rpc_id(), method, payload }
}

fn frame_of<T: serde::de::DeserializeOwned>(envelope: ServerRequest) -> Result<T, serde_json::Error> {
    serde_json::from_value(serde_json::json!({"method": envelope.method, "payload": envelope.payload}))
}

macro_rules! carried {
    ($frame:ty) => {
        impl $frame {
            /// The frame in an envelope with a fresh id.
            pub fn into_envelope(self) -> ServerRequest {
                envelope(serde_json::to_value(self).expect("frames serialize"))
            }

            /// The frame an envelope carries.
            pub fn from_envelope(envelope: ServerRequest) -> Result<Self, serde_json::Error> {
                frame_of(envelope)
            }
        }
    };
}

carried!(MuxFrame);
carried!(HostFrame);
