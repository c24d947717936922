//! Where this project's answer differs from the corpus on purpose: case or element, and the row of `decisions.md` that
//! says why. A row that no longer makes a difference is reported, so the tables stay true.

use super::corpus::Options;

/// Cases by id.
pub(super) const CASES: &[(&str, &str)] = &[
    // What is visible in a hidden element is on the screen and in the tree.
    ("page-aria-snapshot-should-not-show-visible-children-of-hidden-elements--1", "B5"),
    // A region without a name is none; a form is one with and without; a title is a name for both.
    ("page-aria-snapshot-should-respect-aria-owns--1", "C"),
    ("page-aria-snapshot-should-respect-aria-owns--2", "C"),
    ("page-aria-snapshot-should-be-ok-with-circular-ownership--1", "C"),
    ("page-aria-snapshot-should-be-ok-with-circular-ownership--2", "C"),
    ("page-aria-snapshot-should-handle-long-strings--1", "C"),
    ("page-aria-snapshot-should-handle-long-strings--2", "C"),
    ("axe-implicit-role--20", "C"),
    ("axe-implicit-role--21", "C"),
    ("axe-implicit-role--62", "C"),
    // The button of a file field says what the browser says.
    ("wpt-manual--name_file-title--0", "D"),
    ("wpt-manual--name_test_case_751--0", "D"),
    // A property nobody has is an error, and every property is compared.
    ("edge-43", "F1"),
    ("edge-44", "F1"),
    ("edge-53", "F1"),
    ("parser-31", "F1"),
    ("parser-32", "F1"),
    // What has the focus is no part of a snapshot, so a template that says it is an error.
    ("edge-67", "F2"),
    ("edge-68", "F2"),
    ("parser-54", "F2"),
    // Numbers and words without quotes are texts as written.
    ("parser-19", "F7"),
    ("parser-29", "F7"),
    // What can't match anything, or is a typing error, is an error; patterns take flags.
    ("to-match-aria-snapshot-should-parse-attributes--2", "F8"),
    ("to-match-aria-snapshot-treat-bad-regex-as-a-string--1", "F8"),
    ("edge-70", "F8"),
    ("edge-71", "F8"),
    ("edge-97", "F8"),
    ("edge-110", "F8"),
    ("parser-17", "F8"),
    ("parser-22", "F8"),
    ("parser-35", "F8"),
    ("parser-46", "F8"),
    ("parser-47", "F8"),
    ("parser-70", "F8"),
    ("parser-99", "F8"),
    ("parser-100", "F8"),
    // States of the full form are compared where a template has them.
    ("parser-61", "E4"),
];

/// Elements of pages on which Chromium's tree differs: page, element as the report names it, row.
pub(super) const ELEMENTS: &[(&str, &str, &str)] = &[];

/// The row that decides a case.
pub(super) fn of_case(id: &str) -> Option<&'static str> {
    CASES.iter().find(|(case, _)| *case == id).map(|(_, row)| *row)
}

/// The row that decides a whole form of snapshot. A case of it may agree all the same.
pub(super) fn of_form(options: &Options) -> Option<&'static str> {
    if options.mode.as_deref() == Some("ai") {
        // One form, whoever reads it: no references to elements, no second rule of what is shown.
        return Some("F12");
    }
    // Where things are on the screen is no part of the accessible tree.
    options.boxes.then_some("boxes")
}

/// The row that decides a difference from Chromium's tree; `named` is the role when it is the name that differs.
pub(super) fn of_element(page: &str, element: &str, named: Option<&str>) -> Option<&'static str> {
    // ARIA names rows from their content; Chromium only those that can have the focus.
    if named == Some("row") {
        return Some("G");
    }
    ELEMENTS.iter().find(|(file, path, _)| *file == page && *path == element).map(|(.., row)| *row)
}
