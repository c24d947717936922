//! Contexts are worlds of their own; pages beside each other both run.

mod support;

use browser::{ColorScheme, ContextOptions, Viewport};
use serde_json::{Value, json};
use support::{page_in, run, serve, shared_browser};

#[test]
fn contexts_share_no_storage_and_no_cookies() {
    run(async {
        let browser = shared_browser().await;
        let url = serve("hello").await;
        let mut pages = Vec::new();
        for _ in 0..2 {
            let context = browser.new_context(ContextOptions::default()).await.unwrap();
            let page = context.new_page().await.unwrap();
            page.goto(&url).await.unwrap();
            pages.push(page);
        }
        let write = "() => { localStorage.setItem('who', 'first'); document.cookie = 'who=first'; }";
        pages[0].evaluate::<Value>(write, &[]).await.unwrap();
        let read = "() => [localStorage.getItem('who'), document.cookie]";
        assert_eq!(pages[0].evaluate::<Value>(read, &[]).await.unwrap(), json!(["first", "who=first"]));
        assert_eq!(pages[1].evaluate::<Value>(read, &[]).await.unwrap(), json!([null, ""]));
    });
}

#[test]
fn context_options_hold_in_every_page_also_after_navigation() {
    run(async {
        let browser = shared_browser().await;
        let options = ContextOptions {
            viewport: Some(Viewport { width: 640, height: 480 }),
            locale: Some("de-DE".into()),
            timezone: Some("Asia/Tokyo".into()),
            color_scheme: Some(ColorScheme::Dark),
            ..ContextOptions::default()
        };
        let context = browser.new_context(options).await.unwrap();
        let seen =
            "() => [innerWidth, innerHeight, navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,
        matchMedia('(prefers-color-scheme: dark)').matches]";
        for _ in 0..2 {
            let page = context.new_page().await.unwrap();
            page.goto(&serve("hello").await).await.unwrap();
            let values = page.evaluate::<Value>(seen, &[]).await.unwrap();
            assert_eq!(values, json!([640, 480, "de-DE", "Asia/Tokyo", true]));
        }
        let other = page_in(browser, "hello").await;
        let values = other.evaluate::<Value>(seen, &[]).await.unwrap();
        assert_eq!((&values[0], &values[1], &values[4]), (&json!(1280), &json!(720), &json!(false)));
    });
}

#[test]
fn two_pages_work_side_by_side_with_keys_going_to_the_right_one() {
    run(async {
        let browser = shared_browser().await;
        let body = "<label>Name <input></label><button onclick='done.textContent = document.querySelector(\"input\").value'>Save</button><p id=done></p>";
        let (one, two) = tokio::join!(page_in(browser, body), page_in(browser, body));
        let work = async |page: &browser::Page, name: &str| {
            page.get_by_label("Name").press_sequentially(name).await.unwrap();
            page.get_by_role("button", "Save").click().await.unwrap();
            page.locator("#done").expect().to_have_text(name).await.unwrap();
        };
        tokio::join!(work(&one, "first person"), work(&two, "second person"));
    });
}

#[test]
fn closed_context_closes_its_pages_and_says_so() {
    run(async {
        let browser = shared_browser().await;
        let context = browser.new_context(ContextOptions::default()).await.unwrap();
        let page = context.new_page().await.unwrap();
        page.goto(&serve("hello").await).await.unwrap();
        context.close().await.unwrap();
        let error = page.locator("p").click().await.unwrap_err().to_string();
        assert!(error.starts_with("click locator(\"p\"): the page "), "{error}");
        assert!(error.ends_with(" is closed; open another with Context::new_page"), "{error}");
        page.close().await.unwrap();
    });
}
