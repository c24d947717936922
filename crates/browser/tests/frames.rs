//! Documents within documents: found, read, clicked and waited for as if there were no border.

mod support;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use browser::Error;
use serde_json::{Value, json};
use support::{SOON, page_with, run};

/// Serves one document at every path and host name of this machine: another port is another origin.
async fn origin(body: &'static str) -> String {
    let app =
        Router::new().fallback(get(move || async move { Html(format!("<!doctype html><title>Inner</title>{body}")) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, app).await });
    // Another site as well, so that the frame runs in a process of its own.
    format!("http://localhost:{port}/")
}

const BUTTON: &str = "<h1>Inside</h1><button onclick='this.textContent = `done ${event.isTrusted}`'>Go</button>";

#[test]
fn elements_in_frames_of_any_origin_are_found_clicked_and_expected() {
    run(async {
        let other = origin(BUTTON).await;
        let (context, page) = page_with(&format!(
            "<button>Go</button><div style='margin:40px'><iframe id=cross src='{other}'></iframe></div>
             <iframe id=doc srcdoc=\"<iframe id=deep srcdoc='<p>deep</p><input>'></iframe>{BUTTON}\"></iframe><iframe id=blank></iframe>"
        ))
        .await;
        for id in ["#cross", "#doc"] {
            let frame = page.frame_locator(id);
            frame.get_by_role("button", "Go").click().await.unwrap();
            frame.locator("button").expect().to_have_text("done true").await.unwrap();
            frame.get_by_text("Inside").expect().to_be_visible().await.unwrap();
        }
        let deep = page.locator("#doc").content_frame().frame_locator("#deep");
        assert_eq!(deep.locator("p").text_content().await.unwrap(), "deep");
        deep.locator("input").press_sequentially("typed").await.unwrap();
        assert_eq!(deep.locator("input").input_value().await.unwrap(), "typed");
        assert_eq!(
            deep.locator("input").evaluate::<String>("(el, more) => el.value + more", &[" on".into()]).await.unwrap(),
            "typed on"
        );
        assert_eq!(page.get_by_role("button", "Go").count().await.unwrap(), 1, "frames are worlds of their own");
        assert_eq!(page.frame_locator("#blank").locator("body").text_content().await.unwrap(), "");
        context.close().await.unwrap();
    });
}

#[test]
fn frames_are_listed_in_order_with_address_name_and_scripts_of_their_own() {
    run(async {
        let other = origin("<p>other</p>").await;
        let (context, page) = page_with(&format!(
            "<iframe name=first srcdoc=\"<p>one</p><iframe name=nested srcdoc=two></iframe>\"></iframe><iframe name=last src='{other}'></iframe>"
        ))
        .await;
        let frames = page.frames().await.unwrap();
        let mut names = Vec::new();
        for frame in &frames {
            names.push(frame.name().await.unwrap());
        }
        assert_eq!(names, ["", "first", "nested", "last"]);
        assert!(frames[0].is_main() && !frames[1].is_main());
        assert_eq!(frames[1].url().await.unwrap(), "about:srcdoc");
        assert_eq!(frames[3].url().await.unwrap(), other);
        assert_eq!(frames[3].title().await.unwrap(), "Inner");
        assert_eq!(frames[3].evaluate::<String>("() => document.body.textContent", &[]).await.unwrap(), "other");
        assert_eq!(frames[1].locator("p").text_content().await.unwrap(), "one");
        assert_eq!(frames[1].child_frames().await.unwrap().len(), 1);
        assert!(page.content().await.unwrap().starts_with("<!DOCTYPE html><html lang=\"en\"><head><title>Test page"));

        page.evaluate::<Value>("() => document.querySelector('iframe').remove()", &[]).await.unwrap();
        let error = frames[1].locator("p").click().await.unwrap_err();
        assert!(matches!(error, Error::FrameDetached { .. }), "{error}");
        let error = error.to_string();
        assert!(error.starts_with("click locator(\"p\"): the frame ") && error.contains("is gone"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn frame_that_comes_late_or_is_replaced_is_resolved_anew() {
    run(async {
        let other = origin(BUTTON).await;
        let (context, page) = page_with("<div id=place></div>").await;
        let script = "(url) => {
            const show = (attribute, value) => { const f = document.createElement('iframe'); f[attribute] = value; place.replaceChildren(f) };
            setTimeout(show, 100, 'srcdoc', '<button disabled>Go</button>'); setTimeout(show, 250, 'srcdoc', 'nothing');
            setTimeout(show, 400, 'src', url); }";
        page.evaluate::<Value>(script, &[other.into()]).await.unwrap();
        page.frame_locator("iframe").get_by_role("button", "Go").click().await.unwrap();
        page.frame_locator("iframe").get_by_role("button", "done true").expect().to_be_visible().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn missing_and_ambiguous_frames_are_told_apart_from_missing_elements() {
    run(async {
        let (context, page) = page_with("<p>text</p><iframe srcdoc=a></iframe><iframe id=b srcdoc=b></iframe>").await;
        let check = async |css: &str, expected: &str| {
            let error = page.frame_locator(css).locator("i").within(SOON).click().await.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("#none", "call log:\n  - looking for the frame locator(\"#none\")\n  - no element matches the locator")
            .await;
        check("#b", "within 700ms\ncall log:\n  - no element matches the locator").await;
        check("iframe", "click locator(\"iframe\").content_frame().locator(\"i\"): the frame locator(\"iframe\"): the locator matches 2").await;
        check("p", "<p>text</p> (paragraph) is no frame; name an <iframe>").await;
        context.close().await.unwrap();
    });
}

#[test]
fn page_from_the_history_still_answers_with_its_frames() {
    run(async {
        let (context, page) = page_with("<iframe srcdoc='<p>in</p>'></iframe>").await;
        let elsewhere = origin("<iframe srcdoc=x></iframe>").await;
        page.goto(&elsewhere).await.unwrap();
        let back = "() => { setTimeout(() => history.back()) }";
        page.evaluate::<Value>(back, &[]).await.unwrap();
        page.frame_locator("iframe").get_by_text("in").expect().to_be_visible().await.unwrap();
        assert_eq!(page.evaluate::<Value>("() => 1 + 1", &[]).await.unwrap(), json!(2));
        context.close().await.unwrap();
    });
}
