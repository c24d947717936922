//! The capture script of `aria` in Chromium: its pages with their expected trees, and volatile marks.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use aria::{CaptureOptions, Check, Snapshot, TokenRule};
use browser::ContextOptions;
use support::{launch, page_with};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../aria/tests/cases").canonicalize().expect("the cases are there")
}

#[tokio::test]
async fn pages_give_the_expected_trees() {
    let mut pages: Vec<_> = fs::read_dir(cases())
        .expect("the cases can be listed")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "html"))
        .collect();
    pages.sort();
    assert!(pages.len() > 10, "only {} cases", pages.len());

    let browser = launch().await;
    let context = browser.new_context(ContextOptions::default()).await.unwrap();
    let page = context.new_page().await.unwrap();
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
    browser.close().await.unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[tokio::test]
async fn marked_values_become_tokens_and_nothing_else_does() {
    let (browser, page) = page_with(
        r##"<h1>Log of <time data-volatile="clock">9:05 <b>PM</b></time></h1>
        <button>Sent <span data-volatile="clock">09:06</span> in <span data-volatile="duration">1m <i>3s</i></span></button>
        <p>at 9:07 for 0.3s <span data-volatile="path">/tmp/w</span>&#xE000;&#xE004;</p>
        <a href="/s/42" data-volatile-url="session">open</a>
        <input aria-label="Folder" value="/tmp/w" data-volatile="path">
        <img alt="10:00" data-volatile="clock"><span id="l" data-volatile="clock">11:00</span><nav aria-labelledby="l"></nav>"##,
    )
    .await;
    let options = CaptureOptions { volatile_attribute: Some("data-volatile".into()) };
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
    let error = marked.apply_tokens(&[&rules[..], &[path.clone()]].concat()).unwrap_err().to_string();
    assert!(
        error.contains("`Folder` at textbox \"Folder\" > name is marked as path, which must be exactly `/tmp/w`"),
        "{error}"
    );

    page.evaluate::<()>("() => { document.querySelector('input').removeAttribute('data-volatile'); }", &[])
        .await
        .unwrap();
    let leaking = page.aria_snapshot(&options).await.unwrap();
    let error = leaking.apply_tokens(&[&rules[..], &[path.clone()]].concat()).unwrap_err().to_string();
    assert!(error.contains("the path `/tmp/w` is shown unmarked at textbox \"Folder\" > text"), "{error}");

    page.evaluate::<()>("() => { document.querySelector('input').remove(); }", &[]).await.unwrap();
    let snapshot = page.aria_snapshot(&options).await.unwrap().apply_tokens(&[&rules[..], &[path]].concat()).unwrap();
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
    browser.close().await.unwrap();
}
