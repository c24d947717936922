use async_trait::async_trait;
use futures_util::stream::BoxStream;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    Accepted, CancelPayload, ClientRequest, CreatePayload, EnvelopeKind, HistoryPage, HistoryPayload, HostDescribe,
    HostDescription, HostFrame, Method, MuxFrame, PromptPayload, RpcError, RpcResult, ServerResponse, SessionCancel,
    SessionCreate, SessionCreated, SessionHistory, SessionList, SessionPage, SessionPrompt, WorkspaceList,
    WorkspacePage,
};

/// What the page can ask of a host. The real host and the fixture of `?fixture` both implement it, and one contract
/// suite runs against both.
#[async_trait]
pub trait Api: Send + Sync + 'static {
    /// `host.describe`.
    async fn host_describe(&self) -> Result<HostDescription, RpcError>;
    /// `session.list`.
    async fn session_list(&self) -> Result<SessionPage, RpcError>;
    /// `session.create`.
    async fn session_create(&self, payload: CreatePayload) -> Result<SessionCreated, RpcError>;
    /// `session.history`.
    async fn session_history(&self, payload: HistoryPayload) -> Result<HistoryPage, RpcError>;
    /// `session.prompt`. `rpc_id` goes into the source of the message, so that the page knows its own prompt again.
    async fn session_prompt(&self, rpc_id: &str, payload: PromptPayload) -> Result<Accepted, RpcError>;
    /// `session.cancel`.
    async fn session_cancel(&self, payload: CancelPayload) -> Result<Accepted, RpcError>;
    /// `workspace.list`.
    async fn workspace_list(&self) -> Result<WorkspacePage, RpcError>;
    /// The stream behind `events.mux`: the baseline, then live. Ends with the host.
    fn mux(&self) -> BoxStream<'static, MuxFrame>;
    /// The stream behind `events.host`. Ends with the host.
    fn host_events(&self) -> BoxStream<'static, HostFrame>;
}

/// Runs one call: payload validation by method, then the implementation. `None` when no method has that name.
pub async fn dispatch(api: &dyn Api, request: ClientRequest) -> Option<ServerResponse> {
    let ClientRequest { rpc_id, method, payload, .. } = request;
    let result = match method.as_str() {
        HostDescribe::NAME => match read::<HostDescribe>(payload) {
            Ok(_) => value(api.host_describe().await),
            Err(error) => RpcResult::Err(error),
        },
        SessionList::NAME => match read::<SessionList>(payload) {
            Ok(_) => value(api.session_list().await),
            Err(error) => RpcResult::Err(error),
        },
        SessionCreate::NAME => match read::<SessionCreate>(payload) {
            Ok(payload) => value(api.session_create(payload).await),
            Err(error) => RpcResult::Err(error),
        },
        SessionHistory::NAME => match read::<SessionHistory>(payload) {
            Ok(payload) => value(api.session_history(payload).await),
            Err(error) => RpcResult::Err(error),
        },
        SessionPrompt::NAME => match read::<SessionPrompt>(payload) {
            Ok(payload) => value(api.session_prompt(&rpc_id, payload).await),
            Err(error) => RpcResult::Err(error),
        },
        SessionCancel::NAME => match read::<SessionCancel>(payload) {
            Ok(payload) => value(api.session_cancel(payload).await),
            Err(error) => RpcResult::Err(error),
        },
        WorkspaceList::NAME => match read::<WorkspaceList>(payload) {
            Ok(_) => value(api.workspace_list().await),
            Err(error) => RpcResult::Err(error),
        },
        _ => return None,
    };
    Some(ServerResponse { kind: EnvelopeKind::ServerResponse, rpc_id, result })
}

fn read<M: Method>(payload: Value) -> Result<M::Payload, RpcError>
where
    M::Payload: DeserializeOwned,
{
    serde_json::from_value(payload).map_err(|issue| RpcError::bad_request(vec![format!("{}: {issue}", M::NAME)]))
}

fn value<T: serde::Serialize>(outcome: Result<T, RpcError>) -> RpcResult {
    match outcome.map(serde_json::to_value) {
        Ok(Ok(value)) => RpcResult::Ok(value),
        Ok(Err(error)) => RpcResult::Err(RpcError::internal(format!("the answer could not be written: {error}"))),
        Err(error) => RpcResult::Err(error),
    }
}
