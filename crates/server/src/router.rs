use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::StreamExt;
use wire::{Api, HOST_STREAM_PATH, HostFrame, METHODS, MUX_STREAM_PATH, MuxFrame};

use crate::assets::StaticAssets;
use crate::record::quote;
use crate::refusal::{Code, Refusal};
use crate::traffic::Traffic;
use crate::{rpc, streams};

/// Calls and streams live below it, and nothing else does.
pub const API_PREFIX: &str = "/api/";

/// The carriage of a host without sockets: every call and both streams, with real envelopes, validation and SSE
/// framing, and no gate, which belongs to sockets. `traffic` ends what runs behind it.
pub fn router(api: Arc<dyn Api>, traffic: &Traffic) -> Router {
    carriage(api, traffic).fallback(|request: Request| async move { unknown(&request) })
}

/// The carriage and, on every other path, the bundle.
pub(crate) fn with_assets(api: Arc<dyn Api>, traffic: &Traffic, assets: Arc<StaticAssets>) -> Router {
    carriage(api, traffic).fallback(move |request: Request| {
        let assets = Arc::clone(&assets);
        async move { file(&assets, &request) }
    })
}

/// Everything that has a route, as method and path.
pub(crate) fn table(assets: &StaticAssets) -> Vec<(Method, String)> {
    let calls = METHODS.iter().map(|method| (Method::POST, call_path(method)));
    let streams = [MUX_STREAM_PATH, HOST_STREAM_PATH].map(|path| (Method::GET, path.to_owned()));
    let files = ["/"].into_iter().chain(assets.paths()).map(|path| (Method::GET, path.to_owned()));
    calls.chain(streams).chain(files).collect()
}

fn call_path(method: &str) -> String {
    format!("{API_PREFIX}{method}")
}

fn carriage(api: Arc<dyn Api>, traffic: &Traffic) -> Router {
    let mut router = Router::new();
    for &method in METHODS {
        let (api, traffic) = (Arc::clone(&api), traffic.clone());
        let handler = move |request: Request| rpc::respond(Arc::clone(&api), traffic.clone(), method, request);
        let refused = |request: Request| async move { method_refused(&request, "POST") };
        router = router.route(&call_path(method), post(handler).fallback(refused));
    }
    let refused = |request: Request| async move { method_refused(&request, "GET, HEAD") };
    let (host, mux, streams) = (Arc::clone(&api), api, traffic.clone());
    let open_mux = move || {
        let open = || mux.mux().map(MuxFrame::into_envelope).boxed();
        std::future::ready(streams::respond(&streams, open))
    };
    let streams = traffic.clone();
    let open_host = move || {
        let open = || host.host_events().map(HostFrame::into_envelope).boxed();
        std::future::ready(streams::respond(&streams, open))
    };
    router
        .route(MUX_STREAM_PATH, get(open_mux).fallback(refused))
        .route(HOST_STREAM_PATH, get(open_host).fallback(refused))
}

fn file(assets: &StaticAssets, request: &Request) -> Response {
    let path = request.uri().path();
    if path.starts_with(API_PREFIX) {
        return unknown(request);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return method_refused(request, "GET, HEAD");
    }
    assets.respond(path, request.headers()).unwrap_or_else(|| unknown(request))
}

fn unknown(request: &Request) -> Response {
    let path = quote(request.uri().path().as_bytes());
    let message = format!("nothing has the path {path}: reload the page, it may be of another version");
    Refusal::new(Code::UnknownPath, message, path, "a path of the route table").into_response()
}

fn method_refused(request: &Request, allowed: &'static str) -> Response {
    let received = quote(request.method().as_str().as_bytes());
    let message = format!("this path does not answer to {received}: use {allowed}");
    Refusal::new(Code::MethodNotAllowed, message, received, allowed)
        .with_header(header::ALLOW, HeaderValue::from_static(allowed))
        .into_response()
}
