//! Assertions: they wait until they hold, and say what they saw when they don't.

mod support;

use browser::{Error, Soft, TextMatch, poll};
use serde_json::Value;
use std::cell::Cell;
use std::time::{Duration, Instant};
use support::{SOON, page_with, run};

/// Lets an assertion fail and compares the end of what it says: what was seen last.
async fn fails(assertion: impl Future<Output = browser::Result<()>>, expected: &str, last: &str) {
    let error = assertion.await.unwrap_err().to_string();
    assert!(error.starts_with(&format!("expecting {expected}")), "{error}");
    assert!(error.ends_with(&format!("\n  - {last}")), "{error}");
}

const FORM: &str = "<style>.far { margin-top: 5000px } #half { position: absolute; left: -50px; width: 100px; height: 20px }</style>
    <p id=p class='one  two' title='A tip' style='color: rgb(1, 2, 3)'>Hello  <b>there</b></p>
    <input id=name value=Ada aria-label=Name aria-description='In full'><input id=off disabled><input id=ro readonly value=x>
    <input id=yes type=checkbox checked><input id=mixed type=checkbox><script>mixed.indeterminate = true; p.extra = { a: [1] }</script>
    <select id=many multiple><option value=a selected>A<option value=b>B<option value=c selected>C</select>
    <ul><li>one</li><li>two</li></ul><i id=void> </i><div id=half>half</div><div id=far class=far>far</div><em hidden>gone</em>";

