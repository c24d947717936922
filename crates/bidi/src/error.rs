//! The one error type of this crate.

use std::sync::Arc;
use std::time::Duration;

/// Result of anything in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong on a BiDi connection.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The websocket could not be opened.
    #[error("cannot open the BiDi websocket {url}: {reason}; check that the driver is still running")]
    Connect {
        /// The address asked for.
        url: String,
        /// What the socket said.
        reason: String,
    },
    /// The connection has ended: pending commands fail with this, later ones are refused with it.
    #[error("{method} failed: the BiDi connection has ended ({reason}); start a new session")]
    Closed {
        /// The command that was pending or refused.
        method: String,
        /// Why the connection ended. The same words for every command.
        reason: Arc<str>,
    },
    /// The remote end answered with an error.
    #[error("{method} was refused: {code}: {message}")]
    Refused {
        /// The command.
        method: String,
        /// BiDi error code such as `no such frame`. Codes unknown to this crate are passed through.
        code: String,
        /// The remote end's explanation.
        message: String,
    },
    /// No reply within the deadline. The command may still take effect; its late reply is dropped.
    #[error("{method} got no reply within {deadline:?}{orphan}; the browser is busy or the page blocks it ({stuck})")]
    Deadline {
        /// The command.
        method: String,
        /// How long was waited.
        deadline: Duration,
        /// How far the command got, and when the remote end was last heard of.
        stuck: String,
        /// Empty, or an error the remote end sent without naming the command it belongs to.
        orphan: String,
    },
    /// A reply or an event does not have the shape this crate expects.
    #[error("{method}: unexpected shape: {reason}; got {excerpt}")]
    Shape {
        /// The command or event.
        method: String,
        /// What serde missed.
        reason: String,
        /// The first characters of what came.
        excerpt: String,
    },
}

/// The first characters of `text`, for messages: long enough to recognise, short enough to print.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
    }
}
