//! Waits armed before the action: console, dialogs, downloads, file choosers, popups, workers; and the stream of events.

mod support;

use axum::Router;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::Html;
use axum::routing::get;
use browser::{
    AnsweredBy, Context, ContextOptions, DialogAnswer, DialogKind, Error, Page, PageEvent, ProblemKind, Viewport,
};
use serde_json::{Value, json};
use std::time::Duration;
use support::{SOON, page_with, run, serve_app, shared_browser};
use tokio::io::AsyncWriteExt;

async fn page_of(app: Router) -> (Context, Page, String) {
    let address = serve_app(app).await;
    let context = shared_browser().await.new_context(ContextOptions::default()).await.unwrap();
    let page = context.new_page().await.unwrap();
    page.goto(&address).await.unwrap();
    (context, page, address)
}

fn html(body: &str) -> axum::routing::MethodRouter {
    let body = format!("<!doctype html><title>Test page</title><body>{body}");
    get(move || async move { Html(body) })
}

fn script(source: &'static str) -> axum::routing::MethodRouter {
    get(move || async move { ([(CONTENT_TYPE, "text/javascript")], source) })
}

#[test]
fn console_calls_come_with_values_place_and_the_text_of_errors() {
    run(async {
        let (context, page) = page_with("hello").await;
        let entry = page.expect_console(|entry| entry.text.contains("second"));
        let failed = page.expect_console(|entry| entry.level == "error");
        let thrown = page.expect_event(|event| match event {
            PageEvent::PageError(entry) => Some(entry.clone()),
            _ => None,
        });
        let work = "() => { console.log('first'); console.info('second', { a: [1, null], m: new Map([['k', 2]]) });
            console.error(new RangeError('too far')); setTimeout(() => { throw new TypeError('later') }); }";
        page.evaluate::<Value>(work, &[]).await.unwrap();
        let entry = entry.await.unwrap();
        assert_eq!(entry.args, [json!("second"), json!({"a": [1, null], "m": {"k": 2}})]);
        assert_eq!(entry.method, "info");
        assert!(entry.location().unwrap().line > 0);
        assert_eq!(failed.await.unwrap().text, "RangeError: too far");
        assert_eq!(thrown.await.unwrap().text, "TypeError: later");
        page.clear_console();
        assert_eq!(page.console(), []);
        assert_eq!(page.problems().len(), 2, "what was cleared still counts");
        context.close().await.unwrap();
    });
}

#[test]
fn wait_names_what_came_instead_and_ends_with_its_page() {
    run(async {
        let (context, page) = page_with("hello").await;
        let entry = page.expect_console(|entry| entry.text == "ready").within(SOON);
        page.evaluate::<Value>("() => { for (let i = 0; i < 12; i++) console.log('step ' + i) }", &[]).await.unwrap();
        let error = entry.await.unwrap_err().to_string();
        assert!(
            error.contains(" did not succeed within 700ms\ncall log:\n  - 2 more before these\n  - info: step 2 at ")
        );
        assert!(error.lines().last().unwrap().starts_with("  - info: step 11 at "), "{error}");

        let (never, came) = (page.expect_popup(), page.expect_console(|entry| entry.text == "bye"));
        page.evaluate::<Value>("() => console.log('bye')", &[]).await.unwrap();
        page.close().await.unwrap();
        came.await.unwrap();
        assert!(matches!(never.await, Err(Error::PageClosed { .. })));
        assert!(matches!(page.expect_download().await, Err(Error::PageClosed { .. })));
        context.close().await.unwrap();
    });
}

#[test]
fn dialogs_are_answered_as_announced_and_never_hold_an_action_up() {
    run(async {
        let (context, page) = page_with(
            "<button onclick=\"this.textContent = [confirm('Sure?'), prompt('Name?', 'Ada')].join()\">ask</button>",
        )
        .await;
        let (sure, name) =
            (page.expect_dialog(DialogAnswer::Accept), page.expect_dialog(DialogAnswer::Type("Bo".into())));
        page.locator("button").click().await.unwrap();
        page.locator("button").expect().to_have_text("true,Bo").await.unwrap();
        let (sure, name) = (sure.await.unwrap(), name.await.unwrap());
        assert_eq!((sure.kind, sure.message.as_str()), (DialogKind::Confirm, "Sure?"));
        assert_eq!((name.kind, name.default_value.as_str()), (DialogKind::Prompt, "Ada"));

        page.on_dialog(|dialog| match dialog.kind {
            DialogKind::Prompt => DialogAnswer::Accept,
            _ => DialogAnswer::Dismiss,
        });
        page.locator("button").click().await.unwrap();
        page.locator("button").expect().to_have_text("false,Ada").await.unwrap();
        let by: Vec<AnsweredBy> = page.dialogs().iter().map(|dialog| dialog.answered_by).collect();
        assert_eq!(by, [AnsweredBy::Expectation, AnsweredBy::Expectation, AnsweredBy::Handler, AnsweredBy::Handler]);
        context.close().await.unwrap();
    });
}

