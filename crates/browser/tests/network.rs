//! Requests and responses: watched with their bodies, answered by the test, held back.

mod support;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{any, get};
use browser::{
    Context, ContextOptions, Fulfill, Page, ProblemKind, Request, RequestChanges, RequestState, Response, Route,
    UrlPattern,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use support::{SOON, run, serve_app, shared_browser};

const FETCH: &str = "async (url, options) => { try { const answer = await fetch(url, options ?? {}); \
                     return `${answer.status} ${await answer.text()}`; } catch (error) { return String(error); } }";

/// Answers with what it was asked.
async fn echo(method: Method, uri: Uri, headers: HeaderMap, body: Bytes) -> impl IntoResponse {
    let mine = headers.get("x-mine").map(|value| value.to_str().unwrap_or_default().to_owned());
    axum::Json(json!({ "method": method.as_str(), "path": uri.to_string(), "mine": mine,
        "body": String::from_utf8_lossy(&body) }))
}

/// A context, a page that shows an empty document, and the address of its server.
async fn site() -> (Context, Page, String) {
    let app = Router::new()
        .route("/", get(|| async { axum::response::Html("<!doctype html><title>Test page</title><body>hello") }))
        .route("/echo/{*rest}", any(echo))
        .route("/teapot", any(|| async { (StatusCode::IM_A_TEAPOT, "short and stout") }))
        .route("/binary", get(|| async { ([("content-type", "image/png")], vec![0_u8, 159, 146, 150]) }))
        .route("/hop", get(|| async { Redirect::to("/echo/end") }));
    let address = serve_app(app).await;
    let context = shared_browser().await.new_context(ContextOptions::default()).await.unwrap();
    let page = context.new_page().await.unwrap();
    page.goto(&address).await.unwrap();
    (context, page, address)
}

async fn fetch(page: &Page, path: &str) -> String {
    page.evaluate(FETCH, &[path.into()]).await.unwrap()
}

#[test]
fn response_that_was_expected_before_the_click_comes_with_body_headers_and_timing() {
    run(async {
        let (context, page, address) = site().await;
        let answer = page.expect_response(|response: &Response| response.url().ends_with("/echo/send"));
        let options =
            json!({ "method": "POST", "body": "{\"a\":1}", "headers": { "content-type": "application/json" } });
        page.evaluate::<Value>(FETCH, &["/echo/other".into()]).await.unwrap();
        page.evaluate::<Value>(FETCH, &["/echo/send".into(), options]).await.unwrap();
        let answer = answer.await.unwrap();
        assert_eq!((answer.status(), answer.status_text(), answer.is_ok()), (200, "OK", true));
        assert_eq!(answer.header("Content-Type"), Some("application/json"));
        assert_eq!((answer.mime_type(), answer.protocol()), ("application/json", "http/1.1"));
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body, json!({"method": "POST", "path": "/echo/send", "mine": null, "body": "{\"a\":1}"}));
        let request = answer.request();
        assert_eq!((request.method.as_str(), request.resource_type()), ("POST", "fetch"));
        assert_eq!(request.post_data(), Some("{\"a\":1}"));
        assert_eq!(request.post_body().await.unwrap(), b"{\"a\":1}");
        assert_eq!(request.headers().get("content-type"), Some("application/json"));
        assert_eq!(request.frame(), Some(page.id()));
        assert!(!request.initiator().is_empty());
        let end = page.requests().last().unwrap().response().unwrap().timing().response_end.unwrap();
        assert!(end > Duration::ZERO && end < Duration::from_secs(20), "{end:?}");
        assert_eq!(answer.to_string(), format!("POST {address}echo/send answered 200"));

        // The document's own body, also after the page has gone elsewhere.
        let document = page.requests().into_iter().find(Request::is_navigation).unwrap().response().unwrap();
        page.reload().await.unwrap();
        assert!(document.text().await.unwrap().contains("hello"));
        context.close().await.unwrap();
        let error = document.text().await.unwrap_err().to_string();
        assert!(error.starts_with(&format!("no body of GET {address}: ")), "{error}");
    });
}

