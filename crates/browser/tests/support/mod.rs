//! What the tests share: a browser, and pages served from this process.
#![allow(dead_code, reason = "each test file uses its part")]

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use browser::{Browser, Context, ContextOptions, LaunchOptions, Page};
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));
static BROWSER: OnceCell<Browser> = OnceCell::const_new();

/// Runs a test on the runtime that all tests of a file share, as they share a browser. Nobody
/// closes that one: it ends with the process, as the watchdog promises.
pub(crate) fn run(test: impl Future<Output = ()>) {
    RUNTIME.block_on(test);
}

/// The browser of this file. Only for tests inside [`run`].
pub(crate) async fn shared_browser() -> &'static Browser {
    BROWSER.get_or_init(launch).await
}

pub(crate) async fn launch() -> Browser {
    Browser::launch(LaunchOptions::from_env()).await.expect("the browser starts")
}

/// A browser of its own, with options changed.
pub(crate) async fn launch_with(change: impl FnOnce(&mut LaunchOptions)) -> Browser {
    let mut options = LaunchOptions::from_env();
    change(&mut options);
    Browser::launch(options).await.expect("the browser starts")
}

/// A context of the shared browser with one page that shows `body`, served over HTTP.
pub(crate) async fn page_with(body: &str) -> (Context, Page) {
    let context = shared_browser().await.new_context(ContextOptions::default()).await.expect("a context");
    let page = context.new_page().await.expect("a page");
    page.goto(&serve(body).await).await.expect("the page loads");
    (context, page)
}

/// A page that shows `body`, in a context of its own.
pub(crate) async fn page_in(browser: &Browser, body: &str) -> Page {
    let context = browser.new_context(ContextOptions::default()).await.expect("a context");
    let page = context.new_page().await.expect("a page");
    page.goto(&serve(body).await).await.expect("the page loads");
    page
}

/// Serves `body` at `/`, and 404 elsewhere. Gives back the address.
pub(crate) async fn serve(body: &str) -> String {
    let html = format!("<!doctype html><html lang=en><title>Test page</title><body>{body}</body></html>");
    let page = get(move || async move { ([(CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response() });
    let missing = || async { (StatusCode::NOT_FOUND, "nothing here") };
    serve_app(Router::new().route("/", page).fallback(missing)).await
}

/// Serves `app`. Gives back the address of its root.
pub(crate) async fn serve_app(app: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/")
}

/// Shorter than the default, for what must fail.
pub(crate) const SOON: Duration = Duration::from_millis(700);
