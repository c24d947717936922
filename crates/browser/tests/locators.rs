//! Finding, acting, expecting; and what the messages say when it does not work out.

mod support;

use browser::{Error, SnapshotOptions, TextMatch};
use serde_json::{Value, json};
use support::{SOON, page_with, run};

#[test]
fn elements_are_found_by_role_name_text_label_and_test_id() {
    run(async {
        let (context, page) = page_with(
            "<button>Save  as
         draft</button><button aria-label=Close>×</button><div hidden><button>Close</button></div>
         <label for=a>Your name</label><input id=a value=Ada><input aria-label='Search here'>
         <section><p>Some <b>bold</b> words</p></section><i data-testid=mark>!</i>
         <ul><li>one</li><li>two</li><li>three</li></ul>",
        )
        .await;
        assert_eq!(page.get_by_role("button", "Save as draft").count().await.unwrap(), 1);
        assert_eq!(page.get_by_role("button", TextMatch::contains("SAVE")).count().await.unwrap(), 1);
        assert_eq!(page.get_by_role("button", "save as draft").count().await.unwrap(), 0);
        assert_eq!(page.get_by_role("button", TextMatch::Any).count().await.unwrap(), 2, "hidden ones have no role");
        assert_eq!(page.get_by_role("button", "Close").text_content().await.unwrap(), "×");
        assert_eq!(page.get_by_label("Your name").input_value().await.unwrap(), "Ada");
        assert_eq!(page.get_by_label("Search here").count().await.unwrap(), 1);
        assert_eq!(page.get_by_text("Some bold words").attribute("class").await.unwrap(), None);
        assert_eq!(page.get_by_text("bold").text_content().await.unwrap(), "bold");
        assert_eq!(page.get_by_test_id("mark").text_content().await.unwrap(), "!");
        let items = page.get_by_role("list", TextMatch::Any).get_by_role("listitem", TextMatch::Any);
        assert_eq!(items.count().await.unwrap(), 3);
        assert_eq!(items.nth(1).text_content().await.unwrap(), "two");
        assert_eq!(items.last().text_content().await.unwrap(), "three");
        assert_eq!(items.filter(TextMatch::contains("tw")).count().await.unwrap(), 1);
        context.close().await.unwrap();
    });
}

#[test]
fn open_shadow_roots_are_looked_through() {
    run(async {
        let (context, page) = page_with(
        "<x-box></x-box><script>customElements.define('x-box', class extends HTMLElement { connectedCallback() {
           this.attachShadow({ mode: 'open' }).innerHTML = '<button onclick=\"this.textContent=\\'done\\'\">inside</button>' } })</script>",
    )
    .await;
        page.get_by_role("button", "inside").click().await.unwrap();
        page.locator("button").expect().to_have_text("done").await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn ambiguous_locator_fails_at_once_and_lists_the_candidates() {
    run(async {
        let (context, page) = page_with("<button id=a>Send</button><button id=b class=big>Send</button>").await;
        let error = page.get_by_role("button", "Send").click().await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "click get_by_role(\"button\", \"Send\"): the locator matches 2 elements; make it match one, for example by what stands behind each:\n  \
         - <button id=\"a\">Send</button> (button \"Send\"): locator(\"#a\")\n  \
         - <button id=\"b\" class=\"big\">Send</button> (button \"Send\"): locator(\"#b\")"
        );
        context.close().await.unwrap();
    });
}

#[test]
fn click_on_a_covered_element_names_the_cover() {
    run(async {
        let (context, page) = page_with(
            "<button>Send</button><div id=veil style='position:fixed;inset:0'>please wait</div>
         <script>document.querySelector('button').onclick = () => document.title = 'clicked'</script>",
        )
        .await;
        let error = page.get_by_role("button", "Send").within(SOON).click().await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "click get_by_role(\"button\", \"Send\") did not succeed within 700ms\ncall log:\n  \
         - <div id=\"veil\">please wait</div> would be hit instead of <button>Send</button> (button \"Send\")"
        );
        assert_eq!(page.title().await.unwrap(), "Test page");
        context.close().await.unwrap();
    });
}

