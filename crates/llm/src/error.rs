use serde::{Deserialize, Serialize};
use session::Failure;

/// Stable codes of failed model calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LlmErrorCode {
    /// Cancelled by the caller.
    Aborted,
    /// The credential is missing or refused.
    Auth,
    /// The provider refused the request itself.
    BadRequest,
    /// The answer ended without any content.
    EmptyResponse,
    /// No route for this provider and model.
    ModelUnavailable,
    /// Too many requests.
    RateLimit,
    /// The replay script does not answer this call (exhausted, unbound, no fixture).
    Replay,
    /// The provider failed (5xx).
    Server,
    /// No byte for too long.
    Timeout,
    /// The connection failed or broke, or the stream was not what the protocol says.
    Transport,
}

impl LlmErrorCode {
    /// The code as it stands in logs and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Aborted => "ABORTED",
            Self::Auth => "AUTH",
            Self::BadRequest => "BAD_REQUEST",
            Self::EmptyResponse => "EMPTY_RESPONSE",
            Self::ModelUnavailable => "MODEL_UNAVAILABLE",
            Self::RateLimit => "RATE_LIMIT",
            Self::Replay => "REPLAY",
            Self::Server => "SERVER",
            Self::Timeout => "TIMEOUT",
            Self::Transport => "TRANSPORT",
        }
    }
}

/// A failed model call. The message never holds a credential.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message} ({})", code.as_str())]
pub struct LlmError {
    /// Stable code.
    pub code: LlmErrorCode,
    /// What went wrong, safe to show.
    pub message: String,
    /// HTTP status of the provider.
    pub status: Option<u16>,
    /// The provider's request id.
    pub request_id: Option<String>,
    /// The provider's `retry-after` in milliseconds.
    pub retry_after_ms: Option<u64>,
}

impl LlmError {
    /// An error with a code and a message only.
    pub fn new(code: LlmErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), status: None, request_id: None, retry_after_ms: None }
    }
}

impl From<LlmError> for Failure {
    fn from(error: LlmError) -> Self {
        Self {
            message: error.message,
            code: error.code.as_str().to_owned(),
            status: error.status,
            provider_retry_after_ms: error.retry_after_ms,
            request_id: error.request_id,
        }
    }
}
