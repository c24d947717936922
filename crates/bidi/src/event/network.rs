//! `network.*` events.

use super::event;
use serde::Deserialize;

/// The request part every network event has.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RequestData {
    /// Request id; the same through redirects.
    pub request: String,
    /// Address.
    pub url: String,
    /// HTTP method.
    pub method: String,
    /// What starts it: `fetch`, `script`, `other` … Not always known.
    pub initiator_type: Option<String>,
    /// What it is for: `document`, `script`, empty for fetch.
    pub destination: Option<String>,
}

/// The response part.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResponseData {
    /// HTTP status.
    pub status: u16,
    /// HTTP reason phrase.
    pub status_text: String,
    /// MIME type.
    pub mime_type: String,
    /// Whether no network was used.
    pub from_cache: bool,
}

/// A request goes out.
#[derive(Debug, Clone, Deserialize)]
pub struct BeforeRequestSent {
    /// Browsing context id; `None` for workers and the browser itself.
    #[serde(default)]
    pub context: Option<String>,
    /// The request.
    pub request: RequestData,
    /// Milliseconds since the epoch.
    #[serde(default)]
    pub timestamp: f64,
}
event!(BeforeRequestSent, "network.beforeRequestSent");

/// A response has been read to its end.
#[derive(Debug, Clone, Deserialize)]
pub struct ResponseCompleted {
    /// Browsing context id.
    #[serde(default)]
    pub context: Option<String>,
    /// The request.
    pub request: RequestData,
    /// The response.
    pub response: ResponseData,
}
event!(ResponseCompleted, "network.responseCompleted");

/// A response's head has come.
#[derive(Debug, Clone, Deserialize)]
pub struct ResponseStarted {
    /// Browsing context id.
    #[serde(default)]
    pub context: Option<String>,
    /// The request.
    pub request: RequestData,
    /// The response.
    pub response: ResponseData,
}
event!(ResponseStarted, "network.responseStarted");

/// A request failed below HTTP: refused, reset, blocked, aborted.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FetchError {
    /// Browsing context id.
    #[serde(default)]
    pub context: Option<String>,
    /// The request.
    pub request: RequestData,
    /// For example `net::ERR_CONNECTION_REFUSED`.
    pub error_text: String,
}
event!(FetchError, "network.fetchError");
