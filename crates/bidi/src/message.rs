//! What comes in on the socket: replies, errors and events (BiDi section "Protocol").

use crate::error::excerpt;
use crate::event::Event;
use serde_json::Value;

/// One message from the remote end.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// The reply to a command.
    Reply { id: u64, outcome: Outcome },
    /// An error that names no command, sent when the remote end could not read one.
    OrphanError(RemoteError),
    /// An event.
    Event(Event),
    /// A well-formed message of a kind this crate does not know. Tolerated.
    Unknown,
}

/// How a command ended.
pub(crate) type Outcome = Result<Value, RemoteError>;

/// An error as the remote end sent it.
#[derive(Debug)]
pub(crate) struct RemoteError {
    pub(crate) code: String,
    pub(crate) message: String,
}

impl Incoming {
    /// Reads one message. `Err` says why it is not one; nothing after it can be trusted.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let malformed = |why: String| format!("malformed message: {why}; got {}", excerpt(text));
        let value: Value = serde_json::from_str(text).map_err(|e| malformed(e.to_string()))?;
        let Value::Object(mut message) = value else {
            return Err(malformed("not a JSON object".into()));
        };
        let id = message.get("id").and_then(Value::as_u64);
        if message.contains_key("error") {
            let mut text = |key| match message.remove(key) {
                Some(Value::String(text)) => text,
                _ => String::new(),
            };
            let error = RemoteError { code: text("error"), message: text("message") };
            return Ok(match id {
                Some(id) => Self::Reply { id, outcome: Err(error) },
                None => Self::OrphanError(error),
            });
        }
        if let Some(id) = id {
            let result = message.remove("result").unwrap_or(Value::Null);
            return Ok(Self::Reply { id, outcome: Ok(result) });
        }
        match (message.remove("method"), message.remove("params")) {
            (Some(Value::String(method)), params) => {
                Ok(Self::Event(Event { method, params: params.unwrap_or(Value::Null) }))
            }
            _ => Ok(Self::Unknown),
        }
    }
}