#[test]
fn click_waits_until_the_element_is_there_visible_enabled_and_at_rest() {
    run(async {
        let (context, page) = page_with(
            "<style>.slide { transition: margin-left 200ms }</style><script>
         setTimeout(() => { document.body.innerHTML = '<button class=slide hidden disabled>Go</button>';
           const b = document.querySelector('button');
           setTimeout(() => { b.hidden = false }, 50);
           setTimeout(() => { b.disabled = false; b.style.marginLeft = '300px' }, 100);
           b.onclick = (e) => { b.textContent = `${e.isTrusted} ${getComputedStyle(b).marginLeft}` } }, 50)</script>",
        )
        .await;
        page.get_by_role("button", "Go").click().await.unwrap();
        page.locator("button").expect().to_have_text("true 300px").await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn timeout_tells_what_was_in_the_way_step_by_step() {
    run(async {
        let (context, page) = page_with(
            "<script>setTimeout(() => document.body.innerHTML = '<button disabled>Go</button>', 200)</script>",
        )
        .await;
        let error = page.locator("button").within(SOON * 4).click().await.unwrap_err().to_string();
        assert!(
            error.ends_with("- no element matches the locator\n  - <button>Go</button> (button \"Go\") is disabled"),
            "{error}"
        );
        context.close().await.unwrap();
    });
}

#[test]
fn element_far_down_is_scrolled_into_view() {
    run(async {
        let (context, page) =
            page_with("<div style='height:5000px'></div><button onclick='this.textContent=scrollY>0'>Go</button>")
                .await;
        page.locator("button").click().await.unwrap();
        page.locator("button").expect().to_have_text("true").await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn typed_keys_arrive_as_trusted_events_and_fill_is_one_trusted_edit() {
    run(async {
        let (context, page) = page_with(
            "<textarea aria-label=Text></textarea><script>window.seen = [];
         for (const type of ['keydown', 'input', 'keyup']) document.querySelector('textarea').addEventListener(type,
           (e) => seen.push([e.type, e.key ?? e.inputType, e.isTrusted]))</script>",
        )
        .await;
        let text = page.get_by_label("Text");
        text.press_sequentially("a中").await.unwrap();
        let seen = page.evaluate::<Value>("() => seen.splice(0)", &[]).await.unwrap();
        assert_eq!(
            seen,
            json!([
                ["keydown", "a", true],
                ["input", "insertText", true],
                ["keyup", "a", true],
                ["keydown", "中", true],
                ["input", "insertText", true],
                ["keyup", "中", true],
            ])
        );
        text.press("Enter").await.unwrap();
        page.keyboard().type_text("b\n👩‍💻").await.unwrap();
        text.expect().to_have_value("a中 b 👩‍💻").await.unwrap();
        assert_eq!(text.input_value().await.unwrap(), "a中\nb\n👩‍💻");
        text.press("Control+a").await.unwrap();
        page.keyboard().press("Delete").await.unwrap();
        assert_eq!(text.input_value().await.unwrap(), "");

        page.evaluate::<Value>("() => seen.splice(0)", &[]).await.unwrap();
        text.fill("first").await.unwrap();
        text.fill("replaced").await.unwrap();
        assert_eq!(text.input_value().await.unwrap(), "replaced");
        let seen = page.evaluate::<Value>("() => seen.splice(0)", &[]).await.unwrap();
        assert_eq!(seen, json!([["input", "insertText", true], ["input", "insertText", true]]));
        text.fill("two\nlines").await.unwrap();
        assert_eq!(text.input_value().await.unwrap(), "two\nlines");
        text.fill("").await.unwrap();
        assert_eq!(text.input_value().await.unwrap(), "");
        context.close().await.unwrap();
    });
}

#[test]
fn fill_serves_editable_elements_and_refuses_others_by_name() {
    run(async {
        let (context, page) =
            page_with("<div id=edit contenteditable>old</div><input id=day type=date><p>text</p>").await;
        page.locator("#edit").fill("new").await.unwrap();
        page.locator("#edit").expect().to_have_text("new").await.unwrap();
        page.locator("#day").fill("2030-02-01").await.unwrap();
        assert_eq!(page.locator("#day").input_value().await.unwrap(), "2030-02-01");
        let error = page.locator("#day").fill("tomorrow").await.unwrap_err();
        assert!(matches!(error, Error::Unsuitable { .. }), "{error}");
        let error = page.locator("p").fill("x").await.unwrap_err().to_string();
        assert_eq!(
            error,
            "fill locator(\"p\"): <p>text</p> (paragraph) takes no text; fill an <input>, a <textarea> or an editable element"
        );
        context.close().await.unwrap();
    });
}

#[test]
fn invalid_selector_is_told_at_once() {
    run(async {
        let (context, page) = page_with("hello").await;
        let error = page.locator("p[").click().await.unwrap_err().to_string();
        assert_eq!(error, "click locator(\"p[\"): \"p[\" is not a CSS selector; correct it");
        context.close().await.unwrap();
    });
}

#[test]
fn failed_expectation_shows_what_was_seen_last() {
    run(async {
        let (context, page) = page_with("<p>Hello <b>there</b></p><input disabled value=x><i></i><i></i>").await;
        let check = async |result: browser::Result<()>, expected: &str| {
            let error = result.unwrap_err().to_string();
            assert!(error.ends_with(expected), "{error}");
            assert!(error.contains(" did not succeed within 700ms\ncall log:\n  - "), "{error}");
        };
        let (p, input, none) =
            (page.locator("p").within(SOON), page.locator("input").within(SOON), page.locator("u").within(SOON));
        check(p.expect().to_have_text("Bye").await, "- the text is \"Hello there\"").await;
        check(p.expect().to_be_hidden().await, "- the element is visible: <p>Hello there</p> (paragraph)").await;
        check(p.expect().to_be_detached().await, "- the element is there: <p>Hello there</p> (paragraph)").await;
        check(p.expect().to_be_focused().await, "- the focus is on <body>Hello there</body>").await;
        check(input.expect().to_be_enabled().await, "- the element is disabled").await;
        check(input.expect().to_be_editable().await, "- the element is not editable").await;
        check(input.expect().to_have_value("y").await, "- the value is \"x\"").await;
        check(none.expect().to_be_visible().await, "- the element is not there").await;
        check(page.locator("i").within(SOON).expect().to_have_count(3).await, "- there are 2 elements").await;
        p.expect().to_have_text("Hello there").await.unwrap();
        input.expect().to_be_disabled().await.unwrap();
        none.expect().to_be_hidden().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn wait_goes_on_across_a_navigation() {
    run(async {
        let (context, page) = page_with("hello").await;
        let other = support::serve("<p>arrived</p>").await;
        page.evaluate::<Value>("(url) => { setTimeout(() => { location = url }, 200) }", &[other.into()])
            .await
            .unwrap();
        page.get_by_text("arrived").expect().to_be_visible().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn script_whose_document_is_replaced_fails_with_the_reason() {
    run(async {
        let (context, page) = page_with("hello").await;
        let other = support::serve("<p>arrived</p>").await;
        let script = "(url) => { location = url; return new Promise(() => {}) }";
        let error = page.evaluate::<Value>(script, &[other.into()]).await.unwrap_err().to_string();
        assert!(error.contains("its document was replaced while it ran"), "{error}");
        page.locator("p").expect().to_have_text("arrived").await.unwrap();
        let element = "(p, url) => { location = url; return new Promise(() => {}) }";
        let error = page.locator("p").evaluate::<Value>(element, &["/x".into()]).await.unwrap_err().to_string();
        assert!(error.contains("its document was replaced while it ran"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn page_that_replaces_builtins_is_still_read_rightly() {
    run(async {
        let (context, page) = page_with(
        "<button>Go</button><script>Array.prototype.filter = () => []; JSON.stringify = () => '\"lie\"'; window.setTimeout = () => 0;
         Element.prototype.getBoundingClientRect = () => { throw 1 }; document.querySelectorAll = () => []; window.browserScript = 1</script>",
    )
    .await;
        page.get_by_role("button", "Go").click().await.unwrap();
        assert_eq!(page.title().await.unwrap(), "Test page");
        assert_eq!(
            page.evaluate_isolated::<Value>("() => [1, 2].filter((n) => n > 1)", &[]).await.unwrap(),
            json!([2])
        );
        context.close().await.unwrap();
    });
}

#[test]
fn script_that_throws_is_shown_and_a_promise_is_awaited() {
    run(async {
        let (context, page) = page_with("hello").await;
        let error = page.evaluate::<Value>("() => { throw new TypeError('odd') }", &[]).await.unwrap_err().to_string();
        assert!(error.starts_with("the script failed: TypeError: odd"), "{error}");
        let later = "(ms) => new Promise((resolve) => setTimeout(() => resolve({ late: true }), ms))";
        assert_eq!(page.evaluate::<Value>(later, &[100.into()]).await.unwrap(), json!({ "late": true }));
        let error = page.evaluate_within::<Value>(later, &[60_000.into()], SOON).await.unwrap_err().to_string();
        assert!(error.starts_with("script.callFunction got no reply within 700ms"), "{error}");
        let error = page.evaluate::<i64>("() => 'five'", &[]).await.unwrap_err().to_string();
        assert!(error.contains("its result is not of the type asked for"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn snapshot_of_a_part_has_its_root_and_marks_volatile_text() {
    run(async {
        let (context, page) =
            page_with("<ul><li>one</li><li>two</li></ul><p id=when data-volatile=clock>12:30</p>").await;
        let list = page.locator("ul").aria_snapshot(&SnapshotOptions::default()).await.unwrap();
        assert_eq!(list.to_yaml().trim_end(), "- list:\n  - listitem: one\n  - listitem: two");
        let options =
            SnapshotOptions { volatile_attribute: Some("data-volatile".into()), ..SnapshotOptions::default() };
        let text = page.locator("#when").aria_snapshot(&options).await.unwrap();
        assert_ne!(text, page.locator("#when").aria_snapshot(&SnapshotOptions::default()).await.unwrap());
        let error = page.locator("#none").within(SOON).aria_snapshot(&options).await.unwrap_err().to_string();
        assert!(error.starts_with("snapshot locator(\"#none\") did not succeed within 700ms"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn address_that_can_not_be_loaded_is_named() {
    run(async {
        let (context, page) = page_with("hello").await;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        drop(listener);
        let error = page.goto(&url).await.unwrap_err().to_string();
        assert_eq!(
            error,
            format!("cannot load {url}: net::ERR_CONNECTION_REFUSED; check the address and that its server is up")
        );
        context.close().await.unwrap();
    });
}
