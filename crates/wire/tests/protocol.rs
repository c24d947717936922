//! Envelopes, frames and dispatch, as the two ends of the wire need them.

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use serde_json::{Value, json};
use session::Payload;
use wire::{
    Accepted, Api, CancelPayload, ClientRequest, CreatePayload, EnvelopeKind, ErrorCode, HistoryPage, HistoryPayload,
    HostDescription, HostFrame, METHODS, MuxFrame, PromptPayload, RpcError, RpcResult, ServerResponse, SessionCreated,
    SessionPage, SessionSummary, WorkspacePage, dispatch,
};

/// Answers everything with as little as the shape allows; a prompt's request id comes back as an error.
struct Minimal;

#[async_trait]
impl Api for Minimal {
    async fn host_describe(&self) -> Result<HostDescription, RpcError> {
        Ok(HostDescription { version: "0".to_owned(), provider: None, model: None, home: None })
    }
    async fn session_list(&self) -> Result<SessionPage, RpcError> {
        Ok(SessionPage { items: Vec::new() })
    }
    async fn session_create(&self, payload: CreatePayload) -> Result<SessionCreated, RpcError> {
        Ok(SessionCreated { session_id: payload.workspace_id })
    }
    async fn session_history(&self, payload: HistoryPayload) -> Result<HistoryPage, RpcError> {
        Err(RpcError::session_not_found(&payload.session_id))
    }
    async fn session_prompt(&self, rpc_id: &str, _: PromptPayload) -> Result<Accepted, RpcError> {
        Err(RpcError::internal(rpc_id))
    }
    async fn session_cancel(&self, _: CancelPayload) -> Result<Accepted, RpcError> {
        Ok(Accepted { accepted: true })
    }
    async fn workspace_list(&self) -> Result<WorkspacePage, RpcError> {
        Ok(WorkspacePage { items: Vec::new() })
    }
    fn mux(&self) -> BoxStream<'static, MuxFrame> {
        stream::empty().boxed()
    }
    fn host_events(&self) -> BoxStream<'static, HostFrame> {
        stream::empty().boxed()
    }
}

fn call(method: &str, payload: Value) -> Option<ServerResponse> {
    let request = ClientRequest {
        kind: EnvelopeKind::ClientRequest,
        rpc_id: "call-1".to_owned(),
        method: method.to_owned(),
        payload,
    };
    futures_util::FutureExt::now_or_never(dispatch(&Minimal, request)).expect("nothing here waits")
}

#[test]
fn every_method_of_the_table_is_dispatched_and_no_other() {
    for method in METHODS {
        assert!(call(method, json!({})).is_some(), "{method}");
    }
    assert_eq!(call("session.delete", json!({})), None);
}

#[test]
fn the_answer_echoes_the_id_and_carries_value_or_error() {
    let value = call("session.create", json!({"workspaceId": "w"})).expect("known");
    assert_eq!(value.rpc_id, "call-1");
    assert_eq!(value.result, RpcResult::Ok(json!({"sessionId": "w"})));
    let error = call("session.history", json!({"sessionId": "gone"})).expect("known");
    let RpcResult::Err(error) = error.result else { panic!("{error:?}") };
    assert_eq!((error.code, &error.details), (ErrorCode::SessionNotFound, &json!({"sessionId": "gone"})));
}

#[test]
fn a_payload_that_does_not_fit_is_a_bad_request_that_names_method_and_field() {
    for (payload, named) in [
        (json!({}), "sessionId"),
        (json!({"sessionId": "s", "mode": "later", "content": []}), "later"),
        (json!({"sessionId": "s", "mode": "queue", "content": [], "extra": 1}), "extra"),
    ] {
        let answer = call("session.prompt", payload).expect("known");
        let RpcResult::Err(error) = answer.result else { panic!("{answer:?}") };
        assert_eq!(error.code, ErrorCode::BadRequest);
        let issue = error.details["issues"][0].as_str().expect("an issue");
        assert!(issue.starts_with("session.prompt: ") && issue.contains(named), "{issue}");
    }
}

#[test]
fn a_prompt_reaches_the_host_with_its_request_id() {
    let payload = json!({"sessionId": "s", "mode": "queue", "content": [{"type": "text", "text": "hi"}]});
    let answer = call("session.prompt", payload).expect("known");
    let RpcResult::Err(error) = answer.result else { panic!("{answer:?}") };
    assert_eq!(error.message, "call-1");
}

#[test]
fn a_result_says_ok_or_error_and_never_both() {
    assert_eq!(serde_json::to_value(RpcResult::Ok(Value::Null)).expect("json"), json!({"ok": true}));
    for (contradiction, said) in [
        (json!({"ok": true, "error": {"code": "internal", "message": "m", "details": {}}}), "carries an error"),
        (json!({"ok": false}), "carries no error"),
    ] {
        let error = serde_json::from_value::<RpcResult>(contradiction).expect_err("contradiction");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn frames_come_back_from_their_envelopes_as_they_went_in() {
    let event = Payload::StepStart { turn: 1, step: 2 }.into_draft().at(7, 99);
    for frame in [
        MuxFrame::Subscribed { session_id: "s".to_owned(), last_seq: -1 },
        MuxFrame::Event { session_id: "s".to_owned(), event },
        MuxFrame::Error { message: "over".to_owned() },
    ] {
        let envelope = frame.clone().into_envelope();
        let text = serde_json::to_string(&envelope).expect("json");
        let read = serde_json::from_str(&text).expect("an envelope");
        assert_eq!(MuxFrame::from_envelope(read).expect("a frame"), frame);
    }
    let row = SessionSummary {
        session_id: "s".to_owned(),
        title: None,
        updated_at: 5,
        running: true,
        blank: false,
        cwd: Some("/w".to_owned()),
    };
    let frame = HostFrame::SessionChanged(row);
    assert_eq!(frame.clone().into_envelope().method, "host/session-changed");
    assert_eq!(HostFrame::from_envelope(frame.clone().into_envelope()).expect("a frame"), frame);
}

#[test]
fn a_frame_of_an_unknown_type_is_refused_by_name() {
    let mut envelope = MuxFrame::Error { message: String::new() }.into_envelope();
    envelope.method = "session/vanished".to_owned();
    assert!(MuxFrame::from_envelope(envelope).expect_err("unknown").to_string().contains("session/vanished"));
}

#[test]
fn request_ids_are_unique() {
    assert_ne!(wire::new_rpc_id(), wire::new_rpc_id());
}
