//! The trace of a test that failed, read as a person reads it: in the browser.

mod support;

use browser::{ContextOptions, SnapshotOptions, TraceOptions};
use support::{SOON, page_with, run, shared_browser};

#[test]
fn trace_of_a_failure_shows_what_was_done_and_seen() {
    run(async {
        let (context, page) = page_with(
            "<h1>Shop</h1><button>Buy</button><p>empty</p>
            <script>document.querySelector('button').onclick = () => {
                document.querySelector('p').textContent = 'one thing';
                console.error('no <!-- stock'); fetch('/missing');
            }</script>",
        )
        .await;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/trace.html");
        let trace = context.start_trace("buys a thing", &path);
        page.get_by_role("button", "Buy").click().await.unwrap();
        let paragraph = page.locator("p").within(SOON);
        let failed = paragraph.expect().to_have_text("two things").await.unwrap_err();
        page.settle_events().await.unwrap();
        assert_eq!(trace.save(Some("two things were expected")).await.unwrap(), path);

        page.goto(&format!("file://{}", path.display())).await.unwrap();
        let problems = page.problems().len();
        let tree = page.aria_snapshot(&SnapshotOptions::default()).await.unwrap().to_yaml();
        for expected in [
            "- heading \"buys a thing\" [level=1]",
            "- alert: two things were expected",
            "click get_by_role(\\\"button\\\", \\\"Buy\\\")",
            "error: no <!-- stock",
            "/missing 404",
            "expecting to have the text \\\"two things\\\": locator(\\\"p\\\")",
        ] {
            assert!(tree.contains(expected), "{expected:?} is not in\n{tree}");
        }
        // The failure is chosen at once, and says why.
        page.locator("#details .error").expect().to_have_text(failed.to_string().as_str()).await.unwrap();
        page.get_by_role("button", browser::TextMatch::contains("click get_by_role")).click().await.unwrap();
        let sides = page.locator(".sides");
        sides.get_by_role("img", "The page before the action").expect().to_be_visible().await.unwrap();
        sides.locator(".tree .gone").expect().to_have_text("- paragraph: empty").await.unwrap();
        sides.locator(".tree .added").expect().to_have_text("- paragraph: one thing").await.unwrap();
        page.keyboard().press("ArrowDown").await.unwrap();
        page.get_by_role("heading", "error: no <!-- stock").expect().to_be_visible().await.unwrap();
        page.get_by_label("Console").click().await.unwrap();
        page.get_by_role("button", browser::TextMatch::contains("no <!-- stock"))
            .expect()
            .to_be_hidden()
            .await
            .unwrap();
        assert_eq!(page.problems().len(), problems, "the viewer itself has no problem");
        context.close().await.unwrap();
    });
}

#[test]
fn trace_is_written_when_it_is_dropped_and_not_when_it_is_discarded() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let context = shared_browser().await.new_context(ContextOptions::default()).await.unwrap();
        let page = context.new_page().await.unwrap();
        let passed = folder.path().join("passed.html");
        let trace = context.start_trace("passes", &passed);
        page.goto("data:text/html,<p>hello").await.unwrap();
        trace.discard();
        assert!(!passed.exists());

        let failed = folder.path().join("failed.html");
        let options = TraceOptions { pictures: false, trees: true };
        let trace = context.start_trace_with("fails", &failed, options);
        page.reload().await.unwrap();
        drop(trace);
        let html = std::fs::read_to_string(&failed).unwrap();
        assert!(html.contains(r#""title":"reload""#) && !html.contains("data:image"), "{html}");

        let trace = context.start_trace("cannot be written", folder.path().join("failed.html/trace.html"));
        let error = trace.save(None).await.unwrap_err().to_string();
        assert!(error.starts_with("writing the trace: "), "{error}");
        assert!(error.contains("failed.html/trace.html: ") && error.ends_with("; check the path"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn long_answers_arrive_as_they_are() {
    run(async {
        let text = "\"quoted\" back\\slash, ünïcödé 😀 and\tcontrol \u{1} ".repeat(2000);
        let (context, page) = page_with("<p></p>").await;
        page.evaluate::<()>("(text) => { document.querySelector('p').textContent = text; }", &[text.as_str().into()])
            .await
            .unwrap();
        assert!(page.locator("p").text_content().await.unwrap() == text, "the text has changed on its way");
        context.close().await.unwrap();
    });
}
