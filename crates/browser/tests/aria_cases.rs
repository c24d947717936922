//! The capture script of `aria` in Chromium: its pages with their expected trees, and volatile marks.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use aria::{CaptureOptions, Check, Snapshot, TokenRule};
use support::{page_with, run};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../aria/tests/cases").canonicalize().expect("the cases are there")
}

#[test]
fn pages_give_the_expected_trees() {
    run(async {
        let mut pages: Vec<_> = fs::read_dir(cases())
            .expect("the cases can be listed")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
            .collect();
        pages.sort();
        assert!(pages.len() > 10, "only {} cases", pages.len());

        let (context, page) = page_with("").await;
        let mut failures = Vec::new();
        for case in pages {
            page.goto(&format!("file://{}", case.display())).await.unwrap();
            let actual = page.aria_snapshot(&CaptureOptions::default()).await.unwrap();
            let golden = case.with_extension("yaml");
            let yaml = fs::read_to_string(&golden).unwrap_or_default();
            let expected = Snapshot::parse_yaml(&yaml).unwrap_or_else(|error| panic!("{}: {error}", golden.display()));
            let diff = aria::diff(&expected, &actual);
            if !diff.is_empty() || actual.to_yaml() != yaml.trim_end_matches('\n') {
                failures.push(format!("{}: {diff}\n\nThe page gives:\n{}", golden.display(), actual.to_yaml()));
            }
        }
        context.close().await.unwrap();
        assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    });
}

#[test]
fn marked_values_become_tokens_and_nothing_else_does() {
    run(async {
        let (context, page) = page_with(
        r##"<h1>Log of <time data-volatile="clock">9:05 <b>PM</b></time></h1>
        <button>Sent <span data-volatile="clock">09:06</span> in <span data-volatile="duration">1m <i>3s</i></span></button>
        <p>at 9:07 for 0.3s <span data-volatile="path">/tmp/w</span>&#xE000;&#xE004;</p>
        <a href="/s/42" data-volatile-url="session">open</a>
        <input aria-label="Folder" value="/tmp/w" data-volatile="path">
        <img alt="10:00" data-volatile="clock"><span id="l" data-volatile="clock">11:00</span><nav aria-labelledby="l"></nav>"##,
    )
    .await;
        let options = CaptureOptions { volatile_attribute: Some("data-volatile".into()), ..CaptureOptions::default() };
        let marked = page.aria_snapshot(&options).await.unwrap();
        let rules = [
            TokenRule::new("clock", Check::Clock),
            TokenRule::new("duration", Check::Duration),
            TokenRule::new("session", Check::Exact("/s/42".into())),
        ];
        let path = TokenRule::new("path", Check::Exact("/tmp/w".into()));
        let error = marked.apply_tokens(&rules).unwrap_err().to_string();
        assert!(error.contains("`/tmp/w` at paragraph > text is marked as path, for which no rule"), "{error}");
        // The label of the text box comes from the page's author, so an element that is marked must hold the value alone.
        let error = marked.apply_tokens(&[&rules[..], std::slice::from_ref(&path)].concat()).unwrap_err().to_string();
        assert!(
            error.contains("`Folder` at textbox \"Folder\" > name is marked as path, which must be exactly `/tmp/w`"),
            "{error}"
        );

        page.evaluate::<()>("() => { document.querySelector('input').removeAttribute('data-volatile'); }", &[])
            .await
            .unwrap();
        let leaking = page.aria_snapshot(&options).await.unwrap();
        let error = leaking.apply_tokens(&[&rules[..], std::slice::from_ref(&path)].concat()).unwrap_err().to_string();
        assert!(error.contains("the path `/tmp/w` is shown unmarked at textbox \"Folder\" > text"), "{error}");

        page.evaluate::<()>("() => { document.querySelector('input').remove(); }", &[]).await.unwrap();
        let snapshot =
            page.aria_snapshot(&options).await.unwrap().apply_tokens(&[&rules[..], &[path]].concat()).unwrap();
        assert_eq!(
            snapshot.to_yaml(),
            "\
- 'heading \"Log of {{clock}}\" [level=1]':
  - text: Log of
  - time: \"{{clock}}\"
- 'button \"Sent {{clock}} in {{duration}}\"'
- paragraph: \"at 9:07 for 0.3s {{path}}\u{E000}\u{E004}\"
- link \"open\":
  - /url: \"{{session}}\"
- 'img \"{{clock}}\"'
- text: \"{{clock}}\"
- 'navigation \"{{clock}}\"'"
        );
        context.close().await.unwrap();
    });
}

