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
    // An item that is in no list, list box or tree is none.
    ("page-aria-snapshot-should-snapshot-inner-text--1", "C"),
    ("page-aria-snapshot-should-snapshot-inner-text--2", "C"),
    ("role-utils-accessible-name-nested-treeitem--1", "C"),
    ("role-utils-accessible-name-nested-treeitem--2", "C"),
    ("selectors-role-should-support-selected--1", "C"),
    ("selectors-role-should-support-selected--2", "C"),
    ("selectors-role-should-support-selected--3", "C"),
    ("selectors-role-should-support-selected--4", "C"),
    ("selectors-role-should-support-selected--5", "C"),
    ("selectors-role-should-support-expanded--1", "C"),
    ("selectors-role-should-support-expanded--2", "C"),
    ("selectors-role-should-support-expanded--3", "C"),
    ("selectors-role-should-support-expanded--4", "C"),
    ("selectors-role-should-support-expanded--5", "C"),
    ("selectors-role-should-support-expanded--6", "C"),
    ("selectors-role-should-support-expanded--7", "C"),
    // A part of a picture that says something of itself has a role.
    ("role-utils-svg-title--3", "B9"),
    // A title comes last: text that styles add is content.
    ("wpt-manual--name_test_case_659--0", "D"),
    ("wpt-manual--name_test_case_660--0", "D"),
    // A reference to an id that nobody has is none; what the page means by it can't be known.
    ("wpt-comp-name-from-content--47", "D"),
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
pub(super) const ELEMENTS: &[(&str, &str, &str)] = &[
    // Fields for dates, times and colours have no role in ARIA: they are text boxes, so that their values are seen.
    ("001-input-types.html", "input#i", "C"),
    ("001-input-types.html", "input#j", "C"),
    ("001-input-types.html", "input#k", "C"),
    ("001-input-types.html", "input#l", "C"),
    ("001-input-types.html", "input#m", "C"),
    ("001-input-types.html", "input#n", "C"),
    // Looks make no table (HTML-AAM).
    ("007-table-layout.html", "div", "C"),
    ("007-table-layout.html", "div > div", "C"),
    ("007-table-layout.html", "div > div > div(1)", "C"),
    ("007-table-layout.html", "div > div > div(2)", "C"),
    // The name of a term is the author's alone (ARIA 1.2).
    ("017-lists.html", "dl > dt(1)", "D"),
    ("017-lists.html", "dl > dt(2)", "D"),
    ("017-lists.html", "dl > dt(2) > dfn", "D"),
    ("017-lists.html", "dl > div > dt", "D"),
    // Headers and footers of sections: their roles are no landmarks and only in a draft, ARIA 1.3.
    ("019-landmark-nesting.html", "section(1) > header", "C"),
    ("019-landmark-nesting.html", "section(1) > footer", "C"),
    ("019-landmark-nesting.html", "section(2) > header", "C"),
    ("019-landmark-nesting.html", "div(3) > header", "C"),
    ("019-landmark-nesting.html", "main > header", "C"),
    ("019-landmark-nesting.html", "aside > footer", "C"),
    ("019-landmark-nesting.html", "nav > header", "C"),
    // A footer in a region is none of the page, however the region is made (HTML-ARIA).
    ("019-landmark-nesting.html", "div(2) > footer", "G"),
    // A caption names its figure, also where the figure is content (HTML-AAM).
    ("023-figure-img.html", "figure(1)", "D"),
    ("023-figure-img.html", "figure(2)", "D"),
    ("059-name-from-content.html", "div(7)", "D"),
    ("059-name-from-content.html", "div(7) > figure", "D"),
    // A title names an image with an empty alternative (accname's tests in WPT).
    ("023-figure-img.html", "img(4)", "D"),
    // A hidden label is a label (accname, step 2A).
    ("045-labels.html", "input#q3", "G"),
    // The title of a part is its text (accname, step 2I).
    ("059-name-from-content.html", "button(4)", "D"),
    // A field in a name is its value, be it empty (accname, step 2C).
    ("065-nested-interactive.html", "div(2)", "D"),
    // The name of math is the author's alone (ARIA 1.2).
    ("065-nested-interactive.html", "div(8)", "D"),
];

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
