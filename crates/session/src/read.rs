//! Event data to typed payloads, for both generations of event shapes.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::payload::{KNOWN_TYPES, Payload, PayloadError, TitleSource, TurnEndReason, TurnTrigger};
use crate::{Chunk, Content, Event, Message, MessageSource, Role, Usage};

const REMEDY: &str = "correct the event's data or record the log again";

#[derive(Deserialize)]
struct Turn {
    turn: u64,
    #[serde(default)]
    trigger: Option<TurnTrigger>,
}

#[derive(Deserialize)]
struct TurnEnd {
    turn: u64,
    reason: TurnEndReason,
}

#[derive(Deserialize)]
struct Step {
    turn: u64,
    step: u64,
}

#[derive(Deserialize)]
struct ChunkData {
    turn: u64,
    step: u64,
    chunk: Chunk,
}

/// `message` in the current shape; `content` + `provenance` in the older one.
#[derive(Deserialize)]
struct AssistantData {
    turn: u64,
    step: u64,
    message: Option<Message>,
    content: Option<Vec<Content>>,
    provenance: Option<Map<String, Value>>,
    usage: Option<Usage>,
    #[serde(default)]
    interrupted: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CallData {
    turn: u64,
    step: u64,
    call_id: String,
    name: String,
    arguments: String,
}

/// `message` in the current shape; `callId` + `content` + `isError` in the older one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResultData {
    turn: u64,
    step: u64,
    message: Option<Message>,
    call_id: Option<String>,
    content: Option<Vec<Content>>,
    #[serde(default)]
    is_error: bool,
    meta: Option<Value>,
}

#[derive(Deserialize)]
struct UserData {
    #[serde(default)]
    id: String,
    role: Option<Role>,
    content: Vec<Content>,
    source: MessageSource,
}

#[derive(Deserialize)]
struct HeaderData {
    header: Value,
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TitleData {
    title: String,
    #[serde(default)]
    message_seqs: Vec<u64>,
    source: TitleSource,
}

impl Payload {
    pub(crate) fn read(event: &Event) -> Result<Self, PayloadError> {
        Ok(match event.kind.as_str() {
            "turn/start" => {
                let Turn { turn, trigger } = data(event)?;
                Self::TurnStart { turn, trigger }
            }
            "turn/end" => {
                let TurnEnd { turn, reason } = data(event)?;
                Self::TurnEnd { turn, reason }
            }
            "step/start" => {
                let Step { turn, step } = data(event)?;
                Self::StepStart { turn, step }
            }
            "step/end" => {
                let Step { turn, step } = data(event)?;
                Self::StepEnd { turn, step }
            }
            "user/message" => {
                let UserData { id, role, content, source } = data(event)?;
                Self::UserMessage(Message { id, role: role.unwrap_or(Role::User), content, source })
            }
            "assistant/chunk" => {
                let ChunkData { turn, step, chunk } = data(event)?;
                Self::AssistantChunk { turn, step, chunk }
            }
            "assistant/message" => assistant(event)?,
            "tool/call" => {
                let CallData { turn, step, call_id, name, arguments } = data(event)?;
                Self::ToolCall { turn, step, call_id, name, arguments }
            }
            "tool/result" => result(event)?,
            "request/header" => {
                let HeaderData { header, reason } = data(event)?;
                Self::RequestHeader { header, reason }
            }
            "session/title" => {
                let TitleData { title, message_seqs, source } = data(event)?;
                Self::SessionTitle { title, message_seqs, source }
            }
            "llm/retry" => Self::LlmRetry(event.data.clone()),
            "llm/retry-started" => Self::LlmRetryStarted(event.data.clone()),
            "agent/inbox/spliced" => Self::InboxSpliced(event.data.clone()),
            "session/end-seed" => Self::EndSeed,
            known if KNOWN_TYPES.contains(&known) || event.ignorable => Self::Other(event.data.clone()),
            _ => return Err(error(event, "unknown event type; a newer program wrote this log, update dsh to read it")),
        })
    }
}

fn assistant(event: &Event) -> Result<Payload, PayloadError> {
    let AssistantData { turn, step, message, content, provenance, usage, interrupted } = data(event)?;
    let message = match (message, content) {
        (Some(message), _) => message,
        (None, Some(content)) => Message {
            id: String::new(),
            role: Role::Assistant,
            content,
            source: MessageSource { kind: "provider".to_owned(), facts: provenance.unwrap_or_default() },
        },
        (None, None) => return Err(error(event, &format!("neither `message` nor `content` is there; {REMEDY}"))),
    };
    Ok(Payload::AssistantMessage { turn, step, message, usage, interrupted })
}

fn result(event: &Event) -> Result<Payload, PayloadError> {
    let ResultData { turn, step, message, call_id, content, is_error, meta } = data(event)?;
    let message = match (message, call_id, content) {
        (Some(message), _, _) => message,
        (None, Some(call_id), Some(content)) => Message {
            id: String::new(),
            role: Role::Tool,
            source: MessageSource::new("tool").with("callId", call_id.as_str()),
            content: vec![Content::ToolResult { tool_call_id: call_id, content, is_error }],
        },
        _ => return Err(error(event, &format!("neither `message` nor `callId` with `content` is there; {REMEDY}"))),
    };
    let Some(Content::ToolResult { tool_call_id, content, is_error }) = message.content.first() else {
        return Err(error(event, &format!("the message holds no tool-result part; {REMEDY}")));
    };
    Ok(Payload::ToolResult {
        turn,
        step,
        call_id: tool_call_id.clone(),
        content: content.clone(),
        is_error: *is_error,
        meta,
        message,
    })
}

fn data<T: DeserializeOwned>(event: &Event) -> Result<T, PayloadError> {
    T::deserialize(&event.data).map_err(|detail| error(event, &format!("{detail}; {REMEDY}")))
}

fn error(event: &Event, detail: &str) -> PayloadError {
    PayloadError { seq: event.seq, kind: event.kind.clone(), detail: detail.to_owned() }
}
