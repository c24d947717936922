use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Chunk, Content, Message, MessageSource, Usage};

/// Event types this reader knows. A log with another type that is not marked `ignorable` is refused.
pub const KNOWN_TYPES: &[&str] = &[
    "agent-preset/selected",
    "agent/inbox/spliced",
    "approval/asked",
    "approval/decided",
    "approval/policy",
    "assistant/chunk",
    "assistant/message",
    "command/done",
    "command/run",
    "compaction/end",
    "compaction/prune",
    "compaction/start",
    "compaction/summary",
    "feedback/record",
    "goal/change",
    "llm/retry",
    "llm/retry-started",
    "permission/preset",
    "plan/mode",
    "request/context",
    "request/header",
    "sandbox/mode",
    "session/end-seed",
    "session/title",
    "step/end",
    "step/start",
    "subagent/descriptor",
    "todo/write",
    "tool-workflow/agent-end",
    "tool-workflow/agent-start",
    "tool-workflow/run-end",
    "tool-workflow/run-start",
    "tool/call",
    "tool/code-dispatch",
    "tool/code-dispatch-start",
    "tool/result",
    "turn/end",
    "turn/start",
    "user/message",
];

/// What started a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnTrigger {
    /// `message`, `goal`, …
    pub kind: String,
    /// Source of the triggering message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<MessageSource>,
}

/// A failure as the log and the wire carry it. Never holds a credential.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// What went wrong, safe to show.
    pub message: String,
    /// Stable code such as `AUTH`, `RATE_LIMIT`, `SERVER`, `TRANSPORT`.
    pub code: String,
    /// HTTP status of the provider, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The provider's `retry-after` in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_retry_after_ms: Option<u64>,
    /// The provider's request id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TurnEndReason {
    /// The model finished its answer.
    Completed,
    /// Cancelled; `reason.kind` says by whom (`user`, `parent`, `hook`, `disposed`).
    Aborted {
        /// Who cancelled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<Value>,
    },
    /// A hook refused the turn.
    Blocked,
    /// A failure ended it.
    Error {
        /// The failure.
        error: Failure,
    },
    /// The output limit was reached.
    MaxTokens,
    /// Closed by repair after a crash.
    Interrupted,
}

/// Where a session title came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum TitleSource {
    /// First words of the first prompt.
    Fallback,
    /// A model wrote it.
    Provider,
    /// A person wrote it; later sources do not replace it.
    User,
}

/// The typed view of an event's `data`.
#[derive(Clone, Debug, PartialEq)]
pub enum Payload {
    /// A turn begins.
    TurnStart {
        /// Turn number, from 1.
        turn: u64,
        /// What started it.
        trigger: Option<TurnTrigger>,
    },
    /// A turn is over.
    TurnEnd {
        /// Turn number.
        turn: u64,
        /// How.
        reason: TurnEndReason,
    },
    /// One model call and its tools begin.
    StepStart {
        /// Turn number.
        turn: u64,
        /// Step number inside the turn, from 1.
        step: u64,
    },
    /// The step is over.
    StepEnd {
        /// Turn number.
        turn: u64,
        /// Step number.
        step: u64,
    },
    /// A message the model reads as the user's.
    UserMessage(Message),
    /// One streamed piece.
    AssistantChunk {
        /// Turn number.
        turn: u64,
        /// Step number.
        step: u64,
        /// The piece.
        chunk: Chunk,
    },
    /// The whole answer of one model call.
    AssistantMessage {
        /// Turn number.
        turn: u64,
        /// Step number.
        step: u64,
        /// The answer.
        message: Message,
        /// Token counts.
        usage: Option<Usage>,
        /// Only the prefix that was shown before a cancel.
        interrupted: bool,
    },
    /// A tool is about to run.
    ToolCall {
        /// Turn number.
        turn: u64,
        /// Step number.
        step: u64,
        /// Call id.
        call_id: String,
        /// Tool name.
        name: String,
        /// Raw JSON argument text.
        arguments: String,
    },
    /// What the tool gave back.
    ToolResult {
        /// Turn number.
        turn: u64,
        /// Step number.
        step: u64,
        /// Call id.
        call_id: String,
        /// Result parts.
        content: Vec<Content>,
        /// The tool reports a failure.
        is_error: bool,
        /// The message as the model reads it.
        message: Message,
        /// Facts for the reader (exit code, duration, …), not for the model.
        meta: Option<Value>,
    },
    /// The request's constant part, when it changed. `header` is kept as read.
    RequestHeader {
        /// `{config{provider, model, …}, system?, tools?}`.
        header: Value,
        /// `initial`, `resume` or `change`.
        reason: String,
    },
    /// The session's title.
    SessionTitle {
        /// The title.
        title: String,
        /// Messages it was made from.
        message_seqs: Vec<u64>,
        /// Who made it.
        source: TitleSource,
    },
    /// A retry is scheduled. Data kept as read: `{retryId, turn, step, provider, retry, maxRetries?, delayMs, failure}`.
    LlmRetry(Value),
    /// The scheduled retry starts: `{retryId, turn, step, retry}`.
    LlmRetryStarted(Value),
    /// Change of the inbox: `{target, start, removedCount?, inserted[], outcome?}`.
    InboxSpliced(Value),
    /// End of what was copied or seeded.
    EndSeed,
    /// A known type that nothing here reads yet; its data as read.
    Other(Value),
}

/// An event whose data does not have the shape of its type.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
#[error("event {seq} ({kind}): {detail}")]
pub struct PayloadError {
    /// Sequence number of the event.
    pub seq: u64,
    /// Event type.
    pub kind: String,
    /// What does not fit.
    pub detail: String,
}
