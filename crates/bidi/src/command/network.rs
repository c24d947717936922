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
    /// The body, a `network.BytesValue`; empty when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
}
command!(ProvideResponse, "network.provideResponse" => Empty);

/// Takes an intercept away. What it holds stays held until it is told how to go on.
#[derive(Debug, Clone, Serialize)]
pub struct RemoveIntercept {
    /// Its id.
    pub intercept: String,
}
command!(RemoveIntercept, "network.removeIntercept" => Empty);

/// Lets a held request go out, changed or not.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ContinueRequest {
    /// Request id.
    pub request: String,
    /// Another address; the page does not see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Another method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// All headers, in place of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<Vec<Header>>,
    /// Another body, a `network.BytesValue`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
}
command!(ContinueRequest, "network.continueRequest" => Empty);

/// Lets a held request fail as if there were no network.
#[derive(Debug, Clone, Serialize)]
pub struct FailRequest {
    /// Request id.
    pub request: String,
}
command!(FailRequest, "network.failRequest" => Empty);

/// Keeps bodies, so that [`GetData`] can give them.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddDataCollector {
    /// Of what.
    pub data_types: Vec<DataType>,
    /// Bytes a body may have, encoded as it was sent; longer ones are not kept.
    pub max_encoded_data_size: u64,
}
command!(AddDataCollector, "network.addDataCollector" => Collector);

/// Which body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DataType {
    /// What was sent.
    Request,
    /// What was answered.
    Response,
}

/// Result of [`AddDataCollector`].
#[derive(Debug, Clone, Deserialize)]
pub struct Collector {
    /// Id to remove it with.
    pub collector: String,
}

/// Gives a body that was kept.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetData {
    /// Which.
    pub data_type: DataType,
    /// Request id.
    pub request: String,
}
command!(GetData, "network.getData" => Data);

/// Result of [`GetData`].
#[derive(Debug, Clone, Deserialize)]
pub struct Data {
    /// The body.
    pub bytes: crate::event::network::BytesValue,
}
