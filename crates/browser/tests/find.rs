//! Every way to find elements, in plain and shadow trees, on pages that make it hard.

mod support;

use browser::{Error, Locator, Page, RoleOptions, TextMatch};
use serde_json::Value;
use std::time::Instant;
use support::{SOON, page_with, run};

/// Ids of the elements, in the order they are found.
async fn ids(locator: &Locator) -> String {
    let mut ids = Vec::new();
    for one in locator.all().await.unwrap() {
        ids.push(one.attribute("id").await.unwrap().unwrap_or_else(|| "-".into()));
    }
    ids.join(" ")
}

#[test]
fn roles_are_found_by_name_description_and_state() {
    run(async {
        let (context, page) = page_with(
            "<button id=a aria-expanded=true>Menu</button><button id=b aria-expanded=false aria-pressed=mixed>Menu</button>
             <button id=c disabled aria-pressed=true title='More things'>Save 12</button>
             <input id=d type=checkbox checked aria-label=One><input id=e type=checkbox aria-label=Two>
             <h2 id=f>Title</h2><div id=g role=heading aria-level=3>Title</div><div hidden><h2 id=h>Title</h2></div>
             <div role=tablist><div id=i role=tab aria-selected=true>T</div><div id=j role=tab>T</div></div>
             <img id=k alt=Sea src=''><div id=l role=image aria-label=Sky></div>",
        )
        .await;
        let check = async |role: &str, options: RoleOptions, expected: &str| {
            let locator = page.get_by_role(role, options);
            assert_eq!(ids(&locator).await, expected, "{locator}");
        };
        let any = RoleOptions::default;
        check("button", any(), "a b c").await;
        check("button", any().expanded(true), "a").await;
        check("button", RoleOptions::name("Menu").expanded(false), "b").await;
        check("button", any().pressed(true), "c").await;
        check("button", any().pressed(false), "a").await;
        check("button", any().pressed_mixed(), "b").await;
        check("button", any().disabled(true), "c").await;
        check("button", any().description("More things"), "c").await;
        check("button", TextMatch::regex(r"^Save \d+$").into(), "c").await;
        check("button", TextMatch::Regex { pattern: "MENU".into(), flags: "ig".into() }.into(), "a b").await;
        check("checkbox", any().checked(true), "d").await;
        check("checkbox", any().checked(false), "e").await;
        check("heading", any().level(2), "f").await;
        check("heading", RoleOptions::name("Title").include_hidden(), "f g h").await;
        check("tab", any().selected(true), "i").await;
        check("image", any(), "k l").await;
        let error = page.get_by_role("buton", "Send").click().await.unwrap_err().to_string();
        assert_eq!(
            error,
            "click get_by_role(\"buton\", \"Send\"): \"buton\" is no ARIA role; did you mean \"button\"?"
        );
        let error = page.get_by_role("button", TextMatch::regex("(")).count().await.unwrap_err().to_string();
        assert!(error.contains("/(/ is not a JavaScript pattern") && error.ends_with("; correct it"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn elements_are_found_by_text_label_attributes_and_xpath() {
    run(async {
        let (context, page) = page_with(
            "<p id=a>Hello <b id=b>big</b> world<script>'Hello'</script></p><input id=c type=submit value=Send>
             <label>City <select id=d><option>Rome<option>Oslo</select></label><input id=e placeholder='Your name' title=Name>
             <span id=lab>By reference</span><div id=f aria-labelledby=lab>x</div><img id=g alt='The sea' src=''>
             <i id=h data-testid=Save>s</i><ul id=i><li id=j>one<li id=k>two<ul><li id=l>three</ul></ul>
             <form id=m><input name=parentNode><input name=matches><input name=textContent>clobbered</form>",
        )
        .await;
        let check = async |locator: Locator, expected: &str| assert_eq!(ids(&locator).await, expected, "{locator}");
        check(page.get_by_text("Hello big world"), "a").await;
        check(page.get_by_text(TextMatch::contains("BIG")), "b").await;
        check(page.get_by_text(TextMatch::regex("^Hello.*world$")), "a").await;
        check(page.get_by_text("Send"), "c").await;
        check(page.get_by_text("clobbered"), "m").await;
        check(page.get_by_label("City"), "d").await;
        check(page.get_by_label("By reference"), "f").await;
        check(page.get_by_placeholder("Your name"), "e").await;
        check(page.get_by_title(TextMatch::contains("nam")), "e").await;
        check(page.get_by_alt_text("The sea"), "g").await;
        check(page.get_by_test_id("Save"), "h").await;
        check(page.get_by_test_id("save"), "").await;
        check(page.get_by_test_id(TextMatch::regex("^S")), "h").await;
        check(page.locator("//ul/li[1]"), "j l").await;
        check(page.locator("#k").locator("//li"), "l").await;
        check(page.locator("xpath=id('k')/.."), "i").await;
        check(page.locator("#i").locator("> li"), "j k").await;
        check(page.locator("#i").locator("li"), "j k l").await;
        check(page.locator("li").locator("li"), "l").await;
        let error = page.locator("//li[").count().await.unwrap_err().to_string();
        assert!(error.ends_with("\"//li[\" is not an XPath expression for nodes; correct it"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn locators_are_filtered_joined_and_intersected() {
    run(async {
        let (context, page) = page_with(
            "<ul><li id=a>Tea <button>Buy</button></li><li id=b>Milk</li><li id=c>Tea, green</li><li id=d hidden>Tea</li></ul>
             <iframe srcdoc='<li id=x>in <b>frame</b></li><li id=y>in</li>'></iframe>",
        )
        .await;
        let items = page.locator("li");
        let buy = page.get_by_role("button", "Buy");
        let check = async |locator: Locator, expected: &str| assert_eq!(ids(&locator).await, expected, "{locator}");
        check(items.filter(TextMatch::contains("tea")), "a c d").await;
        check(items.filter_not(TextMatch::contains("tea")), "b").await;
        check(items.filter_has(&buy), "a").await;
        check(items.filter_has_not(&buy).filter_visible(), "b c").await;
        check(items.filter_hidden(), "d").await;
        check(items.and(&page.locator("#c, #b, ul")), "b c").await;
        check(page.locator("#c").or(&page.locator("#a")), "a c").await;
        check(items.nth(1).or(&items.nth(-1)), "b d").await;
        let inner = page.frame_locator("iframe");
        check(inner.locator("li").filter_has(&inner.locator("b")), "x").await;
        let error =
            inner.locator("li").filter_has(&page.frame_locator("#other").locator("b")).count().await.unwrap_err();
        assert!(error.to_string().ends_with("a locator inside another one must look in the same frame"), "{error}");
        let error = items.filter_has(&buy).within(SOON).nth(5).click().await.unwrap_err().to_string();
        let shown = "click locator(\"li\").filter_has(get_by_role(\"button\", \"Buy\")).nth(5) did not";
        assert!(error.starts_with(shown), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn each_of_several_candidates_gets_a_locator_that_names_it_alone() {
    run(async {
        let (context, page) = page_with(
            "<div><input class=x data-testid=first><input class=x aria-label=Second><input class=x placeholder=Third>
             <button class=x>Fourth</button><p class=x>Fifth</p><p class=x id=sixth>Same</p><p class=x>Same</p></div>",
        )
        .await;
        let error = page.locator(".x").click().await.unwrap_err();
        let Error::Strict { count: 7, candidates, .. } = &error else { panic!("{error}") };
        let suggested: Vec<&str> = candidates.iter().map(|line| line.rsplit_once("): ").unwrap().1).collect();
        assert_eq!(
            suggested,
            [
                "get_by_test_id(\"first\")",
                "get_by_role(\"textbox\", \"Second\")",
                "get_by_role(\"textbox\", \"Third\")",
                "get_by_role(\"button\", \"Fourth\")",
                "get_by_text(\"Fifth\")",
                "locator(\"#sixth\")",
                "nth(6) of this locator"
            ]
        );
        page.evaluate::<Value>(
            "() => { for (let i = 0; i < 30; i++) document.body.append(document.createElement('hr')) }",
            &[],
        )
        .await
        .unwrap();
        let error = page.locator("hr").click().await.unwrap_err().to_string();
        assert!(error.ends_with("- and 20 more"), "{error}");
        context.close().await.unwrap();
    });
}

async fn shadow_page(mode: &str) -> (browser::Context, Page) {
    page_with(&format!(
        "<x-card id=one><i slot=s>slotted</i></x-card><p>after</p><x-card id=two></x-card>
         <section id=three><template shadowrootmode={mode}><button class=in>declared</button></template></section>
         <script>customElements.define('x-card', class extends HTMLElement {{ connectedCallback() {{
           this.attachShadow({{ mode: '{mode}' }}).innerHTML = `<div class=box><button class=in onclick=\"this.textContent='clicked'\">${{this.id}}</button><slot name=s></slot></div>` }} }})</script>"
    ))
    .await
}

#[test]
fn open_and_closed_shadow_trees_are_part_of_the_page() {
    run(async {
        for mode in ["open", "closed"] {
            let (context, page) = shadow_page(mode).await;
            assert_eq!(page.get_by_role("button", "one").count().await.unwrap(), 1, "{mode}");
            assert_eq!(page.get_by_role("button", "declared").count().await.unwrap(), 1, "{mode}");
            assert_eq!(page.locator(".in").all_text_contents().await.unwrap(), ["one", "two", "declared"], "{mode}");
            assert_eq!(page.locator("x-card#two .box > button").text_content().await.unwrap(), "two", "{mode}");
            assert_eq!(page.locator("section, x-card .in").count().await.unwrap(), 3, "{mode}");
            assert_eq!(page.get_by_text("two").count().await.unwrap(), 1, "{mode}");
            assert_eq!(page.locator("#one").filter(TextMatch::contains("slotted")).count().await.unwrap(), 1, "{mode}");
            page.locator("#two").get_by_role("button", TextMatch::Any).click().await.unwrap();
            page.locator("#two .in").expect().to_have_text("clicked").await.unwrap();
            // A change within a shadow tree is noticed as soon as one outside.
            let late = "() => setTimeout(() => document.querySelector('#one').remove(), 300)";
            page.evaluate::<Value>(late, &[]).await.unwrap();
            page.get_by_role("button", "one").expect().to_be_detached().await.unwrap();
            context.close().await.unwrap();
        }
    });
}

#[test]
fn wrapped_shadow_functions_look_native_and_leave_no_trace() {
    run(async {
        let (context, page) = page_with("hello").await;
        let seen = page
            .evaluate::<Value>(
                "() => [String(Element.prototype.attachShadow).includes('[native code]'), Element.prototype.attachShadow.length,
                  Object.keys(window).filter((name) => /browser|aria[A-Z]/.test(name)),
                  document.createElement('div').attachShadow({ mode: 'closed' }).mode]",
                &[],
            )
            .await
            .unwrap();
        assert_eq!(seen, serde_json::json!([true, 1, [], "closed"]));
        context.close().await.unwrap();
    });
}

#[test]
fn page_that_patches_everything_under_a_strict_policy_is_still_read_rightly() {
    run(async {
        let (context, page) = page_with(
            "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src 'unsafe-inline'\">
             <img name=querySelectorAll><img name=title><form id=f><input name=matches><input name=getAttribute value=v>
             <button id=go type=button onclick='this.textContent = `went`'>Go</button></form><p>some <em>text</em></p>
             <script>Element.prototype.matches = () => false; Node.prototype.getRootNode = () => null; window.getComputedStyle = () => null;
             Element.prototype.checkVisibility = () => false; Array.prototype.map = () => []; Array.prototype[Symbol.iterator] = null;
             JSON.parse = () => null; Map.prototype.get = () => 1; window.MutationObserver = null; window.requestAnimationFrame = null;
             Object.prototype.kind = 'x'; Function.prototype.call = null; Promise.prototype.then = null</script>",
        )
        .await;
        page.get_by_role("button", "Go").click().await.unwrap();
        page.locator("#go").expect().to_have_text("went").await.unwrap();
        page.get_by_text(TextMatch::contains("some text")).expect().to_be_visible().await.unwrap();
        page.locator("em").expect().to_have_css("font-style", "italic").await.unwrap();
        assert_eq!(page.locator("#f").filter_has(&page.locator("button")).count().await.unwrap(), 1);
        assert_eq!(page.title().await.unwrap(), "Test page");
        context.close().await.unwrap();
    });
}

#[test]
fn malformed_markup_and_ten_thousand_matches_are_no_obstacle() {
    run(async {
        let (context, page) = page_with(
            "<table><div id=a>out</table></p><b><p id=b>bold<i>both</b>italic</i><ul><li id=c>x<svg><p id=d>broke out</svg>
             <div id=many></div><script>many.innerHTML = Array.from({ length: 10000 },
               (_, i) => `<div class=row><span>Row ${i}</span><button>Open ${i}</button></div>`).join('')</script>",
        )
        .await;
        for (id, text) in [("#a", "out"), ("#b", "boldbothitalic"), ("#d", "broke out")] {
            page.locator(id).expect().to_contain_text(text).await.unwrap();
        }
        let timed = async |what: &str, look: &dyn Fn() -> Locator, expected: usize| {
            let start = Instant::now();
            assert_eq!(look().count().await.unwrap(), expected, "{what}");
            let took = start.elapsed();
            println!("{what}: {} ms", took.as_millis());
            assert!(took.as_secs() < 5, "{what} took {took:?}");
        };
        timed("css", &|| page.locator(".row"), 10_000).await;
        timed("role", &|| page.get_by_role("button", TextMatch::Any), 10_000).await;
        timed("role and name", &|| page.get_by_role("button", "Open 9999"), 1).await;
        timed("text", &|| page.get_by_text("Row 5000"), 1).await;
        timed("text, contained", &|| page.get_by_text(TextMatch::contains("row")), 10_000).await;
        timed("chain", &|| page.locator(".row").locator("button").filter(TextMatch::contains("99")), 280).await;
        timed("has", &|| page.locator(".row").filter_has(&page.get_by_text("Row 77")), 1).await;
        let start = Instant::now();
        let error = page.locator(".row").click().await.unwrap_err();
        assert!(matches!(error, Error::Strict { count: 10_000, .. }), "{error}");
        println!("strict error: {} ms", start.elapsed().as_millis());
        context.close().await.unwrap();
    });
}
