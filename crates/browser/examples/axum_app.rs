//! Test your axum app in ten lines: `cargo run -p browser --example axum_app`. In a project of yours
//! the body of `main` is the body of a `#[tokio::test]`.

use axum::{Router, response::Html, routing::get};
use browser::{Browser, ContextOptions, LaunchOptions};

/// The app under test: yours comes from your own crate.
fn app() -> Router {
    let page = "<!doctype html><html lang=en><title>Counter</title><h1>Counter</h1>\
        <button onclick='shown.textContent = ++count'>Add one</button> <output id=shown>0</output>\
        <script>let count = 0</script></html>";
    Router::new().route("/", get(move || async move { Html(page) }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, app()).await });

    let browser = Browser::launch(LaunchOptions::from_env()).await?;
    let page = browser.new_context(ContextOptions::default()).await?.new_page().await?;
    page.goto(&address).await?;
    page.get_by_role("button", "Add one").click().await?;
    page.get_by_role("status", "").expect().to_have_text("1").await?;
    page.settle_events().await?;
    assert!(page.problems().is_empty(), "{:?}", page.problems());
    browser.close().await?;
    println!("the counter counts");
    Ok(())
}