#[test]
fn script_answers_for_single_elements() {
    run(async {
        let (context, page) = page_with(
            r##"<p id="d">described <b>by</b></p>
        <button aria-describedby="d" aria-expanded="false" aria-pressed="mixed">One</button>
        <button title="tip">Two</button><button title="Three"></button>
        <div style="visibility:hidden">gone</div><div aria-hidden="true">shown, not exposed</div>"##,
        )
        .await;
        let answers: serde_json::Value = page
            .evaluate(
                "(source) => {
                const aria = eval(source);
                const [one, two, three] = document.querySelectorAll('button');
                const [gone, unexposed] = document.querySelectorAll('div');
                return aria.batch(() => ({
                    role: aria.role(one), roleless: aria.role(gone), name: aria.name(one), states: aria.states(one),
                    descriptions: [one, two, three].map((el) => aria.description(el)),
                    visible: [one, gone, unexposed].map((el) => aria.visible(el)),
                    hidden: [one, gone, unexposed].map((el) => aria.hidden(el)),
                }));
            }",
                &[aria::CAPTURE_SCRIPT.into()],
            )
            .await
            .unwrap();
        assert_eq!(
            answers,
            serde_json::json!({
                "role": "button", "roleless": null, "name": "One",
                "states": {"disabled": false, "expanded": false, "pressed": "mixed"},
                "descriptions": ["described by", "tip", ""],
                "visible": [true, false, true],
                "hidden": [false, true, true],
            })
        );
        context.close().await.unwrap();
    });
}

#[test]
fn closed_roots_and_element_internals_are_heard_of_from_a_hostile_page() {
    run(async {
        let (context, page) = page_with(
            "<x-early></x-early><div id='host'>light <b>content</b><i slot='nowhere'>unslotted</i></div>
             <label>Accept <x-check></x-check></label><p id='terms'>all terms</p>",
        )
        .await;
        let answers: serde_json::Value = page
            .evaluate(
                "(pageWorld, capture) => {
                const looks = () => [Element.prototype.attachShadow, HTMLElement.prototype.attachInternals]
                    .map((method) => method.name + method.length + /native code/.test(method)).join();
                const native = looks();
                eval(`(${pageWorld})`)('a-secret');
                const wrapped = looks();
                const early = document.querySelector('x-early').attachShadow({ mode: 'closed' });
                early.innerHTML = '<button>before anybody listened</button>';
                const aria = eval(capture);
                aria.listen('a-secret');

                let overheard = 0;
                for (const type of ['a-secret', 'root', 'internals', 'read', 'values']) {
                    window.addEventListener(type, () => { overheard += 1; }, true);
                }
                // The page's own world is hostile while the component sets itself up. (The capture script, which has a
                // world of its own outside this test, is asked afterwards.)
                const iterate = Array.prototype[Symbol.iterator];
                EventTarget.prototype.dispatchEvent = null;
                window.FocusEvent = window.CustomEvent = Reflect.apply = Array.prototype[Symbol.iterator] = null;
                const trap = { get() { throw new Error('no'); }, configurable: true };
                Object.defineProperty(Object.prototype, 'view', trap);

                const host = document.getElementById('host');
                const root = host.attachShadow({ mode: 'closed' });
                root.innerHTML = '<h2>Title of <slot></slot></h2><div></div>';
                root.querySelector('div').attachShadow({ mode: 'closed' }).innerHTML = '<em>closed in closed</em>';
                customElements.define('x-check', class extends HTMLElement {
                    static formAssociated = true;
                    constructor() {
                        super();
                        const own = this.attachInternals();
                        own.role = 'checkbox';
                        own.ariaChecked = 'true';
                        own.setValidity({ customError: true }, 'bad');
                        own.ariaDescribedByElements = [document.getElementById('terms')];
                    }
                });
                Array.prototype[Symbol.iterator] = iterate;
                delete Object.prototype.view;
                return {
                    native: native === wrapped, overheard, known: aria.shadowRoot(host) === root,
                    description: aria.description(document.querySelector('x-check')),
                    snapshot: aria.snapshot(document.body, ''),
                };
            }",
                &[aria::PAGE_WORLD_SCRIPT.into(), aria::CAPTURE_SCRIPT.into()],
            )
            .await
            .unwrap();
        assert_eq!(
            (&answers["native"], &answers["overheard"], &answers["known"], &answers["description"]),
            (&true.into(), &0.into(), &true.into(), &"all terms".into())
        );
        let snapshot = Snapshot::from_json(answers["snapshot"].as_str().unwrap()).unwrap();
        assert_eq!(
            snapshot.to_yaml(),
            "\
- button \"before anybody listened\"
- heading \"Title of light content\" [level=2]
- emphasis: closed in closed
- text: Accept
- checkbox \"Accept\" [checked] [invalid]
- paragraph: all terms"
        );
        context.close().await.unwrap();
    });
}

