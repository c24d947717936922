use proptest::prelude::*;

use super::report::Sign;
use super::*;
use crate::Snapshot;

fn of(yaml: &str) -> Snapshot {
    Snapshot::parse_yaml(yaml).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn check_changes(expected: &str, actual: &str, changes: &[&str]) {
    let diff = diff(&of(expected), &of(actual));
    assert_eq!(diff.changes().iter().map(Change::to_string).collect::<Vec<_>>(), changes, "{diff}");
}

#[test]
fn equal_snapshots_have_no_change() {
    let diff = diff(&of("- button \"Send\""), &of("- button \"Send\""));
    assert!(diff.is_empty());
    assert_eq!(diff.to_string(), "no change");
}

#[test]
fn renamed_node_is_named_by_its_path() {
    check_changes(
        "- main:\n  - list:\n    - button \"Send\"\n    - button \"Stop\"",
        "- main:\n  - list:\n    - button \"Submit\"\n    - button \"Stop\"",
        &["main > list > button \"Send\": name \"Send\" became \"Submit\""],
    );
}

#[test]
fn node_added_among_equals_is_the_only_change() {
    check_changes(
        "- list:\n  - listitem: one\n  - listitem: two",
        "- list:\n  - listitem: zero\n  - listitem: one\n  - listitem: two",
        &["list > listitem #1: added"],
    );
    check_changes(
        "- list:\n  - listitem: one\n  - listitem: two",
        "- list:\n  - listitem: two",
        &["list > listitem #1: removed"],
    );
}

#[test]
fn moved_node_is_one_change() {
    check_changes(
        "- banner:\n  - button \"Menu\":\n    - img \"x\"\n- main:\n  - text: a",
        "- banner\n- main:\n  - text: a\n  - button \"Menu\":\n    - img \"x\"",
        &["banner > button \"Menu\": moved to main > button \"Menu\""],
    );
    check_changes(
        "- tab \"a\"\n- tab \"b\"\n- separator\n- text: x",
        "- tab \"b\"\n- separator\n- text: x\n- tab \"a\"",
        &["tab \"a\": moved to tab \"a\""],
    );
}

#[test]
fn states_texts_properties_and_roles() {
    check_changes(
        "- heading \"T\" [level=2]\n- checkbox \"c\" [checked]",
        "- heading \"T\" [level=1]\n- checkbox \"c\" [disabled]",
        &["heading \"T\": [level=2] became [level=1]", "checkbox \"c\": lost [checked], gained [disabled]"],
    );
    check_changes("- paragraph: a b", "- paragraph: a c", &["paragraph > text: \"a b\" became \"a c\""]);
    check_changes("- paragraph: a b", "- paragraph", &["paragraph > text: \"a b\" removed"]);
    check_changes("- paragraph", "- paragraph: a b", &["paragraph > text: \"a b\" added"]);
    check_changes(
        "- link \"x\":\n  - /url: /a\n- textbox \"y\"",
        "- link \"x\":\n  - /url: /b\n- textbox \"y\":\n  - /placeholder: p",
        &["link \"x\": /url \"/a\" became \"/b\"", "textbox \"y\": now has the /placeholder \"p\""],
    );
    check_changes("- button \"x\"", "- link \"x\"", &["button \"x\": role button became link"]);
    check_changes("- button \"x\"", "- button", &["button \"x\": lost its name \"x\""]);
}

#[test]
fn report_shows_changed_lines_in_their_tree() {
    let expected = "- banner: top\n- main:\n  - text: a\n  - text: no\n  - img\n  - img \"b\"\n  - img \"c\"\n  - button \"Send\"\n- contentinfo:\n  - text: x\n  - img\n  - img \"z\"";
    let actual = expected.replace("\"Send\"", "\"Send\" [disabled]");
    assert_eq!(
        diff(&of(expected), &of(&actual)).to_string(),
        "\
1 change:
  main > button \"Send\": gained [disabled]

--- expected
+++ actual
  … 1 equal line
  - main:
  … 2 equal lines
    - img \"b\"
    - img \"c\"
-   - button \"Send\"
+   - button \"Send\" [disabled]
  - contentinfo:
    - text: x
  … 2 equal lines"
    );
}

#[test]
fn long_names_are_cut_in_paths() {
    let long = "word ".repeat(40);
    let report = diff(&of(&format!("- button \"{long}\"")), &of("- text: x")).to_string();
    let first = report.lines().nth(1).unwrap();
    assert!(first.contains("…\": removed") && first.len() < 100, "{first}");
}

/// Small trees over few names, so that equal, moved and changed nodes are all common.
fn any_yaml() -> impl Strategy<Value = String> {
    let node = (0usize..4, 0usize..5, 0usize..3, 0usize..4);
    proptest::collection::vec(node, 0..12).prop_map(|rows| {
        let mut depth = 0;
        let mut lines = Vec::new();
        let mut rows = rows.into_iter().peekable();
        while let Some((step, role, name, text)) = rows.next() {
            let role = ["list", "button", "link", "text", "group"][role];
            let indent = "  ".repeat(depth);
            if role == "text" {
                lines.push(format!("{indent}- text: t{name}"));
                depth = depth.saturating_sub(step);
                continue;
            }
            let key = format!("{indent}- {role}{}", ["", " \"a\"", " \"b\" [disabled]"][name]);
            match (text, rows.peek()) {
                (0, _) | (_, None) => lines.push(format!("{key}: t{step}")),
                (1, _) => lines.push(key),
                (_, Some(_)) => {
                    lines.push(format!("{key}:"));
                    lines.push(format!("{indent}  - /url: u{step}"));
                    depth += 1;
                    continue;
                }
            }
            depth = depth.saturating_sub(step);
        }
        lines.join("\n")
    })
}

proptest! {
    #[test]
    fn report_holds_both_trees_and_is_empty_only_for_equal_ones(left in any_yaml(), right in any_yaml()) {
        let (left, right) = (of(&left), of(&right));
        let diff = diff(&left, &right);
        prop_assert_eq!(diff.is_empty(), left.to_yaml() == right.to_yaml());
        prop_assert_eq!(diff.lines_of(Sign::Expected), left.to_yaml());
        prop_assert_eq!(diff.lines_of(Sign::Actual), right.to_yaml());
    }
}
