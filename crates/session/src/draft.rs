//! Typed payloads to event data.

use serde_json::{Map, Value, json};

use crate::{EventDraft, Payload, SurfaceOp};

impl Payload {
    /// The event that carries this payload, in the current shape. Surface events append.
    ///
    /// # Panics
    /// On [`Payload::Other`], which does not know its event type: build the [`EventDraft`] itself.
    pub fn into_draft(self) -> EventDraft {
        let (kind, data, surface) = match self {
            Self::TurnStart { turn, trigger } => {
                let mut data = object([("turn", json!(turn))]);
                put(&mut data, "trigger", trigger.map(|trigger| json!(trigger)));
                ("turn/start", data.into(), false)
            }
            Self::TurnEnd { turn, reason } => ("turn/end", json!({"turn": turn, "reason": reason}), false),
            Self::StepStart { turn, step } => ("step/start", json!({"turn": turn, "step": step}), false),
            Self::StepEnd { turn, step } => ("step/end", json!({"turn": turn, "step": step}), false),
            Self::UserMessage(message) => ("user/message", json!(message), true),
            Self::AssistantChunk { turn, step, chunk } => {
                ("assistant/chunk", json!({"turn": turn, "step": step, "chunk": chunk}), false)
            }
            Self::AssistantMessage { turn, step, message, usage, interrupted } => {
                let mut data = object([("turn", json!(turn)), ("step", json!(step)), ("message", json!(message))]);
                put(&mut data, "usage", usage.map(|usage| json!(usage)));
                put(&mut data, "interrupted", interrupted.then(|| json!(true)));
                ("assistant/message", data.into(), true)
            }
            Self::ToolCall { turn, step, call_id, name, arguments } => (
                "tool/call",
                json!({"turn": turn, "step": step, "callId": call_id, "name": name, "arguments": arguments}),
                false,
            ),
            Self::ToolResult { turn, step, message, meta, .. } => {
                let mut data = object([("turn", json!(turn)), ("step", json!(step)), ("message", json!(message))]);
                put(&mut data, "meta", meta);
                ("tool/result", data.into(), true)
            }
            Self::RequestHeader { header, reason } => {
                ("request/header", json!({"header": header, "reason": reason}), false)
            }
            Self::SessionTitle { title, message_seqs, source } => {
                ("session/title", json!({"title": title, "messageSeqs": message_seqs, "source": source}), false)
            }
            Self::LlmRetry(data) => ("llm/retry", data, false),
            Self::LlmRetryStarted(data) => ("llm/retry-started", data, false),
            Self::InboxSpliced(data) => ("agent/inbox/spliced", data, false),
            Self::EndSeed => ("session/end-seed", json!({}), false),
            Self::Other(_) => panic!("Payload::Other has no event type of its own"),
        };
        EventDraft {
            kind: kind.to_owned(),
            data,
            surface_op: surface.then_some(SurfaceOp::APPEND),
            source_event_seqs: None,
        }
    }
}

fn object<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn put(data: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        data.insert(key.to_owned(), value);
    }
}
