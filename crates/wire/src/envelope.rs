use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::RpcError;

/// Echoed as `rpcId` when the request was too broken to read its own.
pub const INVALID_REQUEST_ID: &str = "invalid-request";

/// A fresh request id: UUID v4 from the system's random source, which in a page also works on insecure origins.
pub fn new_rpc_id() -> String {
    uuid::Uuid::new_v4().to_string()
}

/// Constants of the `type` field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EnvelopeKind {
    /// Page to host.
    ClientRequest,
    /// The host's answer to it.
    ServerResponse,
    /// Host to page: one frame of a stream.
    ServerRequest,
    /// The page's answer to an answerable frame.
    ClientResponse,
}

/// A call from the page. `method` equals the last part of the path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientRequest {
    /// [`EnvelopeKind::ClientRequest`].
    #[serde(rename = "type")]
    pub kind: EnvelopeKind,
    /// Minted by the page, echoed by the host.
    pub rpc_id: String,
    /// Method name such as `session.list`.
    pub method: String,
    /// The method's payload.
    pub payload: Value,
}

/// The host's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerResponse {
    /// [`EnvelopeKind::ServerResponse`].
    #[serde(rename = "type")]
    pub kind: EnvelopeKind,
    /// The request's id.
    pub rpc_id: String,
    /// Value or error.
    pub result: RpcResult,
}

/// One frame of a stream. `method` is the frame's type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerRequest {
    /// [`EnvelopeKind::ServerRequest`].
    #[serde(rename = "type")]
    pub kind: EnvelopeKind,
    /// Minted by the host; stable across replays for frames that can be answered.
    pub rpc_id: String,
    /// Frame type such as `session/event`.
    pub method: String,
    /// The frame's facts.
    pub payload: Value,
}

/// `{ok: true, value?}` or `{ok: false, error}`.
#[derive(Clone, Debug, PartialEq)]
pub enum RpcResult {
    /// It worked.
    Ok(Value),
    /// It did not, and why.
    Err(RpcError),
}

#[derive(Serialize, Deserialize)]
struct RawResult {
    ok: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<RpcError>,
}

impl Serialize for RpcResult {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Ok(value) => RawResult { ok: true, value: (!value.is_null()).then(|| value.clone()), error: None },
            Self::Err(error) => RawResult { ok: false, value: None, error: Some(error.clone()) },
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RpcResult {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawResult::deserialize(deserializer)?;
        match (raw.ok, raw.error) {
            (true, None) => Ok(Self::Ok(raw.value.unwrap_or(Value::Null))),
            (false, Some(error)) => Ok(Self::Err(error)),
            (true, Some(_)) => Err(serde::de::Error::custom("a result that is ok carries an error")),
            (false, None) => Err(serde::de::Error::custom("a result that is not ok carries no error")),
        }
    }
}