#[test]
fn dialog_nobody_announced_is_dismissed_and_on_record() {
    run(async {
        let (context, page) =
            page_with("<iframe srcdoc=\"<script>parent.got = confirm('In a frame?')</script>\"></iframe>").await;
        assert_eq!(page.evaluate::<Value>("() => got", &[]).await.unwrap(), json!(false));
        // A decider that panics leaves the page no stuck either.
        page.on_dialog(|_| panic!("unexpected"));
        assert_eq!(page.evaluate::<Value>("() => confirm('Again?')", &[]).await.unwrap(), json!(false));
        let dialogs = page.dialogs();
        assert_eq!(
            dialogs.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["confirm \"In a frame?\"", "confirm \"Again?\""]
        );
        assert_eq!(
            (dialogs[0].answered_by, dialogs[0].answer.clone()),
            (AnsweredBy::Nobody, Some(DialogAnswer::Dismiss))
        );
        // An announcement that is dropped takes no dialog.
        drop(page.expect_dialog(DialogAnswer::Accept));
        let unheard = page.expect_dialog(DialogAnswer::Accept).within(SOON).await.unwrap_err().to_string();
        assert!(
            unheard.contains("waiting for a dialog (expected at ") && unheard.ends_with("call log: nothing was seen")
        );
        context.close().await.unwrap();
    });
}

#[test]
fn page_that_asks_whether_to_leave_can_be_kept_or_left() {
    run(async {
        let (context, page) =
            page_with("<input><script>onbeforeunload = (event) => event.preventDefault()</script>").await;
        page.locator("input").press_sequentially("x").await.unwrap();
        let asked = page.expect_dialog(DialogAnswer::Dismiss);
        assert!(!page.close_asking().await.unwrap());
        assert_eq!(asked.await.unwrap().kind, DialogKind::BeforeUnload);
        assert_eq!(page.title().await.unwrap(), "Test page");
        // Nobody keeps it: the navigation goes on.
        page.goto("about:blank").await.unwrap();
        assert!(page.close_asking().await.unwrap());
        assert!(page.close_asking().await.unwrap(), "closed already");
        context.close().await.unwrap();
    });
}

#[test]
fn downloads_of_one_name_stay_apart_and_go_with_their_context() {
    run(async {
        let report = |text: &'static str| {
            get(move || async move {
                ([(CONTENT_TYPE, "text/csv"), (CONTENT_DISPOSITION, "attachment; filename=\"report one.csv\"")], text)
            })
        };
        let app = Router::new()
            .route(
                "/",
                html("<a href=/a>first</a><a href=/b>second</a><a href='data:text/plain,x' download=x.txt>third</a>"),
            )
            .route("/a", report("a,b"))
            .route("/b", report("c,d"));
        let (context, page, address) = page_of(app).await;
        let mut downloads = Vec::new();
        for name in ["first", "second", "third"] {
            let download = page.expect_download();
            page.get_by_role("link", name).click().await.unwrap();
            downloads.push(download.await.unwrap());
        }
        let names: Vec<&str> = downloads.iter().map(|download| download.suggested_filename()).collect();
        assert_eq!(names, ["report one.csv", "report one.csv", "x.txt"]);
        assert_eq!(downloads[0].url(), format!("{address}a"));
        let mut texts = Vec::new();
        for download in &downloads {
            assert_eq!(download.failure().await.unwrap(), None);
            texts.push(std::fs::read_to_string(download.path().await.unwrap()).unwrap());
        }
        assert_eq!(texts, ["a,b", "c,d", "x"]);
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("deep/kept.csv");
        downloads[1].save_as(&kept).await.unwrap();
        assert_eq!(page.downloads().len(), 3);
        assert_eq!(page.problems(), []);
        let path = downloads[0].path().await.unwrap();
        assert!(path.starts_with(shared_browser().await.folder()));
        context.close().await.unwrap();
        assert!(!path.exists());
        assert_eq!(std::fs::read_to_string(kept).unwrap(), "c,d");
    });
}

