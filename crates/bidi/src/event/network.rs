//! `network.*` events.

use super::{StackTrace, event};
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
    /// Headers, as far as they are known by then.
    pub headers: Vec<Header>,
    /// Bytes of the body; 0 when there is none.
    pub body_size: Option<u64>,
    /// When what happened.
    pub timings: Timings,
    /// Chrome's finer word for what it is for: `Document`, `Fetch`, `XHR` …
    #[serde(rename = "goog:resourceType")]
    pub goog_resource_type: Option<String>,
    /// The body, which Chrome sends along when it is text.
    #[serde(rename = "goog:postData")]
    pub goog_post_data: Option<String>,
}

/// A header.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Header {
    /// Name, in the sender's letters.
    pub name: String,
    /// Value.
    pub value: BytesValue,
}

/// Bytes that may be text (`network.BytesValue`).
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct BytesValue {
    /// `string` or `base64`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The text, or the bytes in base64.
    pub value: String,
}

/// Times in milliseconds (`network.FetchTimingInfo`): `time_origin` since the epoch, the others since then. 0 is
/// unknown, or no time at all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Timings {
    /// What the others count from.
    pub time_origin: f64,
    /// Name resolution begins.
    pub dns_start: f64,
    /// Name resolution has ended.
    pub dns_end: f64,
    /// The connection is being made.
    pub connect_start: f64,
    /// TLS begins.
    pub tls_start: f64,
    /// The connection is there.
    pub connect_end: f64,
    /// The first byte goes out.
    pub request_start: f64,
    /// The first byte comes in.
    pub response_start: f64,
    /// The last byte comes in.
    pub response_end: f64,
}

/// What started a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Initiator {
    /// The script's calls, for requests of scripts.
    pub stack_trace: Option<StackTrace>,
}

/// The response part.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResponseData {
    /// Address.
    pub url: String,
    /// For example `http/1.1`.
    pub protocol: String,
    /// Headers.
    pub headers: Vec<Header>,
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
#[serde(rename_all = "camelCase")]
pub struct BeforeRequestSent {
    /// Browsing context id; `None` for workers and the browser itself.
    #[serde(default)]
    pub context: Option<String>,
    /// The request.
    pub request: RequestData,
    /// Milliseconds since the epoch.
    #[serde(default)]
    pub timestamp: f64,
    /// User context id.
    #[serde(default)]
    pub user_context: Option<String>,
    /// Whether it waits for [`ContinueRequest`](crate::command::network::ContinueRequest) or another word.
    #[serde(default)]
    pub is_blocked: bool,
    /// The intercepts that made it wait.
    #[serde(default)]
    pub intercepts: Vec<String>,
    /// How many redirects led here.
    #[serde(default)]
    pub redirect_count: u64,
    /// Navigation id, for the requests of documents.
    #[serde(default)]
    pub navigation: Option<String>,
    /// What started it.
    #[serde(default)]
    pub initiator: Option<Initiator>,
}
event!(BeforeRequestSent, "network.beforeRequestSent");

/// A response has been read to its end.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseCompleted {
    /// Browsing context id.
    #[serde(default)]
    pub context: Option<String>,
    /// User context id.
    #[serde(default)]
    pub user_context: Option<String>,
    /// How many redirects led here.
    #[serde(default)]
    pub redirect_count: u64,
    /// The request.
    pub request: RequestData,
    /// The response.
    pub response: ResponseData,
}
event!(ResponseCompleted, "network.responseCompleted");

/// A response's head has come.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResponseStarted {
    /// Browsing context id.
    #[serde(default)]
    pub context: Option<String>,
    /// User context id.
    #[serde(default)]
    pub user_context: Option<String>,
    /// How many redirects led here.
    #[serde(default)]
    pub redirect_count: u64,
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
    /// User context id.
    #[serde(default)]
    pub user_context: Option<String>,
    /// How many redirects led here.
    #[serde(default)]
    pub redirect_count: u64,
    /// The request.
    pub request: RequestData,
    /// For example `net::ERR_CONNECTION_REFUSED`.
    pub error_text: String,
}
event!(FetchError, "network.fetchError");
