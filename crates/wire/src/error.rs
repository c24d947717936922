use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Stable error codes. Each has its own shape of `details`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// The envelope or the payload does not fit; `details.issues` is a list of texts.
    BadRequest,
    /// The caller gave up.
    Cancelled,
    /// `details.sessionId` names no session.
    SessionNotFound,
    /// The id is taken with other facts; `details.sessionId`.
    SessionConflict,
    /// No model serves this session; `details.provider`, `details.model`.
    ModelUnavailable,
    /// `details.workspaceId` names no workspace.
    WorkspaceNotFound,
    /// `details.path` is not a usable directory.
    WorkspaceInvalidPath,
    /// The host itself failed; `details` is empty.
    Internal,
}

/// An error answer of the host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message} ({code:?})")]
pub struct RpcError {
    /// Stable code.
    pub code: ErrorCode,
    /// What went wrong and what to do, for a person.
    pub message: String,
    /// Facts of the code.
    pub details: Value,
}

impl RpcError {
    /// A payload or envelope that does not fit.
    pub fn bad_request(issues: Vec<String>) -> Self {
        Self {
            code: ErrorCode::BadRequest,
            message: format!("the request does not fit: {}", issues.join("; ")),
            details: json!({"issues": issues}),
        }
    }

    /// An id that names no session; echoes it.
    pub fn session_not_found(session_id: &str) -> Self {
        Self {
            code: ErrorCode::SessionNotFound,
            message: format!("there is no session {session_id}; reload the list"),
            details: json!({"sessionId": session_id}),
        }
    }

    /// The host itself failed.
    pub fn internal(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::Internal, message: message.into(), details: json!({}) }
    }
}
