use serde_json::{Value, json};

use crate::{
    Chunk, Content, Event, EventDraft, Message, MessageSource, Payload, Role, TurnEndReason, delivered_prefix,
};

/// Error code of the result given to a tool call that a crash kept from starting.
pub const TOOL_NOT_STARTED: &str = "TOOL_NOT_STARTED";
/// Error code of the result given to a tool call that had started, with an outcome nobody saw.
pub const OUTCOME_UNKNOWN: &str = "TOOL_OUTCOME_UNKNOWN";

/// What closes the turn a crash left open; empty when none is open.
///
/// In order: the delivered prefix of an unfinished answer as an interrupted `assistant/message`; for each tool call
/// without a result a synthetic one, whose wording and code tell "not started" from "outcome unknown" (a call that had
/// not started gets its `tool/call` too, so that every result has one); `step/end`; `turn/end` interrupted.
///
/// `events` is a whole log; the drafts take the sequence numbers right after it.
pub fn balance(events: &[Event]) -> Vec<EventDraft> {
    let Some(open) = OpenTurn::of(events) else { return Vec::new() };
    let mut drafts = Vec::new();
    if let Some((turn, step)) = open.step {
        if !open.answered {
            drafts.extend(interrupted_answer(events, &open, turn, step));
        }
        for call in &open.unanswered {
            let next = events.len() as u64 + drafts.len() as u64;
            let call_seq = call.seq.unwrap_or(next);
            if call.seq.is_none() {
                let PendingCall { id, name, arguments, .. } = call;
                let (call_id, name, arguments) = (id.clone(), name.clone(), arguments.clone());
                drafts.push(Payload::ToolCall { turn, step, call_id, name, arguments }.into_draft());
            }
            let message_seq = events.len() as u64 + drafts.len() as u64;
            drafts.push(synthetic_result(turn, step, call, message_seq).derived_from(vec![call_seq]));
        }
        drafts.push(Payload::StepEnd { turn, step }.into_draft());
    }
    drafts.push(Payload::TurnEnd { turn: open.turn, reason: TurnEndReason::Interrupted }.into_draft());
    drafts
}

/// The turn without an end, and how far its open step got.
#[derive(Default)]
struct OpenTurn {
    turn: u64,
    step: Option<(u64, u64)>,
    /// The step has its `assistant/message`.
    answered: bool,
    /// Chunks of the attempt that was under way: index in the log and content.
    chunks: Vec<(u64, Chunk)>,
    unanswered: Vec<PendingCall>,
}

struct PendingCall {
    id: String,
    name: String,
    arguments: String,
    /// Its `tool/call`, where it was recorded: the tool may have run.
    seq: Option<u64>,
}

impl OpenTurn {
    fn of(events: &[Event]) -> Option<Self> {
        let start = events.iter().rposition(|event| matches!(event.kind.as_str(), "turn/start" | "turn/end"))?;
        let Ok(Payload::TurnStart { turn, .. }) = events[start].payload() else { return None };
        let mut open = Self { turn, ..Self::default() };
        for event in &events[start..] {
            if let Ok(payload) = event.payload() {
                open.apply(event.seq, payload);
            }
        }
        Some(open)
    }

    fn apply(&mut self, seq: u64, payload: Payload) {
        match payload {
            Payload::StepStart { turn, step } => *self = Self { turn, step: Some((turn, step)), ..Self::default() },
            Payload::StepEnd { turn, .. } => *self = Self { turn, ..Self::default() },
            // A failed attempt derives nothing: what it streamed is not part of the answer.
            Payload::LlmRetry(_) | Payload::LlmRetryStarted(_) => self.chunks.clear(),
            Payload::AssistantChunk { chunk, .. } => self.chunks.push((seq, chunk)),
            Payload::AssistantMessage { message, .. } => {
                self.answered = true;
                self.unanswered.extend(message.content.into_iter().filter_map(|part| match part {
                    Content::ToolCall { id, name, arguments } => Some(PendingCall { id, name, arguments, seq: None }),
                    _ => None,
                }));
            }
            Payload::ToolCall { call_id: id, name, arguments, .. } => {
                match self.unanswered.iter_mut().find(|call| call.id == id) {
                    Some(call) => call.seq = Some(seq),
                    None => self.unanswered.push(PendingCall { id, name, arguments, seq: Some(seq) }),
                }
            }
            Payload::ToolResult { call_id, .. } => self.unanswered.retain(|call| call.id != call_id),
            _ => {}
        }
    }
}

fn interrupted_answer(events: &[Event], open: &OpenTurn, turn: u64, step: u64) -> Option<EventDraft> {
    let content = delivered_prefix(open.chunks.iter().map(|(_, chunk)| chunk));
    if content.is_empty() {
        return None;
    }
    let mut source = MessageSource::new("model");
    let config =
        events.iter().rev().find(|event| event.kind == "request/header").map(|event| &event.data["header"]["config"]);
    for key in ["provider", "model"] {
        if let Some(value) = config.and_then(|config| config.get(key)).and_then(Value::as_str) {
            source = source.with(key, value);
        }
    }
    let message = Message { id: repair_id(events.len() as u64), role: Role::Assistant, content, source };
    let sources = open.chunks.iter().map(|(seq, _)| *seq).collect();
    let answer = Payload::AssistantMessage { turn, step, message, usage: None, interrupted: true };
    Some(answer.into_draft().derived_from(sources))
}

fn synthetic_result(turn: u64, step: u64, call: &PendingCall, seq: u64) -> EventDraft {
    let (code, text) = if call.seq.is_some() {
        (
            OUTCOME_UNKNOWN,
            "The program stopped while this tool was running. Its outcome is unknown: check what it changed before \
             running it again.",
        )
    } else {
        (
            TOOL_NOT_STARTED,
            "The program stopped before this tool started. Nothing was run; call it again if it is still needed.",
        )
    };
    let content = vec![Content::text(text)];
    let message = Message {
        id: repair_id(seq),
        role: Role::Tool,
        content: vec![Content::ToolResult { tool_call_id: call.id.clone(), content: content.clone(), is_error: true }],
        source: MessageSource::new("tool").with("callId", call.id.as_str()),
    };
    let call_id = call.id.clone();
    let mut draft =
        Payload::ToolResult { turn, step, call_id, content, is_error: true, message, meta: None }.into_draft();
    draft.data["error"] = json!({"name": "InterruptedError", "code": code});
    draft
}

/// Message ids of repair come from the place in the log: nothing random, so that reading twice gives the same log.
fn repair_id(seq: u64) -> String {
    format!("repair-{seq}")
}
