use proptest::prelude::*;

use super::*;
use crate::states::{Invalid, States, Toggle};

fn parse(yaml: &str) -> Snapshot {
    Snapshot::parse_yaml(yaml).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn check_round_trip(yaml: &str) {
    assert_eq!(parse(yaml).to_yaml(), yaml);
}

#[track_caller]
fn check_error(yaml: &str, line: usize, column: usize, says: &str) {
    let message = Snapshot::parse_yaml(yaml).expect_err(yaml).to_string();
    assert!(message.starts_with(&format!("snapshot line {line}, column {column}: ")), "{message}");
    assert!(message.contains(says), "{message}");
}

#[test]
fn printed_forms_read_back() {
    check_round_trip("");
    check_round_trip("- main:\n  - heading \"Title\" [level=1]\n  - text: a b\n  - link \"x\":\n    - /url: \"#\"");
    check_round_trip("- 'button \"it''s: {x}\" [pressed=mixed]'");
    check_round_trip("- 'textbox \"a: b\"': \"- x\"");
    check_round_trip("- button \"say \\\"hi\\\" \\\\ \\u0001\"\n- text: \"\\x7f \\\\\"");
    check_round_trip("- doc-noteref \"1\"\n- paragraph: 日本語 😀");
}

#[test]
fn comments_blank_lines_and_common_indent_are_skipped() {
    let yaml = "\n  # the list\n  - list: # of things\n\n      - listitem: a # one\n      - text: 'b # c'\r\n";
    assert_eq!(parse(yaml).to_yaml(), "- list:\n  - listitem: a\n  - text: \"b # c\"");
}

#[test]
fn unquoted_number_is_the_text_as_written() {
    assert_eq!(parse("- listitem: 1.10").to_yaml(), "- listitem: \"1.10\"");
}

#[test]
fn hand_written_text_that_repeats_the_name_is_normalised_away() {
    assert_eq!(parse("- button \"x\":  x").to_yaml(), "- button \"x\"");
}

#[test]
fn errors_point_at_the_place() {
    check_error("- list:\n  - buton \"x\" chekced", 2, 15, "states such as [checked]");
    check_error("- button [chekced]", 1, 11, "there is no attribute [chekced]; did you mean [checked]?");
    check_error("- 'button \"it''s\" [pressed=maybe]'", 1, 20, "true, false or mixed, not `maybe`");
    check_error("- heading [level=0]", 1, 12, "whole number from 1");
    check_error("- button \"x", 1, 10, "not closed");
    check_error("- button [checked", 1, 18, "`]` is expected");
    check_error("- Button", 1, 3, "a role is expected");
    check_error("button", 1, 1, "an item starts with `- `");
    check_error("-button", 1, 2, "after the dash comes a space");
    check_error("- list:\n\t- listitem", 2, 1, "a tab cannot indent");
    check_error("- list:\n- text: x", 1, 7, "nothing is below it");
    check_error("- button\n  - text: x", 2, 3, "takes no children");
    check_error("  - list\n- text: x", 2, 1, "indented less");
    check_error("- text", 1, 3, "`text` needs a value");
    check_error("- link:\n  - /url:", 2, 5, "/url needs a value");
    check_error("- link:\n  - /ulr: x", 2, 5, "there is no property /ulr; known are /url, /placeholder");
    check_error("- link:\n  - /url: x\n  - /url: y", 3, 5, "/url is given twice");
    check_error("- /url: x", 1, 3, "/url belongs under a node");
    check_error("- list:\n  - /children: equal", 2, 5, "how a template matches");
    check_error("- button /Send.*/", 1, 10, "a pattern belongs to a template");
    check_error("- text: \"a\\qb\"", 1, 12, "no escape of YAML");
    check_error("- text: \"a\\xzz\"", 1, 13, "2 hexadecimal digits");
    check_error("- text: \"a", 1, 9, "not closed");
    check_error("- text: \"a\" b", 1, 13, "nothing may follow");
    check_error("- text: [a]", 1, 3, "double quotes");
    check_error("- text: a: b", 1, 10, "double quotes");
}

#[test]
fn error_shows_the_line_with_a_caret() {
    let message = Snapshot::parse_yaml("- list:\n  - option [x]").unwrap_err().to_string();
    assert!(message.ends_with("\n    - option [x]\n              ^"), "{message}");
}

/// Any text, with the characters that need care drawn often.
fn any_text() -> impl Strategy<Value = String> {
    let special = "\0\u{1}\u{8}\u{B}\u{C}\u{1F}\t\n\r \u{7F}\u{85}\u{9F}\u{A0}\u{AD}\u{200B}\u{2028}\u{FEFF}\u{E000}\u{E004}-:#'\"\\{}[]&*?!>|@%`,/=~.+0123456789xyn";
    let special: Vec<char> = special.chars().collect();
    let piece = prop_oneof![
        4 => proptest::sample::select(special).prop_map(String::from),
        1 => any::<char>().prop_map(String::from),
        1 => proptest::sample::select(vec!["true", "null", ".inf", "0x1F", "1e3", ": ", " #", "Infinity"]).prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// Any states; those of the full form are set by reading words, as the capture's are.
fn any_states() -> impl Strategy<Value = States> {
    let words = [
        "checked=false",
        "expanded=false",
        "pressed=false",
        "selected=false",
        "busy=true",
        "current=true",
        "current=page",
        "haspopup=menu",
        "haspopup=dialog",
        "modal=true",
        "multiline=true",
        "orientation=vertical",
        "posinset=3",
        "readonly=true",
        "required=true",
        "setsize=-1",
        "sort=descending",
    ];
    let full = proptest::sample::subsequence(words.to_vec(), 0..3);
    (any_plain_states(), full).prop_map(|(mut states, full)| {
        for word in full {
            let (name, value) = word.split_once('=').unwrap();
            states.set(name, value).unwrap();
        }
        states
    })
}

fn any_plain_states() -> impl Strategy<Value = States> {
    let toggle = || proptest::option::of(prop_oneof![Just(Toggle::On), Just(Toggle::Mixed)]);
    let flag = || proptest::option::of(Just(true));
    let invalid =
        proptest::option::of(prop_oneof![Just(Invalid::Yes), Just(Invalid::Grammar), Just(Invalid::Spelling)]);
    (toggle(), any::<bool>(), flag(), invalid, proptest::option::of(1..u32::MAX), toggle(), flag()).prop_map(
        |(checked, disabled, expanded, invalid, level, pressed, selected)| States {
            checked,
            disabled,
            expanded,
            invalid,
            level,
            pressed,
            selected,
            ..States::default()
        },
    )
}

fn any_children() -> impl Strategy<Value = Vec<Child>> {
    let text = any_text().prop_map(|text| Child::Text(text.into()));
    text.prop_recursive(4, 24, 4, |child| {
        let role = proptest::sample::select(vec!["button", "link", "doc-tip", "generic", "listitem"]);
        let property = || proptest::option::of(any_text().prop_map(Text::from));
        let full = (property(), property(), property());
        let children = proptest::collection::vec(child, 0..4);
        (role, any_text(), any_states(), property(), property(), full, children).prop_map(
            |(role, name, states, url, placeholder, (value, description, keyshortcuts), children)| {
                let (role, name) = (role.into(), name.as_str().into());
                Child::Node(Node { role, name, states, url, placeholder, value, description, keyshortcuts, children })
            },
        )
    })
    .prop_flat_map(|child| prop_oneof![9 => Just(vec![child]), 1 => Just(Vec::new())])
}

/// Any snapshot, the empty one too.
pub(crate) fn any_snapshot() -> impl Strategy<Value = Snapshot> {
    any_children().prop_map(|children| Snapshot { children: normalise(children) })
}

proptest! {
    #[test]
    fn every_snapshot_reads_back_as_itself(snapshot in any_snapshot()) {
        let read = |yaml: &str| {
            Snapshot::parse_yaml(yaml).map_err(|error| TestCaseError::fail(format!("{error}\n{yaml}")))
        };
        let (yaml, full) = (snapshot.to_yaml(), snapshot.to_yaml_full());
        prop_assert_eq!(read(&yaml)?.to_yaml(), yaml);
        prop_assert_eq!(&read(&full)?, &snapshot, "{}", full);
    }
}
