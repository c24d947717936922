//! The parts of the interface that need no page, tried natively.

#![cfg(not(target_arch = "wasm32"))]
#![allow(dead_code, reason = "modules are included whole, a test uses its part")]

#[path = "../src/markdown/blocks.rs"]
mod blocks;
#[path = "../src/format.rs"]
mod format;
#[path = "../src/markdown/links.rs"]
mod links;
#[path = "../src/strings/mod.rs"]
mod strings;

use std::collections::BTreeMap;

use pulldown_cmark::Event;

fn english() -> &'static strings::Strings {
    strings::for_language("en-GB")
}

fn chinese() -> &'static strings::Strings {
    strings::for_language("zh-TW")
}

/// Field name to text, as the table's debug form writes them: one field a line.
fn texts(table: &strings::Strings) -> BTreeMap<String, String> {
    format!("{table:#?}")
        .lines()
        .filter_map(|line| line.trim().split_once(": "))
        .map(|(field, text)| (field.to_owned(), text.trim_matches([',', '"']).to_owned()))
        .collect()
}

#[test]
fn language_follows_the_first_subtag() {
    for (language, lang) in
        [("zh", "zh-CN"), ("zh-Hant-TW", "zh-CN"), ("ZH_cn", "zh-CN"), ("en", "en"), ("de", "en"), ("", "en")]
    {
        assert_eq!(strings::for_language(language).lang, lang, "{language:?}");
    }
}

#[test]
fn both_languages_fill_in_the_same_values() {
    let (english, chinese) = (texts(english()), texts(chinese()));
    assert!(english.len() > 40, "the debug form is not read as expected: {english:?}");
    for (field, text) in &english {
        let other = &chinese[field];
        assert_eq!(text.matches("{}").count(), other.matches("{}").count(), "{field}: {text:?} and {other:?}");
        assert!(!text.is_empty() || other.is_empty(), "{field}");
    }
}

#[test]
fn nothing_is_left_untranslated() {
    let chinese = texts(chinese());
    let same: Vec<String> =
        texts(english()).into_iter().filter(|(field, text)| chinese[field] == *text).map(|(field, _)| field).collect();
    assert_eq!(same, ["thousands"]);
}

#[test]
fn filling_takes_one_place_a_time() {
    assert_eq!(strings::fill(&strings::fill("{} of {}", 1), 2), "1 of 2");
    assert_eq!(strings::fill("plain", 1), "plain");
}

#[test]
fn durations_read_short() {
    let cases = [
        (-5, "0ms"),
        (0, "0ms"),
        (999, "999ms"),
        (1_000, "1.0s"),
        (3_249, "3.2s"),
        (59_999, "59.9s"),
        (60_000, "1m 0s"),
        (125_400, "2m 5s"),
    ];
    for (milliseconds, text) in cases {
        assert_eq!(format::duration(english(), milliseconds), text);
    }
    assert_eq!(format::duration(chinese(), 125_400), "2分5秒");
}

#[test]
fn counts_are_grouped() {
    for (count, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567")] {
        assert_eq!(format::count(english(), count), text);
    }
}

#[test]
fn only_schemes_that_lead_away_become_links() {
    for address in ["https://example.org/a?b#c", "HTTP://example.org", "mailto:a@example.org"] {
        assert!(links::harmless(address), "{address}");
    }
    let refused = [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " https://example.org",
        "\tjavascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "file:///etc/passwd",
        "//example.org/a",
        "/api/session.cancel",
        "httpsé//",
        "",
    ];
    for address in refused {
        assert!(!links::harmless(address), "{address}");
    }
}

/// The sources of the blocks of a text.
fn sources(markdown: &str) -> Vec<&str> {
    blocks::blocks(markdown).into_iter().map(|block| markdown[block.source].trim_end()).collect()
}

#[test]
fn blocks_are_the_top_level_ones() {
    let markdown = "# Head\n\nOne\ntwo\n\n- a\n  - b\n\n| x |\n|---|\n| 1 |\n\n---\n\n```sh\nls\n\nls\n```\n";
    let expected = ["# Head", "One\ntwo", "- a\n  - b", "| x |\n|---|\n| 1 |", "---", "```sh\nls\n\nls\n```"];
    assert_eq!(sources(markdown), expected);
}

#[test]
fn growing_text_keeps_its_finished_blocks() {
    let whole = "First **bold** text.\n\n- item one\n- item two\n\nLast words, 中文也行。";
    for (end, _) in whole.char_indices() {
        let grown = sources(&whole[..end]);
        // All but the last two: a line below can still turn a paragraph into a heading or join a list.
        for (at, block) in grown.iter().enumerate().take(grown.len().saturating_sub(2)) {
            assert_eq!(*block, sources(whole)[at], "at {end}");
        }
    }
}

#[test]
fn references_resolve_across_blocks() {
    let blocks = blocks::blocks("See [it][1].\n\n[1]: https://example.org\n");
    let link = blocks[0].events.iter().any(|event| matches!(event, Event::Start(pulldown_cmark::Tag::Link { .. })));
    assert!(link);
}
