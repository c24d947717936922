//! Rows of a transcript: what a reader sees, one below the other.

use session::Usage;

/// One row. `key` is unique in the transcript and stays the same from the first streamed piece to the durable form, so
/// that a list keyed by it keeps its elements. A row that did not change keeps its `Rc`.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// What a person wrote.
    User {
        /// Stable key.
        key: String,
        /// The text, raw.
        text: String,
        /// Milliseconds since the Unix epoch.
        time: i64,
        /// Sent, but not yet in the log.
        pending: bool,
    },
    /// The model's reasoning.
    Thinking {
        /// Stable key.
        key: String,
        /// The text so far.
        text: String,
        /// More is coming.
        streaming: bool,
    },
    /// The model's visible text.
    Text {
        /// Stable key.
        key: String,
        /// Raw Markdown so far.
        markdown: String,
        /// More is coming.
        streaming: bool,
    },
    /// A tool call with what came of it.
    Tool {
        /// Stable key.
        key: String,
        /// Call id.
        call_id: String,
        /// Tool name. `None` while the stream has not named it, and for a result whose call lies before the loaded
        /// window.
        name: Option<String>,
        /// Raw JSON argument text so far, as the model wrote it.
        arguments: String,
        /// The arguments are still being written.
        streaming: bool,
        /// The tool runs.
        running: bool,
        /// What it gave back.
        result: Option<ToolResultView>,
        /// When it started, milliseconds since the Unix epoch. `None` before the start, or when that lies before the
        /// loaded window.
        started: Option<i64>,
        /// When its result came.
        ended: Option<i64>,
    },
    /// A failed model call that is made again.
    Retry {
        /// Stable key.
        key: String,
        /// Which retry, from 1.
        retry: u64,
        /// Most retries, where limited.
        max: Option<u64>,
        /// Wait before it, milliseconds.
        delay_ms: u64,
        /// Why the call failed.
        message: String,
        /// The wait is over.
        done: bool,
    },
    /// The turn failed.
    Failure {
        /// Stable key.
        key: String,
        /// Why, safe to show.
        message: String,
        /// Stable code such as `AUTH`.
        code: String,
    },
    /// The turn was cancelled.
    Stopped {
        /// Stable key.
        key: String,
    },
    /// Something the reader should know of.
    Notice {
        /// Stable key.
        key: String,
        /// What it is; the words are the interface's.
        kind: NoticeKind,
        /// Raw text that belongs to it; may be empty, may be long.
        text: String,
    },
    /// End of a turn.
    TurnFooter {
        /// Stable key.
        key: String,
        /// Turn number.
        turn: u64,
        /// When it began, milliseconds since the Unix epoch; `None` when that lies before the loaded window.
        started_at: Option<i64>,
        /// When it ended.
        ended_at: i64,
        /// Token counts of its model calls, summed.
        usage: Option<Usage>,
        /// The last visible text of the turn, for Copy.
        text: String,
    },
}

/// What a tool gave back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResultView {
    /// Its text parts joined.
    pub text: String,
    /// The tool reports a failure.
    pub is_error: bool,
}

/// Kinds of [`Row::Notice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeKind {
    /// A message put into the conversation for the model by something other than the person; `producer` names it.
    Context {
        /// Plugin name, or the kind of source.
        producer: String,
    },
    /// What the model sees of the history above was replaced by a shorter text.
    Compacted,
    /// A hook refused the turn.
    Blocked,
    /// The turn ended at the output limit.
    OutputLimit,
    /// The host ended in the middle of the turn; it was closed on the next start.
    Interrupted,
    /// An event that can't be read; `text` says which and why.
    Unreadable,
}

impl Row {
    /// The row's stable key.
    pub fn key(&self) -> &str {
        match self {
            Self::User { key, .. }
            | Self::Thinking { key, .. }
            | Self::Text { key, .. }
            | Self::Tool { key, .. }
            | Self::Retry { key, .. }
            | Self::Failure { key, .. }
            | Self::Stopped { key }
            | Self::Notice { key, .. }
            | Self::TurnFooter { key, .. } => key,
        }
    }
}