#[test]
fn hosts_of_declarative_closed_roots_are_named_once_and_adopted() {
    run(async {
        let (context, page) = page_with(
            "<div id='box'><template shadowrootmode='closed'><p>own content</p></template></div>
             <section><template shadowrootmode='closed'>shown</template>light, in no slot</section>
             <x-card><template shadowrootmode='closed'><slot></slot></template>slotted</x-card>
             <div style='height:9px'></div><div>plain</div><span></span><p hidden>hidden</p>",
        )
        .await;
        let answers: serde_json::Value = page
            .evaluate(
                "(capture) => {
                const aria = eval(capture);
                const first = aria.unknownHosts().map((host) => host.localName);
                const again = aria.unknownHosts().length;
                // In their place: script can't reach a declarative root.
                const box = document.getElementById('box');
                const twin = document.createElement('div');
                box.replaceWith(twin);
                const root = twin.attachShadow({ mode: 'closed' });
                root.innerHTML = '<p>own content</p>';
                aria.adopt(twin, root);
                return { first, again, rows: JSON.parse(aria.snapshot(twin, '')).rows };
            }",
                &[aria::CAPTURE_SCRIPT.into()],
            )
            .await
            .unwrap();
        assert_eq!(answers["first"], serde_json::json!(["div", "section", "x-card"]));
        assert_eq!(answers["again"], 0);
        assert_eq!(answers["rows"][0]["role"], "paragraph");
        context.close().await.unwrap();
    });
}

/// Markup nests 512 deep at most, scripts nest as deep as they like.
#[test]
fn nesting_deeper_than_the_stack_is_walked() {
    run(async {
        let (context, page) = page_with("<button></button>").await;
        page.evaluate::<()>(
            "() => {
                let at = document.querySelector('button');
                for (let depth = 0; depth < 3000; depth += 1) at = at.appendChild(document.createElement('span'));
                at.innerHTML = 'deep <em>down</em>';
            }",
            &[],
        )
        .await
        .unwrap();
        let options = CaptureOptions { volatile_attribute: Some("data-volatile".into()), full: true };
        let snapshot = page.aria_snapshot(&options).await.unwrap();
        assert_eq!(snapshot.to_yaml(), "- button \"deep down\":\n  - text: deep\n  - emphasis: down");
        context.close().await.unwrap();
    });
}

#[test]
fn full_form_tells_what_the_plain_one_leaves_out() {
    run(async {
        let (context, page) = page_with(
            r##"<p id="why">Because</p>
        <details><summary>More</summary>body</details><button popovertarget="pop">Pop</button><div popover id="pop">p</div>
        <input aria-label="Name" required aria-describedby="why"><textarea aria-label="Text" readonly></textarea>
        <input type="range" aria-label="Volume" value="40" aria-orientation="vertical"><meter value=".5"></meter>
        <div role="slider" aria-label="Size" aria-valuenow="2" aria-valuetext="two"></div><hr aria-valuenow="9">
        <button aria-haspopup="true" aria-keyshortcuts="Control+S" title="Saves">Save</button>
        <nav aria-label="Steps" aria-busy="true"><a href="#1" aria-current="step">1</a><a href="#2" aria-current="odd">2</a></nav>
        <button aria-pressed="false">Toggle</button><table><tr><th aria-sort="descending">H</th><th aria-sort="none">N</th></tr></table>
        <ul><li aria-posinset="3" aria-setsize="-1">three</li></ul><dialog id="d" aria-label="D">modal</dialog>"##,
        )
        .await;
        let full = CaptureOptions { full: true, ..CaptureOptions::default() };
        let plain = page.aria_snapshot(&CaptureOptions::default()).await.unwrap();
        let snapshot = page.aria_snapshot(&full).await.unwrap();
        assert_eq!(snapshot.to_yaml(), plain.to_yaml(), "the plain form of both is the same");
        assert_eq!(
            snapshot.to_yaml_full(),
            "\
- paragraph: Because
- group [expanded=false]: More
- button \"Pop\" [expanded=false]
- textbox \"Name\" [required]:
  - /description: Because
- textbox \"Text\" [multiline] [readonly]
- slider \"Volume\" [orientation=vertical]:
  - /value: \"40\"
  - text: \"40\"
- meter:
  - /value: \"0.5\"
- slider \"Size\":
  - /value: two
- separator:
  - /value: \"9\"
- button \"Save\" [haspopup=menu]:
  - /description: Saves
  - /keyshortcuts: Control+S
- navigation \"Steps\" [busy]:
  - link \"1\" [current=step]:
    - /url: \"#1\"
  - link \"2\" [current]:
    - /url: \"#2\"
- button \"Toggle\" [pressed=false]
- table:
  - rowgroup:
    - row \"H N\":
      - columnheader \"H\" [sort=descending]
      - columnheader \"N\"
- list:
  - listitem [posinset=3] [setsize=-1]: three"
        );
        page.evaluate::<()>("() => { document.getElementById('d').showModal(); }", &[]).await.unwrap();
        assert_eq!(page.aria_snapshot(&full).await.unwrap().to_yaml_full(), "- dialog \"D\" [modal]: modal");
        context.close().await.unwrap();
    });
}
