//! Going to addresses, back and forth, and what is told when that comes to nothing.

mod support;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::get;
use browser::{Context, ContextOptions, Error, LoadState, NavigationOptions, Page};
use serde_json::{Value, json};
use std::time::Duration;
use support::{SOON, run, shared_browser};

/// A server with pages of every kind; gives back its address without a slash at the end.
async fn site() -> String {
    let page = |title: &'static str, body: &'static str| {
        get(move || async move { Html(format!("<!doctype html><title>{title}</title><body>{body}</body>")) })
    };
    let app = Router::new()
        .route("/", page("home", "<a href=/next>next</a><a href=#there>there</a>"))
        .route("/next", page("next", "<p>next</p>"))
        .route("/app/page", page("page", "<p>page</p>"))
        .route("/hop", page("hop", "<script>location.href = '/next'</script>"))
        .route("/endless", page("endless", "<p>parsed</p><img src=/silent>"))
        .route("/moved", get(|| async { Redirect::temporary("/next") }))
        .route("/silent", get(std::future::pending::<StatusCode>))
        .route("/empty", get(|| async { StatusCode::NO_CONTENT }))
        .route("/error", get(|| async { (StatusCode::NOT_FOUND, Html("<title>lost</title><p>not here</p>")) }))
        .route(
            "/file",
            get(|| async { ([(header::CONTENT_DISPOSITION, "attachment; filename=a.txt")], "a").into_response() }),
        );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

async fn blank() -> (Context, Page) {
    let context = shared_browser().await.new_context(ContextOptions::default()).await.expect("a context");
    let page = context.new_page().await.expect("a page");
    (context, page)
}

async fn title(page: &Page) -> String {
    page.title().await.expect("a title")
}

#[test]
fn addresses_of_every_kind_are_loaded() {
    run(async {
        let (context, page) = blank().await;
        let site = site().await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.html");
        std::fs::write(&file, "<title>from a file</title>").unwrap();
        for (url, expected) in [
            (site.clone(), "home"),
            (format!("{site}/moved"), "next"),
            (format!("{site}/error"), "lost"),
            ("data:text/html,<title>data</title>".to_owned(), "data"),
            (format!("file://{}", file.display()), "from a file"),
            ("about:blank".to_owned(), ""),
        ] {
            page.goto(&url).await.unwrap_or_else(|error| panic!("{url}: {error}"));
            assert_eq!(title(&page).await, expected, "{url}");
        }
        let status = async |path: &str| {
            page.goto(&format!("{site}{path}")).await.unwrap().map(|answer| (answer.status(), answer.url().to_owned()))
        };
        assert_eq!(status("/moved").await, Some((200, format!("{site}/next"))));
        assert_eq!(status("/next#part").await, None);
        assert_eq!(status("/error").await, Some((404, format!("{site}/error"))));
        assert_eq!(page.reload().await.unwrap().map(|answer| answer.status()), Some(404));
        assert!(page.goto("about:blank").await.unwrap().is_none());
        // The page itself goes on at once.
        page.goto(&format!("{site}/hop")).await.unwrap();
        assert_eq!((title(&page).await.as_str(), page.url().await.unwrap()), ("next", format!("{site}/next")));
        page.goto(&format!("{site}/next#part")).await.unwrap();
        assert_eq!(page.url().await.unwrap(), format!("{site}/next#part"));
        context.close().await.unwrap();
    });
}

#[test]
fn navigation_that_comes_to_nothing_says_why() {
    run(async {
        let (context, page) = blank().await;
        let site = site().await;
        page.goto(&site).await.unwrap();
        for (url, reason) in [
            (
                format!("{site}/empty"),
                "net::ERR_ABORTED: the answer is a download or has no content, or another navigation came in between",
            ),
            ("http://nowhere.invalid/".to_owned(), "net::ERR_NAME_NOT_RESOLVED"),
            (
                "/relative".to_owned(),
                "it is no absolute address (relative URL without a base), and the context has no base_url",
            ),
        ] {
            let error = page.goto(&url).await.unwrap_err().to_string();
            assert_eq!(error, format!("cannot load {url}: {reason}; check the address and that its server is up"));
        }
        let error = page.goto(&format!("{site}/file")).await.unwrap_err().to_string();
        assert!(error.contains("the answer is a download"), "{error}");
        page.goto(&site).await.unwrap();
        assert_eq!(title(&page).await, "home");
        context.close().await.unwrap();
    });
}

#[test]
fn page_that_never_finishes_is_awaited_as_far_as_asked() {
    run(async {
        let (context, page) = blank().await;
        let site = site().await;
        let url = format!("{site}/endless");
        let until = |until| NavigationOptions { until, deadline: Some(SOON) };
        page.goto_with(&url, NavigationOptions { deadline: None, ..until(LoadState::DomContentLoaded) }).await.unwrap();
        assert_eq!(page.locator("p").text_content().await.unwrap(), "parsed");
        page.wait_for_load_state(LoadState::DomContentLoaded).await.unwrap();
        let error = page.goto_with(&url, until(LoadState::Load)).await.unwrap_err().to_string();
        let expected = format!(
            "cannot load {url}: no load event within 700ms; its document has been parsed; requests still pending: \
             [{site}/silent]; check the address and that its server is up"
        );
        assert_eq!(error, expected);
        // The page is of use all the same.
        assert_eq!(page.locator("p").text_content().await.unwrap(), "parsed");

        let url = format!("{site}/silent");
        let error = page.goto_with(&url, until(LoadState::Commit)).await.unwrap_err().to_string();
        assert!(error.contains(&format!("no answer within 700ms; {url} has not answered; requests")), "{error}");
        page.goto(&site).await.unwrap();
        assert_eq!(title(&page).await, "home");
        context.close().await.unwrap();
    });
}

#[test]
fn navigation_overtaken_by_another_says_so_and_the_other_arrives() {
    run(async {
        let (context, page) = blank().await;
        let site = site().await;
        page.goto(&site).await.unwrap();
        let silent = format!("{site}/silent");
        let other = async {
            // Once the first is on its way.
            while !page.requests().iter().any(|request| request.url == silent) {
                tokio::task::yield_now().await;
            }
            page.goto(&format!("{site}/next")).await
        };
        let (first, second) = tokio::join!(page.goto(&silent), other);
        let error = first.unwrap_err().to_string();
        assert!(error.starts_with(&format!("cannot load {silent}: ")), "{error}");
        second.unwrap();
        assert_eq!(title(&page).await, "next");
        context.close().await.unwrap();
    });
}

#[test]
fn history_is_gone_through_over_documents_and_within_them() {
    run(async {
        let (context, page) = blank().await;
        let site = site().await;
        page.goto(&site).await.unwrap();
        page.goto(&format!("{site}/next")).await.unwrap();
        page.reload().await.unwrap();
        page.evaluate::<Value>("() => history.pushState(null, '', '/pushed')", &[]).await.unwrap();
        let url = async || page.url().await.unwrap()[site.len()..].to_owned();
        assert_eq!(url().await, "/pushed");
        page.go_back().await.unwrap();
        assert_eq!(url().await, "/next");
        page.go_back().await.unwrap();
        assert_eq!((url().await.as_str(), title(&page).await.as_str()), ("/", "home"));
        page.get_by_role("link", "next").expect().to_be_visible().await.unwrap();
        page.go_forward().await.unwrap();
        assert_eq!((url().await.as_str(), title(&page).await.as_str()), ("/next", "next"));
        page.go_forward().await.unwrap();
        let error = page.go_forward().await.unwrap_err().to_string();
        let expected = "cannot load the page after: the history has none; check the address and that its server is up";
        assert_eq!(error, expected);
        context.close().await.unwrap();
    });
}

#[test]
fn address_is_waited_for_and_a_wait_in_vain_tells_the_way_so_far() {
    run(async {
        let (context, page) = blank().await;
        let site = site().await;
        page.goto(&site).await.unwrap();
        let link = page.get_by_role("link", "next");
        let (found, clicked) = tokio::join!(page.wait_for_url(|url| url.ends_with("/next")), link.click());
        clicked.unwrap();
        assert_eq!(found.unwrap(), format!("{site}/next"));
        let push = "() => setTimeout(() => history.pushState(null, '', '/pushed'))";
        page.evaluate::<Value>(push, &[]).await.unwrap();
        page.wait_for_url(|url| url.ends_with("/pushed")).await.unwrap();
        context.close().await.unwrap();

        let browser = support::launch_with(|options| options.navigation_deadline = SOON).await;
        let page = browser.new_context(ContextOptions::default()).await.unwrap().new_page().await.unwrap();
        page.goto(&site).await.unwrap();
        page.evaluate::<Value>("() => { location.hash = 'there'; }", &[]).await.unwrap();
        let error = page.wait_for_url(|url| url.ends_with("/never")).await.unwrap_err().to_string();
        let expected = format!("waiting for an address did not succeed within 700ms\ncall log:\n  - at {site}/#there");
        assert_eq!(error, expected);
        page.close().await.unwrap();
        assert!(page.is_closed());
        let error = page.wait_for_url(|_| true).await.unwrap_err();
        assert!(matches!(error, Error::PageClosed { .. }), "{error}");
        browser.close().await.unwrap();
    });
}

#[test]
fn relative_addresses_are_resolved_against_the_base() {
    run(async {
        let site = site().await;
        let options = ContextOptions { base_url: Some(format!("{site}/app/")), ..ContextOptions::default() };
        let context = shared_browser().await.new_context(options).await.unwrap();
        let page = context.new_page().await.unwrap();
        page.goto("page").await.unwrap();
        assert_eq!(title(&page).await, "page");
        page.goto("/next").await.unwrap();
        assert_eq!(title(&page).await, "next");
        context.close().await.unwrap();
    });
}

#[test]
fn content_is_set_and_loaded_with_what_it_refers_to() {
    run(async {
        let (context, page) = blank().await;
        let site = site().await;
        page.goto(&site).await.unwrap();
        // A page that patches what would do it is not in the way.
        let hostile = "() => { document.open = document.write = () => { throw new Error('no') }; }";
        page.evaluate::<Value>(hostile, &[]).await.unwrap();
        page.set_content("<title>set</title><script src='data:text/javascript,ran=1'></script><p>new</p>")
            .await
            .unwrap();
        assert_eq!((title(&page).await.as_str(), page.url().await.unwrap()), ("set", format!("{site}/")));
        assert_eq!(page.evaluate::<Value>("() => ran", &[]).await.unwrap(), json!(1));
        assert_eq!(page.get_by_text("new").count().await.unwrap(), 1);
        context.close().await.unwrap();
    });
}

#[test]
fn window_closed_in_mid_action_ends_the_action() {
    run(async {
        let (context, page) = blank().await;
        page.goto(&site().await).await.unwrap();
        let never = page.locator("#never").within(Duration::from_secs(20));
        let close = async {
            page.settle_events().await.unwrap();
            page.close().await.unwrap();
        };
        let (waited, ()) = tokio::join!(never.click(), close);
        let error = waited.unwrap_err();
        assert!(matches!(error, Error::PageClosed { .. }), "{error}");
        let error = page.goto("about:blank").await.unwrap_err();
        assert!(matches!(error, Error::PageClosed { .. }), "{error}");
        assert!(matches!(page.go_back().await.unwrap_err(), Error::PageClosed { .. }));
        assert!(matches!(page.wait_for_load_state(LoadState::Load).await.unwrap_err(), Error::PageClosed { .. }));
        context.close().await.unwrap();
    });
}

#[test]
fn fifty_megabytes_are_loaded_and_looked_at() {
    run(async {
        let (context, page) = blank().await;
        // Hidden: to lay it out takes the browser itself a minute.
        let paragraph = format!("<p hidden>{}</p>", "word ".repeat(2_000));
        let html = format!("<title>big</title>{}<button>End</button>", paragraph.repeat(50_000_000 / paragraph.len()));
        page.goto(&support::serve(&html).await).await.unwrap();
        page.get_by_role("button", "End").click().await.unwrap();
        assert_eq!(page.locator("p").count().await.unwrap(), 50_000_000 / paragraph.len());
        context.close().await.unwrap();
    });
}
