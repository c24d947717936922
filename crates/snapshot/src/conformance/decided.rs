//! Where this project's answer differs from the corpus on purpose: case or element, and the row of `decisions.md` that
//! says why. A row that no longer makes a difference is reported, so the tables stay true.

use super::corpus::Options;

/// Cases by id.
pub(super) const CASES: &[(&str, &str)] = &[];

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