#[test]
fn assertions_hold_and_their_opposites_do_not() {
    run(async {
        let (context, page) = page_with(FORM).await;
        // Each looks at least once, however brief: what it sees then is the answer.
        let at = |css: &str| page.locator(css).within(Duration::from_millis(50));
        macro_rules! both {
            ($css:literal, $method:ident($($argument:expr),*), $words:literal, $seen:literal) => {
                page.locator($css).expect().$method($($argument),*).await.unwrap();
                fails(at($css).expect().not().$method($($argument),*), concat!("not ", $words), $seen).await;
            };
        }
        both!("#p", to_be_visible(), "to be visible: locator(\"#p\")", "the element is visible");
        both!("em", to_be_hidden(), "to be hidden", "no such element is visible");
        both!("em", to_be_attached(), "to be attached", "the element is there: <em>gone</em> (emphasis)");
        both!("u", to_be_detached(), "to be detached", "no such element is there");
        both!("#name", to_be_enabled(), "to be enabled", "the element is enabled");
        both!("#off", to_be_disabled(), "to be disabled", "the element is disabled");
        both!("#name", to_be_editable(), "to be editable", "the element is editable");
        both!("#ro", to_be_readonly(), "to be read-only", "the element is read-only");
        both!("#yes", to_be_checked(), "to be checked", "the element is checked");
        both!("#mixed", to_be_indeterminate(), "to be indeterminate", "the element is indeterminate");
        both!("#void", to_be_empty(), "to be empty", "the element is empty");
        both!(
            "#half",
            to_be_in_viewport_by(0.4),
            "to be in the viewport by 0.4",
            "50 % of the element are in the viewport"
        );
        both!("#p", to_have_text("Hello there"), "to have the text \"Hello there\"", "the text is \"Hello there\"");
        both!("#p", to_contain_text("lo th"), "to contain the text", "the text is \"Hello there\"");
        both!("#name", to_have_value(TextMatch::regex("^A")), "to have the value /^A/", "the value is \"Ada\"");
        both!(
            "#many",
            to_have_values(["a", "c"]),
            "to have the values [\"a\", \"c\"]",
            "the values are [\"a\", \"c\"]"
        );
        both!("li", to_have_count(2), "to be 2 elements", "there are 2 elements");
        both!(
            "li",
            to_have_texts(["one", "two"]),
            "to have the texts [\"one\", \"two\"]",
            "the texts are [\"one\", \"two\"]"
        );
        both!(
            "#p",
            to_have_attribute("title", "A tip"),
            "to have the attribute \"title\" with \"A tip\"",
            "the attribute \"title\" is \"A tip\""
        );
        both!(
            "#p",
            to_have_css("color", "rgb(1, 2, 3)"),
            "to have the CSS property \"color\"",
            "the CSS property \"color\" is \"rgb(1, 2, 3)\""
        );
        both!("#p", to_have_class("one two"), "to have the class \"one two\"", "the class is \"one two\"");
        both!("#p", to_contain_class("two"), "to contain the class \"two\"", "the class is \"one two\"");
        both!("ul", to_have_role("list"), "to have the role \"list\"", "the role is \"list\"");
        both!(
            "#name",
            to_have_accessible_name("Name"),
            "to have the accessible name \"Name\"",
            "the accessible name is \"Name\""
        );
        both!(
            "#name",
            to_have_accessible_description("In full"),
            "to have the accessible description",
            "the accessible description is \"In full\""
        );
        both!("p", to_have_id("p"), "to have the id \"p\"", "the id is \"p\"");
        let expected = serde_json::json!({ "a": [1] });
        page.locator("#p").expect().to_have_js_property("extra", &expected).await.unwrap();
        fails(
            page.locator("#p").within(Duration::from_secs(2)).expect().to_have_js_property("tagName", "Q"),
            "locator(\"#p\"): the property \"tagName\" to be \"Q\"",
            "it is \"P\"",
        )
        .await;
        fails(at("#far").expect().to_be_in_viewport(), "to be in the viewport", "the element is outside the viewport")
            .await;
        fails(
            at("li").expect().to_have_texts(["one"]),
            "to have the texts [\"one\"]",
            "the texts are [\"one\", \"two\"]",
        )
        .await;
        fails(at("u").expect().not().to_have_text("x"), "not to have the text", "the element is not there").await;
        let error = at("#p").expect().to_be_checked().await.unwrap_err();
        assert!(matches!(error, Error::Unsuitable { .. }), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn page_assertions_wait_for_title_and_address() {
    run(async {
        let (context, page) = page_with("hello").await;
        let script = "() => { setTimeout(() => { document.title = 'Inbox (3)'; history.pushState(null, '', '/inbox?q=1#top') }, 200) }";
        page.evaluate::<Value>(script, &[]).await.unwrap();
        page.expect().to_have_title(TextMatch::regex(r"\(\d\)$")).await.unwrap();
        page.expect().to_have_url(TextMatch::contains("/inbox?q=1")).await.unwrap();
        page.expect().not().to_have_url(TextMatch::regex("#bottom$")).await.unwrap();
        fails(
            page.expect().within(SOON).to_have_title("Outbox"),
            "the page to have the title \"Outbox\" did not succeed within 700ms",
            "the title is \"Inbox (3)\"",
        )
        .await;
        context.close().await.unwrap();
    });
}

#[test]
fn values_set_by_script_are_noticed_without_any_mutation() {
    run(async {
        let (context, page) = page_with("<input><input type=checkbox>").await;
        let script = "() => setTimeout(() => { document.querySelector('input').value = 'late'; document.querySelectorAll('input')[1].checked = true }, 150)";
        page.evaluate::<Value>(script, &[]).await.unwrap();
        page.locator("input").first().expect().to_have_value("late").await.unwrap();
        page.get_by_role("checkbox", TextMatch::Any).expect().to_be_checked().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn snapshot_assertion_waits_and_shows_the_node_that_differs() {
    run(async {
        let (context, page) = page_with("<h1>Loading</h1><ul></ul>").await;
        let script = "() => { setTimeout(() => { document.querySelector('h1').textContent = 'Inbox (12)' }, 100);
            setTimeout(() => { document.querySelector('ul').innerHTML = '<li>one</li>' }, 300) }";
        page.evaluate::<Value>(script, &[]).await.unwrap();
        page.expect()
            .to_match_aria_snapshot("- heading /Inbox \\(\\d+\\)/ [level=1]\n- list:\n  - listitem: one")
            .await
            .unwrap();
        let list = page.locator("ul").within(SOON);
        list.expect().to_match_aria_snapshot("- list:\n  - listitem: one").await.unwrap();
        list.expect().not().to_match_aria_snapshot("- list:\n  - listitem: two").await.unwrap();
        let error = list.expect().to_match_aria_snapshot("- list:\n  - listitem: two").await.unwrap_err().to_string();
        assert!(
            error.starts_with("expecting to match the snapshot: locator(\"ul\") did not succeed within 700ms"),
            "{error}"
        );
        assert!(
            error.contains("two") && error.contains("one") && error.contains("not as the template says"),
            "{error}"
        );
        let error = list.expect().to_match_aria_snapshot("- lisst\n- [x").await.unwrap_err().to_string();
        assert!(error.contains("the template can't be read; correct it"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn soft_assertions_are_told_together_and_never_lost() {
    run(async {
        let (context, page) = page_with("<p>text</p>").await;
        let p = page.locator("p").within(Duration::from_millis(50));
        let mut soft = Soft::default();
        assert!(!soft.check(p.expect().to_have_text("other")).await);
        assert!(soft.check(p.expect().to_be_visible()).await);
        soft.check(page.expect().within(Duration::from_millis(50)).to_have_title("x")).await;
        let error = soft.finish().unwrap_err().to_string();
        assert!(error.starts_with("2 of 3 soft assertions failed"), "{error}");
        assert!(error.contains("the text is \"text\"") && error.contains("the title is \"Test page\""), "{error}");

        let lost = tokio::spawn(async move {
            let mut soft = Soft::default();
            soft.check(p.expect().to_be_hidden()).await;
        });
        let panic = lost.await.unwrap_err().into_panic();
        let words = panic.downcast_ref::<String>().unwrap();
        assert!(words.contains("call Soft::finish") && words.contains("the element is visible"), "{words}");
        Soft::default().finish().unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn poll_asks_until_the_answer_is_right_and_tells_the_last_ones() {
    run(async {
        let count = Cell::new(0);
        let next = async || {
            count.set(count.get() + 1);
            count.get()
        };
        poll("rows", next).to_equal(4).await.unwrap();
        let error = poll("rows", async || 7).within(Duration::from_millis(60)).to_equal(8).await.unwrap_err();
        assert_eq!(error.to_string(), "expecting rows to equal 8 did not succeed within 60ms\ncall log:\n  - it is 7");
        let start = Instant::now();
        let hangs = poll("rows", async || std::future::pending::<u8>().await).within(Duration::from_millis(60));
        let error = hangs.until("to be there", |_| true).await.unwrap_err().to_string();
        assert!(error.ends_with("- the probe did not answer in time"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5));
    });
}

#[test]
fn elements_are_read_as_they_are_now() {
    run(async {
        let (context, page) = page_with(
            "<div id=d style='position:absolute;left:10px;top:20px;width:30px;height:40px'>A<br>B<span hidden>C</span></div>
             <input id=i type=checkbox checked disabled><i>x</i><i>y</i>",
        )
        .await;
        let div = page.locator("#d");
        assert_eq!(div.text_content().await.unwrap(), "ABC");
        assert_eq!(div.inner_text().await.unwrap(), "A\nB");
        assert_eq!(div.inner_html().await.unwrap(), "A<br>B<span hidden=\"\">C</span>");
        let area = div.bounding_box().await.unwrap().unwrap();
        assert_eq!((area.x, area.y, area.width, area.height), (10.0, 20.0, 30.0, 40.0));
        assert_eq!(page.locator("#d span").bounding_box().await.unwrap(), None);
        assert_eq!(page.locator("i").all_text_contents().await.unwrap(), ["x", "y"]);
        assert_eq!(page.locator("i").all_inner_texts().await.unwrap(), ["x", "y"]);
        let input = page.locator("#i");
        assert!(
            input.is_checked().await.unwrap()
                && input.is_disabled().await.unwrap()
                && input.is_visible().await.unwrap()
        );
        assert!(
            !input.is_enabled().await.unwrap()
                && !input.is_hidden().await.unwrap()
                && !input.is_focused().await.unwrap()
        );
        assert!(page.locator("#none").is_hidden().await.unwrap() && !div.is_editable().await.unwrap());
        assert_eq!(div.evaluate::<u32>("(el, add) => el.childNodes.length + add", &[10.into()]).await.unwrap(), 14);
        context.close().await.unwrap();
    });
}
