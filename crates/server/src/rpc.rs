use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;
use wire::{Api, ClientRequest, EnvelopeKind, INVALID_REQUEST_ID, RpcError, RpcResult, ServerResponse};

use crate::record::quote;
use crate::refusal::{Code, Refusal};
use crate::traffic::Traffic;

/// Longest body of a call.
pub const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
/// How long a body may take to arrive.
pub const READ_BODY_WITHIN: Duration = Duration::from_secs(30);

const JSON_TYPE: &str = "application/json";

/// Answers one call. The status describes the carriage only: once there is JSON, whatever the host says is 200.
pub(crate) async fn respond(api: Arc<dyn Api>, traffic: Traffic, method: &'static str, request: Request) -> Response {
    match call(api, traffic, method, request).await {
        Ok(answer) => Json(answer).into_response(),
        Err(refusal) => refusal.into_response(),
    }
}

async fn call(
    api: Arc<dyn Api>,
    traffic: Traffic,
    method: &'static str,
    request: Request,
) -> Result<ServerResponse, Refusal> {
    let (head, body) = request.into_parts();
    expect_json(&head.headers)?;
    let body = read(body).await?;
    let value: Value = serde_json::from_slice(&body).map_err(|issue| {
        let message = format!("the body is not JSON ({issue}): send one client-request envelope");
        Refusal::new(Code::BodyNotJson, message, format!("{} bytes: {issue}", body.len()), "JSON")
    })?;
    let rpc_id = value.get("rpcId").and_then(Value::as_str).unwrap_or(INVALID_REQUEST_ID).to_owned();
    let request = match envelope(method, value) {
        Ok(request) => request,
        Err(issue) => {
            let result = RpcResult::Err(RpcError::bad_request(vec![issue]));
            return Ok(ServerResponse { kind: EnvelopeKind::ServerResponse, rpc_id, result });
        }
    };
    // A task of its own: a caller that goes away must not stop the host half-way through what it was asked for.
    let running = traffic.calls().spawn(async move { wire::dispatch(&*api, request).await });
    match running.await {
        Ok(answer) => Ok(answer.expect("only methods of the table have a route")),
        Err(_) => Err(Refusal::panicked(method)),
    }
}

/// Also a fence: a foreign page cannot send this type without asking first.
fn expect_json(headers: &HeaderMap) -> Result<(), Refusal> {
    let given = headers.get(header::CONTENT_TYPE);
    let essence = given.and_then(|value| value.to_str().ok()).and_then(|value| value.split(';').next());
    if essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case(JSON_TYPE)) {
        return Ok(());
    }
    let received = given.map_or("no content type".to_owned(), |value| quote(value.as_bytes()));
    let message = format!("a call has to be {JSON_TYPE}: set the Content-Type header");
    Err(Refusal::new(Code::MediaType, message, received, JSON_TYPE))
}

async fn read(body: Body) -> Result<Bytes, Refusal> {
    // A body that announces too much is not waited for.
    let announced = body.size_hint().lower();
    if announced > MAX_BODY_BYTES as u64 {
        return Err(too_large(format!("{announced} bytes")));
    }
    match tokio::time::timeout(READ_BODY_WITHIN, Limited::new(body, MAX_BODY_BYTES).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large("more bytes".to_owned())),
        Ok(Err(error)) => {
            let message = "the body broke off: send the call again";
            Err(Refusal::new(Code::BodyBroken, message, error.to_string(), "a whole body"))
        }
        Err(_) => {
            let message = format!("the body took longer than {READ_BODY_WITHIN:?}: send the call again");
            let expected = format!("all within {READ_BODY_WITHIN:?}");
            Err(Refusal::new(Code::BodyTimeout, message, "a part of a body", expected))
        }
    }
}

fn too_large(received: String) -> Refusal {
    let message = format!("the body is longer than {MAX_BODY_BYTES} bytes: send less in one call");
    Refusal::new(Code::BodyTooLarge, message, received, format!("at most {MAX_BODY_BYTES} bytes"))
}

/// The envelope, or what does not fit in it.
fn envelope(method: &str, value: Value) -> Result<ClientRequest, String> {
    let request: ClientRequest = serde_json::from_value(value).map_err(|issue| format!("envelope: {issue}"))?;
    if request.kind != EnvelopeKind::ClientRequest {
        return Err("type: has to be client-request".to_owned());
    }
    if request.method != method {
        return Err(format!("method: is {:?}, but the path says {method:?}", request.method));
    }
    Ok(request)
}
