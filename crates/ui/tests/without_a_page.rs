//! The parts of the interface that need no page, tried natively.

#![cfg(not(target_arch = "wasm32"))]
#![allow(dead_code, reason = "modules are included whole, a test uses its part")]

#[path = "../src/markdown/blocks.rs"]
mod blocks;
#[path = "../src/markdown/cjk.rs"]
mod cjk;
#[path = "../src/format.rs"]
mod format;
#[path = "../src/markdown/links.rs"]
mod links;
#[path = "../src/strings/mod.rs"]
mod strings;
#[path = "../src/transcript/terminal.rs"]
mod terminal;

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Tag};
use terminal::Piece;

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
    let prepared = cjk::prepared(markdown);
    assert!(!prepared.sentinels, "sources are compared with the text as it was given");
    blocks::blocks(&prepared).into_iter().map(|block| markdown[block.source].trim_end()).collect()
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
    let markdown = cjk::prepared("See [it][1].\n\n[1]: https://example.org\n");
    let blocks = blocks::blocks(&markdown);
    let link = blocks[0].events.iter().any(|event| matches!(event, Event::Start(pulldown_cmark::Tag::Link { .. })));
    assert!(link);
}

/// The text of a Markdown text, strong parts in brackets.
fn strong(markdown: &str) -> String {
    let prepared = cjk::prepared(markdown);
    let mut text = String::new();
    for event in blocks::blocks(&prepared).into_iter().flat_map(|block| block.events) {
        match event {
            Event::Start(Tag::Strong) => text.push('['),
            Event::End(pulldown_cmark::TagEnd::Strong) => text.push(']'),
            Event::Text(part) | Event::Code(part) | Event::InlineHtml(part) => text.push_str(&part),
            _ => {}
        }
    }
    text
}

#[test]
fn strong_stands_beside_quotes_and_brackets_of_scripts_without_spaces() {
    let cases = [
        ("他说**“这很重要”**，然后继续。", "他说[“这很重要”]，然后继续。"),
        ("他说**“a”**，和**“b”**。", "他说[“a”]，和[“b”]。"),
        ("设置**（默认）**即可", "设置[（默认）]即可"),
        ("**注意：**请先备份", "[注意：]请先备份"),
        ("これは**「重要」**です", "これは[「重要」]です"),
        ("이것은 **\"중요\"**합니다", "이것은 [\"중요\"]합니다"),
        ("用**`code`**吧", "用[code]吧"),
        ("**中文**，**English**, plain", "[中文]，[English], plain"),
    ];
    for (markdown, text) in cases {
        assert_eq!(strong(markdown), text, "{markdown}");
    }
}

#[test]
fn marks_that_are_no_emphasis_stay_as_written() {
    for markdown in ["`他说**“好”**，`", "    他说**“好”**，", "2**3 和 a*b", "说 ** “好” **", "他说**“好”"]
    {
        assert_eq!(strong(markdown), markdown.trim().trim_matches('`'), "{markdown}");
    }
    // Nothing is lost of a text that holds the sentinel itself.
    assert_eq!(strong("他说**“\u{10A7F}”**"), "他说**“\u{10A7F}”**");
    assert_eq!(strong("\\*\\*中“\\*\\*"), "**中“**");
}

/// The text that shows.
fn shown(output: &str) -> String {
    let pieces = terminal::pieces(output);
    let whole: String = pieces.iter().map(|(Piece::Shown(text) | Piece::Unseen(text))| *text).collect();
    assert_eq!(whole, output, "pieces lose something");
    pieces.iter().filter_map(|piece| if let Piece::Shown(text) = piece { Some(*text) } else { None }).collect()
}

#[test]
fn output_of_a_command_shows_no_escapes() {
    let cases = [
        ("plain\n\ttext\n", "plain\n\ttext\n"),
        ("\u{1b}[1;31mred\u{1b}[0m text", "red text"),
        ("\u{1b}[38:2::1:2:3mcolour\u{1b}[m", "colour"),
        ("\u{1b}]0;title\u{7}after", "after"),
        ("\u{1b}]8;;https://example.org\u{1b}\\link\u{1b}]8;;\u{1b}\\.", "link."),
        ("\u{1b}(Bascii\u{1b}7\u{1b}8", "ascii"),
        ("10%\r50%\r100%\ndone\r\n", "100%\ndone\n"),
        ("\u{1b}[32m10%\r\u{1b}[32m100%\u{1b}[0m\n", "100%\n"),
        ("bell\u{7} nul\0 back\u{8}", "bell nul back"),
        ("cut off \u{1b}[3", "cut off "),
        ("cut off \u{1b}", "cut off "),
        ("bad \u{1b}[3中文", "bad 中文"),
        ("title without end \u{1b}]0;x\nnext", "title without end next"),
        ("", ""),
    ];
    for (output, text) in cases {
        assert_eq!(shown(output), text, "{output:?}");
    }
}

#[test]
fn pieces_of_a_plain_output_are_one() {
    assert_eq!(terminal::pieces("a\nb\nc"), [Piece::Shown("a\nb\nc")]);
}
