//! One request, one validated answer, one deadline.

use std::rc::Rc;

use serde_json::json;
use wire::{Accepted, CancelPayload, ErrorCode, RpcError, SessionCancel};

use super::Calls;
use crate::testing::{Fake, run, settle};
use crate::{CallError, TransportError};

type Outcome = Result<Accepted, CallError>;

fn calls(fake: &Fake) -> Rc<Calls> {
    Rc::new(Calls::new(Rc::new(fake.clone())))
}

fn cancel(calls: &Rc<Calls>) -> tokio::task::JoinHandle<Outcome> {
    let calls = Rc::clone(calls);
    let payload = CancelPayload { session_id: "s".to_owned() };
    tokio::task::spawn_local(async move { calls.call_as::<SessionCancel>("id-1".to_owned(), payload).await })
}

#[test]
fn a_call_carries_its_envelope_and_gives_the_value() {
    run(async {
        let fake = Fake::default();
        let calls = calls(&fake);
        let outcome = cancel(&calls);
        settle().await;
        assert_eq!(calls.pending(), 1);
        let call = fake.take("session.cancel");
        assert_eq!(
            serde_json::to_value(&call.request).unwrap(),
            json!({"type": "client-request", "rpcId": "id-1", "method": "session.cancel", "payload": {"sessionId": "s"}})
        );
        call.value(json!({"accepted": true}));
        assert_eq!(outcome.await.unwrap(), Ok(Accepted { accepted: true }));
        assert_eq!(calls.pending(), 0);
    });
}

#[test]
fn every_answer_that_does_not_fit_is_an_error_that_says_what_to_do() {
    let reload = "page and host may be of different versions, reload the page";
    let ok = |body: serde_json::Value| Ok((200, body.to_string()));
    let table = [
        (
            "no answer",
            Err(TransportError("connection refused".to_owned())),
            "session.cancel: the host could not be reached (connection refused); check that dsh is still running, then \
             try again"
                .to_owned(),
        ),
        (
            "another status",
            Ok((401, "{\"code\":\"unauthorized\"}".to_owned())),
            "session.cancel: HTTP 401 ({\"code\":\"unauthorized\"}); reload the page, the address may have expired"
                .to_owned(),
        ),
        (
            "a status without a body",
            Ok((500, String::new())),
            "session.cancel: HTTP 500; reload the page, the address may have expired".to_owned(),
        ),
        (
            "no JSON",
            Ok((200, "<html>".to_owned())),
            format!("session.cancel: the answer does not fit: expected value at line 1 column 1; {reload}"),
        ),
        (
            "another envelope",
            ok(json!({"type": "server-request", "rpcId": "id-1", "result": {"ok": true}})),
            format!("session.cancel: the answer does not fit: its type is ServerRequest, expected server-response; {reload}"),
        ),
        (
            "the answer to another call",
            ok(json!({"type": "server-response", "rpcId": "id-2", "result": {"ok": true}})),
            format!("session.cancel: the answer does not fit: it answers call id-2, this is call id-1; {reload}"),
        ),
        (
            "a value of another shape",
            ok(json!({"type": "server-response", "rpcId": "id-1", "result": {"ok": true, "value": {"accepted": 1}}})),
            format!(
                "session.cancel: the answer does not fit: value: invalid type: integer `1`, expected a boolean; {reload}"
            ),
        ),
        (
            "neither value nor error",
            ok(json!({"type": "server-response", "rpcId": "id-1", "result": {"ok": false}})),
            format!(
                "session.cancel: the answer does not fit: a result that is not ok carries no error at line 1 column 63; \
                 {reload}"
            ),
        ),
    ];
    run(async move {
        for (name, answer, expected) in table {
            let fake = Fake::default();
            let outcome = cancel(&calls(&fake));
            settle().await;
            fake.take("session.cancel").raw(answer);
            assert_eq!(outcome.await.unwrap().unwrap_err().to_string(), expected, "{name}");
        }
    });
}

#[test]
fn an_error_of_the_host_is_told_in_its_own_words() {
    run(async {
        let fake = Fake::default();
        let outcome = cancel(&calls(&fake));
        settle().await;
        fake.take("session.cancel").refuse(RpcError::session_not_found("s"));
        let error = outcome.await.unwrap().unwrap_err();
        assert_eq!(error.to_string(), "there is no session s; reload the list");
        assert!(matches!(error, CallError::Refused(RpcError { code: ErrorCode::SessionNotFound, .. })));
    });
}

#[test]
fn a_call_without_an_answer_ends_after_thirty_seconds() {
    run(async {
        let fake = Fake::default();
        let calls = calls(&fake);
        let started = tokio::time::Instant::now();
        let error = cancel(&calls).await.unwrap().unwrap_err();
        assert_eq!(started.elapsed(), std::time::Duration::from_secs(30));
        assert_eq!(error.to_string(), "session.cancel: no answer within 30 s; the host may be busy, try again");
        assert_eq!(calls.pending(), 0);
    });
}