#[test]
fn binary_bodies_come_as_they_are_and_redirects_keep_their_chain() {
    run(async {
        let (context, page, address) = site().await;
        let binary = page.expect_response(|response| response.url().ends_with("/binary"));
        let end = page.expect_request_finished(|request| request.url.ends_with("/echo/end"));
        fetch(&page, "/binary").await;
        fetch(&page, "/hop").await;
        assert_eq!(binary.await.unwrap().body().await.unwrap(), [0, 159, 146, 150]);
        let end = end.await.unwrap();
        assert_eq!(end.state, RequestState::Completed { status: 200 });
        let hop = end.redirected_from().unwrap();
        assert_eq!(hop.url, format!("{address}hop"));
        let redirect = hop.response().unwrap();
        assert_eq!(redirect.status(), 303);
        assert!(redirect.body().await.unwrap_err().to_string().contains("it is a redirect (303), which has none"));
        context.close().await.unwrap();
    });
}

#[test]
fn routes_answer_abort_change_and_pass_on_without_being_problems() {
    run(async {
        let (context, page, _) = site().await;
        page.route("/echo/mocked", |route| route.fulfill(Fulfill::json(&json!({"user": "Ada"})).with_status(503)))
            .await
            .unwrap();
        page.route("**/echo/{gone,lost}", Route::abort).await.unwrap();
        page.route(UrlPattern::matching(|request| request.url.ends_with("/changed")), |route| {
            let changes = RequestChanges::new().url(route.request().url.replace("/changed", "/elsewhere"));
            route.continue_with(changes.method("PUT").header("x-mine", "yes").body("new body"))
        })
        .await
        .unwrap();
        assert_eq!(fetch(&page, "/echo/mocked").await, "503 {\"user\":\"Ada\"}");
        assert_eq!(fetch(&page, "/echo/lost").await, "TypeError: Failed to fetch");
        let changed = json!({"method": "PUT", "path": "/echo/elsewhere", "mine": "yes", "body": "new body"});
        assert_eq!(fetch(&page, "/echo/changed").await, format!("200 {changed}"));
        assert!(fetch(&page, "/echo/plain").await.starts_with("200 {\"method\":\"GET\""));
        page.settle_events().await.unwrap();
        assert_eq!(page.problems(), []);
        let requests = page.requests();
        let state = |end: &str| &requests.iter().find(|request| request.url.ends_with(end)).unwrap().state;
        assert_eq!(*state("/mocked"), RequestState::Completed { status: 503 });
        assert_eq!(*state("/lost"), RequestState::Aborted);
        assert!(requests.iter().find(|request| request.url.ends_with("/lost")).unwrap().is_routed());
        context.close().await.unwrap();
    });
}

#[test]
fn newest_route_is_asked_first_and_falls_back_to_the_page_and_the_context() {
    run(async {
        let (context, page, address) = site().await;
        context.route("/echo/*", |route| route.fulfill(Fulfill::text("of the context"))).await.unwrap();
        let old = page.route("/echo/*", |route| route.fulfill(Fulfill::text("old"))).await.unwrap();
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        page.route_times(2, "/echo/*", move |route| {
            counted.fetch_add(1, Ordering::SeqCst);
            route.fallback();
            std::future::ready(Ok(()))
        })
        .await
        .unwrap();
        for _ in 0..3 {
            assert_eq!(fetch(&page, "/echo/x").await, "200 old");
        }
        assert_eq!(calls.load(Ordering::SeqCst), 2);
        old.remove().await.unwrap();
        assert_eq!(fetch(&page, "/echo/x").await, "200 of the context");

        // All pages of the context, and no other.
        let second = context.new_page().await.unwrap();
        second.goto(&address).await.unwrap();
        assert_eq!(fetch(&second, "/echo/x").await, "200 of the context");
        let (other_context, other, _) = site().await;
        assert!(fetch(&other, "/echo/x").await.starts_with("200 {"));
        other_context.close().await.unwrap();
        context.unroute_all().await.unwrap();
        assert!(fetch(&second, "/echo/x").await.starts_with("200 {"));
        context.close().await.unwrap();
    });
}

