//! The protocol between page and host: envelopes, the method table, stream frames and error codes. Native and wasm.
//!
//! Calls travel as `POST /api/<method>` with a JSON [`ClientRequest`]; the answer is a [`ServerResponse`]. Two event
//! streams go the other way, `GET /api/events.mux` ([`MuxFrame`]) and `GET /api/events.host` ([`HostFrame`]), each
//! frame in a [`ServerRequest`]. The HTTP status describes the carrier only; every answer of the host itself is 200.

mod api;
mod envelope;
mod error;
mod frames;
mod methods;

pub use api::{Api, dispatch};
pub use envelope::{
    ClientRequest, EnvelopeKind, INVALID_REQUEST_ID, RpcResult, ServerRequest, ServerResponse, new_rpc_id,
};
pub use error::{ErrorCode, RpcError};
pub use frames::{HOST_STREAM_PATH, HostFrame, MUX_STREAM_PATH, MuxFrame};
pub use methods::{
    Accepted, CancelPayload, CreatePayload, Empty, HistoryPage, HistoryPayload, HostDescribe, HostDescription, METHODS,
    Method, PromptMode, PromptPayload, SessionCancel, SessionCreate, SessionCreated, SessionHistory, SessionList,
    SessionPage, SessionPrompt, SessionSummary, WorkspaceList, WorkspacePage, WorkspaceSummary,
};