#[test]
fn download_that_is_cancelled_says_so() {
    run(async {
        let app = Router::new().route("/", html(&format!("<a href={}>get</a>", serve_endless().await)));
        let (context, page, _) = page_of(app).await;
        let download = page.expect_download();
        page.get_by_role("link", "get").click().await.unwrap();
        let download = download.await.unwrap();
        download.cancel().await.unwrap();
        assert_eq!(download.failure().await.unwrap().as_deref(), Some("it was cancelled, or the connection broke"));
        let error = download.path().await.unwrap_err().to_string();
        assert!(error.starts_with("the download \"a.zip\" of http://127.0.0.1:"), "{error}");
        context.close().await.unwrap();
    });
}

/// An address that answers with a file which begins and never ends.
async fn serve_endless() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/a.zip", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut open = Vec::new();
        while let Ok((mut socket, _)) = listener.accept().await {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/zip\r\ncontent-length: 1000000\r\n\r\n";
            let _ = socket.write_all(&[head.as_bytes(), &[7; 70_000]].concat()).await;
            open.push(socket);
        }
    });
    address
}

#[test]
fn file_choosers_take_files_and_refuse_what_browsers_refuse() {
    run(async {
        let (context, page) = page_with(
            "<label>Many <input type=file multiple></label><button onclick='one.click()'>One</button>
             <input id=one type=file hidden onchange='done.textContent = one.files[0].name'><p id=done></p>",
        )
        .await;
        let folder = tempfile::tempdir().unwrap();
        let files = ["a.txt", "b.txt"].map(|name| folder.path().join(name));
        files.iter().for_each(|file| std::fs::write(file, "text").unwrap());
        let chooser = page.expect_file_chooser();
        page.get_by_label("Many").click().await.unwrap();
        let chooser = chooser.await.unwrap();
        assert!(chooser.is_multiple());
        chooser.set_files(&files).await.unwrap();
        let names = "() => [...document.querySelector('input').files].map((file) => file.name)";
        assert_eq!(page.evaluate::<Value>(names, &[]).await.unwrap(), json!(["a.txt", "b.txt"]));

        let chooser = page.expect_file_chooser();
        page.get_by_role("button", "One").click().await.unwrap();
        let chooser = chooser.await.unwrap();
        let error = chooser.set_files(&files).await.unwrap_err().to_string();
        assert_eq!(error, "choosing files: the input takes one file; give one, or set its attribute multiple");
        let error = chooser.set_files(["no-such-file"]).await.unwrap_err().to_string();
        assert!(error.starts_with("choosing files: no-such-file: No such file or directory"), "{error}");
        chooser.set_files(&files[..1]).await.unwrap();
        page.locator("#done").expect().to_have_text("a.txt").await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn popup_that_keeps_its_opener_is_a_page_like_any_other() {
    run(async {
        let app = Router::new()
            .route(
                "/",
                html(
                    "<button onclick=\"window.open('/pop')\">open</button>
                     <button onclick=\"window.open('')\">empty</button><a href=/pop target=_blank>link</a>",
                ),
            )
            .route(
                "/pop",
                html(
                    "<button onclick=\"this.textContent = opener ? 'has opener' : 'has none'\">who</button><iframe srcdoc=x></iframe>
                     <script>console.log('loaded'); console.error(new Error('once'))</script>",
                ),
            );
        let address = serve_app(app).await;
        let options =
            ContextOptions { viewport: Some(Viewport { width: 611, height: 433 }), ..ContextOptions::default() };
        let context = shared_browser().await.new_context(options).await.unwrap();
        let page = context.new_page().await.unwrap();
        page.goto(&address).await.unwrap();
        for (name, role, opener) in [("open", "button", "has opener"), ("link", "link", "has none")] {
            let popup = page.expect_popup();
            page.get_by_role(role, name).click().await.unwrap();
            let popup = popup.await.unwrap();
            assert_eq!(popup.url().await.unwrap(), format!("{address}pop"), "{name}");
            popup.get_by_role("button", "who").click().await.unwrap();
            popup.locator("button").expect().to_have_text(opener).await.unwrap();
            assert!(popup.screenshot().await.unwrap().starts_with(b"\x89PNG"));
            let size = popup.evaluate::<Value>("() => [innerWidth, innerHeight]", &[]).await.unwrap();
            assert_eq!(size, json!([611, 433]));
            popup.settle_events().await.unwrap();
            let texts: Vec<String> = popup.console().into_iter().map(|entry| entry.text).collect();
            assert_eq!(texts, ["loaded", "Error: once"], "{name}");
            assert_eq!(context.pages().len(), 2);
            popup.close().await.unwrap();
        }
        let popup = page.expect_popup();
        let any = context.expect_page();
        page.get_by_role("button", "empty").click().await.unwrap();
        let popup = popup.await.unwrap();
        assert_eq!(any.await.unwrap().id(), popup.id());
        assert_eq!(popup.url().await.unwrap(), "about:blank");
        popup.goto(&format!("{address}pop")).await.unwrap();
        popup.get_by_role("button", "who").click().await.unwrap();
        assert_eq!(context.problems().len(), 3);
        context.close().await.unwrap();
    });
}

#[test]
fn what_workers_throw_and_ask_for_belongs_to_their_page_or_context() {
    run(async {
        let app = Router::new()
            .route("/", html("hello"))
            .route("/w.js", script("fetch('/missing').then(() => Promise.reject(new Error('in the worker')))"))
            .route("/sw.js", script("setTimeout(() => { throw new Error('in the service worker') }, 50)"))
            .route("/sh.js", script("fetch('/lost')"));
        let (context, page, address) = page_of(app).await;
        let started = page.expect_event(|event| match event {
            PageEvent::Worker { kind, url } => Some((kind.clone(), url.clone())),
            _ => None,
        });
        let error = page.expect_event(|event| match event {
            PageEvent::PageError(entry) => Some(entry.clone()),
            _ => None,
        });
        page.evaluate::<Value>("() => { window.w = new Worker('/w.js') }", &[]).await.unwrap();
        assert_eq!(started.await.unwrap(), ("dedicated-worker".to_owned(), format!("{address}w.js")));
        let error = error.await.unwrap();
        assert_eq!((error.text.as_str(), error.rejection), ("Error: in the worker", true));
        let kinds: Vec<ProblemKind> = page.problems().iter().map(|problem| problem.kind).collect();
        assert_eq!(kinds, [ProblemKind::HttpError, ProblemKind::UnhandledRejection]);

        let mut events = context.events();
        page.evaluate::<Value>(
            "() => { navigator.serviceWorker.register('/sw.js'); window.s = new SharedWorker('/sh.js') }",
            &[],
        )
        .await
        .unwrap();
        let soon = tokio::time::Instant::now() + Duration::from_secs(20);
        let (mut thrown, mut lost) = (false, false);
        while !(thrown && lost) {
            match tokio::time::timeout_at(soon, events.next()).await.unwrap().unwrap().1 {
                PageEvent::PageError(entry) => thrown |= entry.text == "Error: in the service worker",
                PageEvent::RequestFinished(request) => lost |= request.url.ends_with("/lost"),
                _ => {}
            }
        }
        let problems = context.problems();
        assert!(
            problems.iter().any(|problem| problem.url.ends_with("/lost")),
            "{problems:#?} {:#?}",
            context.requests()
        );
        context.close().await.unwrap();
    });
}

#[test]
fn stream_of_events_is_complete_in_order_and_ends_with_the_page() {
    run(async {
        let (context, page) = page_with("hello").await;
        let mut events = page.events();
        let work = "() => { history.pushState(0, '', '#part'); document.body.append(document.createElement('iframe'));
            for (let i = 0; i < 300; i++) console.log(i); document.querySelector('iframe').remove() }";
        page.evaluate::<Value>(work, &[]).await.unwrap();
        page.close().await.unwrap();
        let mut seen = Vec::new();
        while let Some((id, event)) = events.next().await {
            assert_eq!(id, page.id());
            seen.push(event);
        }
        let texts: Vec<String> = seen
            .iter()
            .filter_map(|event| match event {
                PageEvent::Console(entry) => Some(entry.text.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(texts, (0..300).map(|i| i.to_string()).collect::<Vec<_>>());
        assert!(seen.iter().any(|event| matches!(event, PageEvent::FrameNavigated { same_document: true, url, .. } if url.ends_with("#part"))));
        assert!(
            seen.iter().any(|event| matches!(event, PageEvent::FrameAttached { parent, .. } if parent == page.id()))
        );
        assert!(seen.iter().any(|event| matches!(event, PageEvent::FrameDetached { .. })));
        assert!(matches!(seen.last(), Some(PageEvent::Closed)));
        context.close().await.unwrap();
    });
}