#[test]
fn held_requests_wait_until_they_are_released_or_the_hold_is_dropped() {
    run(async {
        let (context, page, _) = site().await;
        let start =
            "(path) => { window.got = []; for (const n of [1, 2, 3]) fetch(path + n).then(() => got.push(n)); }";
        let mut hold = page.hold("/echo/*").await.unwrap();
        page.evaluate::<Value>(start, &["/echo/".into()]).await.unwrap();
        // Requests of the same moment may come in any order.
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(hold.next().await.unwrap());
        }
        held.sort_by_key(|route| route.request().url.clone());
        let first = held.remove(0);
        assert_eq!(page.evaluate::<Value>("() => got", &[]).await.unwrap(), json!([]));
        let ended = page.expect_request_finished(|request| request.url.ends_with("/echo/1"));
        first.fulfill(Fulfill::status(204)).await.unwrap();
        ended.await.unwrap();
        let last = page.expect_request_finished(|request| request.url.ends_with("/echo/3"));
        hold.release().await.unwrap();
        for route in held {
            route.continue_request().await.unwrap();
        }
        last.await.unwrap();

        let hold = page.hold("/echo/*").await.unwrap();
        let last = page.expect_request_finished(|request| request.url.ends_with("/echo/3"));
        page.evaluate::<Value>(start, &["/echo/".into()]).await.unwrap();
        drop(hold);
        last.await.unwrap();
        assert_eq!(page.problems(), []);

        // A page that closes while a request of it is held.
        let mut hold = page.hold("/echo/*").await.unwrap();
        page.evaluate::<Value>(start, &["/echo/".into()]).await.unwrap();
        let held = hold.next().await.unwrap();
        page.close().await.unwrap();
        held.continue_request().await.unwrap();
        hold.release().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn handler_that_gives_no_answer_fails_or_panics_is_a_problem_and_holds_nothing_up() {
    run(async {
        let (context, page, address) = site().await;
        page.route("/echo/silent", |_| std::future::ready(Ok(()))).await.unwrap();
        page.route("/echo/panics", |_| async { panic!("no mock for this") }).await.unwrap();
        page.route("/echo/fails", |route| async move { route.fulfill(Fulfill::file("/no/such/file.json")?).await })
            .await
            .unwrap();
        for path in ["/echo/silent", "/echo/panics", "/echo/fails"] {
            assert!(fetch(&page, path).await.starts_with("200 {"), "{path}");
        }
        let problems = page.problems();
        assert!(problems.iter().all(|problem| problem.kind == ProblemKind::Route), "{problems:#?}");
        let texts: Vec<String> = problems.iter().map(|problem| problem.text.clone()).collect();
        assert_eq!(
            texts,
            [
                format!(
                    "the route for \"/echo/silent\" gave no answer: GET {address}echo/silent went on to the server"
                ),
                format!(
                    "the route for \"/echo/panics\" panicked (no mock for this): GET {address}echo/panics went on to the server"
                ),
                format!(
                    "the route for \"/echo/fails\" failed (answering with a file: /no/such/file.json: No such file or \
                     directory (os error 2); check the path): GET {address}echo/fails went on to the server"
                ),
            ]
        );
        context.close().await.unwrap();
    });
}

#[test]
fn answers_for_other_origins_may_be_read_by_the_page() {
    run(async {
        let (context, page, _) = site().await;
        page.route("https://api.example.com/**", |route| route.fulfill(Fulfill::text("from afar"))).await.unwrap();
        assert_eq!(fetch(&page, "https://api.example.com/v1/things?x=1").await, "200 from afar");
        page.route("https://app.example.com/", |route| route.fulfill(Fulfill::html("<title>Mocked</title>")))
            .await
            .unwrap();
        page.goto("https://app.example.com/").await.unwrap();
        assert_eq!(page.title().await.unwrap(), "Mocked");
        context.close().await.unwrap();
    });
}

#[test]
fn response_that_never_comes_times_out_with_those_that_came() {
    run(async {
        let (context, page, address) = site().await;
        let answer = page.expect_response(|response| response.url().ends_with("/never")).within(SOON);
        fetch(&page, "/teapot").await;
        let error = answer.await.unwrap_err().to_string();
        assert!(error.starts_with("waiting for a response (expected at crates/browser/tests/network.rs:"), "{error}");
        let end = format!(") did not succeed within 700ms\ncall log:\n  - GET {address}teapot answered 418");
        assert!(error.ends_with(&end), "{error}");
        context.close().await.unwrap();
    });
}
