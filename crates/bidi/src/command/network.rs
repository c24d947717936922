//! `network.*` commands.

use super::{Empty, Scope, command};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Adds headers to every request of the pages; an empty list takes them away again.
#[derive(Debug, Clone, Serialize)]
pub struct SetExtraHeaders {
    /// The headers.
    pub headers: Vec<Header>,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetExtraHeaders, "network.setExtraHeaders" => Empty);

/// A header.
#[derive(Debug, Clone, Serialize)]
pub struct Header {
    /// Name.
    pub name: String,
    /// A `network.BytesValue`, such as `{"type": "string", "value": "yes"}`.
    pub value: Value,
}

/// Holds requests back until they are told how to go on.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddIntercept {
    /// When.
    pub phases: Vec<InterceptPhase>,
    /// Only of these windows and tabs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<String>,
}
command!(AddIntercept, "network.addIntercept" => Intercept);

/// A moment in the life of a request.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum InterceptPhase {
    /// Before it goes out.
    BeforeRequestSent,
}

/// Result of [`AddIntercept`].
#[derive(Debug, Clone, Deserialize)]
pub struct Intercept {
    /// Id to remove it with.
    pub intercept: String,
}

/// Answers a request in the server's place.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvideResponse {
    /// Request id.
    pub request: String,
    /// HTTP status.
    pub status_code: u16,
    /// Headers.
    pub headers: Vec<Header>,
}
command!(ProvideResponse, "network.provideResponse" => Empty);
