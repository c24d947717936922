//! Where this project's answer differs on purpose from what the corpus expects, or from Chromium's tree. Each decision
//! names its row of `crates/aria/docs/decisions.md`. One that no longer makes a difference is reported, so the table
//! stays true.

use std::fmt;

use super::corpus::Options;

/// A decision and where it shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// Id of the row.
    pub(super) row: &'static str,
    /// Why it differs, in a line.
    why: &'static str,
    /// Cases by id.
    cases: &'static [&'static str],
    /// Elements, by page and as the report names them.
    elements: &'static [(&'static str, &'static [&'static str])],
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.row, self.why)
    }
}

const DECISIONS: &[Decision] = &[
    Decision {
        row: "B5",
        why: "what is visible in a hidden element is on the screen and in the tree",
        cases: &["page-aria-snapshot-should-not-show-visible-children-of-hidden-elements--1"],
        elements: &[],
    },
    Decision {
        row: "B9",
        why: "a part of a picture that says something of itself has a role",
        cases: &["role-utils-svg-title--3"],
        elements: &[],
    },
    Decision {
        row: "C5",
        why: "a title names a form and a section",
        cases: &["axe-implicit-role--20", "axe-implicit-role--62"],
        elements: &[],
    },
    Decision {
        row: "C6",
        why: "a region without a name is none",
        cases: &[
            "page-aria-snapshot-should-respect-aria-owns--1",
            "page-aria-snapshot-should-respect-aria-owns--2",
            "page-aria-snapshot-should-be-ok-with-circular-ownership--1",
            "page-aria-snapshot-should-be-ok-with-circular-ownership--2",
            "page-aria-snapshot-should-handle-long-strings--1",
            "page-aria-snapshot-should-handle-long-strings--2",
        ],
        elements: &[],
    },
    Decision { row: "C7", why: "a form is one without a name too", cases: &["axe-implicit-role--21"], elements: &[] },
    Decision {
        row: "C16",
        why: "an item that is in no list, list box or tree is none",
        cases: &[
            "page-aria-snapshot-should-snapshot-inner-text--1",
            "page-aria-snapshot-should-snapshot-inner-text--2",
            "role-utils-accessible-name-nested-treeitem--1",
            "role-utils-accessible-name-nested-treeitem--2",
            "selectors-role-should-support-selected--1",
            "selectors-role-should-support-selected--2",
            "selectors-role-should-support-selected--3",
            "selectors-role-should-support-selected--4",
            "selectors-role-should-support-selected--5",
            "selectors-role-should-support-expanded--1",
            "selectors-role-should-support-expanded--2",
            "selectors-role-should-support-expanded--3",
            "selectors-role-should-support-expanded--4",
            "selectors-role-should-support-expanded--5",
            "selectors-role-should-support-expanded--6",
            "selectors-role-should-support-expanded--7",
        ],
        elements: &[],
    },
    Decision {
        row: "C18",
        why: "a footer in a region is none of the page, however the region is made (HTML-ARIA)",
        cases: &[],
        elements: &[("019-landmark-nesting.html", &["div(2) > footer"])],
    },
    Decision {
        row: "C19",
        why: "fields for dates, times and colours have no role in ARIA; as text boxes they show their values",
        cases: &[],
        elements: &[("001-input-types.html", &["input#i", "input#j", "input#k", "input#l", "input#m", "input#n"])],
    },
    Decision {
        row: "C20",
        why: "looks make no table (HTML-AAM)",
        cases: &[],
        elements: &[("007-table-layout.html", &["div", "div > div", "div > div > div(1)", "div > div > div(2)"])],
    },
    Decision {
        row: "C21",
        why: "headers and footers of sections have roles only in a draft, ARIA 1.3, and those are no landmarks",
        cases: &[],
        elements: &[(
            "019-landmark-nesting.html",
            &[
                "section(1) > header",
                "section(1) > footer",
                "section(2) > header",
                "div(3) > header",
                "main > header",
                "aside > footer",
                "nav > header",
            ],
        )],
    },
    Decision {
        row: "D9",
        why: "the button of a file field says what the browser says",
        cases: &["wpt-manual--name_file-title--0", "wpt-manual--name_test_case_751--0"],
        elements: &[],
    },
    Decision {
        row: "D10",
        why: "a title comes last: text that styles add is content",
        cases: &["wpt-manual--name_test_case_659--0", "wpt-manual--name_test_case_660--0"],
        elements: &[],
    },
    Decision {
        row: "D16",
        why: "the title of a part is its text (accname, step 2I)",
        cases: &[],
        elements: &[("059-name-from-content.html", &["button(4)"])],
    },
    Decision {
        row: "D17",
        why: "a caption names its figure, also where the figure is content (HTML-AAM)",
        cases: &[],
        elements: &[
            ("023-figure-img.html", &["figure(1)", "figure(2)"]),
            ("059-name-from-content.html", &["div(7)", "div(7) > figure"]),
        ],
    },
    Decision {
        row: "D21",
        why: "the name of a term and of math is the author's alone (ARIA 1.2)",
        cases: &[],
        elements: &[
            ("017-lists.html", &["dl > dt(1)", "dl > dt(2)", "dl > dt(2) > dfn", "dl > div > dt"]),
            ("065-nested-interactive.html", &["div(8)"]),
        ],
    },
    Decision {
        row: "D22",
        why: "a title names an image with an empty alternative (accname's tests in WPT)",
        cases: &[],
        elements: &[("023-figure-img.html", &["img(4)"])],
    },
    Decision {
        row: "D23",
        why: "a hidden label is a label (accname, step 2A)",
        cases: &[],
        elements: &[("045-labels.html", &["input#q3"])],
    },
    Decision {
        row: "D24",
        why: "a field in a name is its value, be it empty (accname, step 2C)",
        cases: &[],
        elements: &[("065-nested-interactive.html", &["div(2)"])],
    },
    Decision {
        row: "D25",
        why: "a reference to an id that nobody has is none; what the page means by it can't be known",
        cases: &["wpt-comp-name-from-content--47"],
        elements: &[],
    },
    Decision {
        row: "E4",
        why: "states of the full form are compared where a template has them",
        cases: &["parser-61"],
        elements: &[],
    },
    Decision {
        row: "F1",
        why: "a property nobody has is an error, and every property is compared",
        cases: &["edge-43", "edge-44", "edge-53", "parser-31", "parser-32"],
        elements: &[],
    },
    Decision {
        row: "F2",
        why: "what has the focus is no part of a snapshot, so a template that says it is an error",
        cases: &["edge-67", "edge-68", "parser-54"],
        elements: &[],
    },
    Decision {
        row: "F7",
        why: "numbers and words without quotes are texts as written",
        cases: &["parser-19", "parser-29"],
        elements: &[],
    },
    Decision {
        row: "F8",
        why: "what can't match anything, or is a typing error, is an error; patterns take flags",
        cases: &[
            "to-match-aria-snapshot-should-parse-attributes--2",
            "to-match-aria-snapshot-treat-bad-regex-as-a-string--1",
            "edge-70",
            "edge-71",
            "edge-97",
            "edge-110",
            "parser-17",
            "parser-22",
            "parser-35",
            "parser-46",
            "parser-47",
            "parser-70",
            "parser-99",
            "parser-100",
        ],
        elements: &[],
    },
];

const ONE_FORM: Decision = Decision {
    row: "F12",
    why: "one form of snapshot, whoever reads it: no references, no places on the screen, no second rule of what is shown",
    cases: &[],
    elements: &[],
};

const NAMED_ROWS: Decision = Decision {
    row: "D20",
    why: "rows are named by their content (ARIA); Chromium names only those that can have the focus",
    cases: &[],
    elements: &[],
};

/// The decision that a case shows.
pub(super) fn of_case(id: &str) -> Option<&'static Decision> {
    DECISIONS.iter().find(|decision| decision.cases.contains(&id))
}

/// The decision on a whole form of snapshot. A case of it may agree all the same.
pub(super) fn of_form(options: &Options) -> Option<&'static Decision> {
    (options.mode.as_deref() == Some("ai") || options.boxes).then_some(&ONE_FORM)
}

/// The decision that a difference from Chromium's tree shows; `named` is the role when it is the name that differs.
pub(super) fn of_element(page: &str, element: &str, named: Option<&str>) -> Option<&'static Decision> {
    if named == Some("row") {
        return Some(&NAMED_ROWS);
    }
    elements_of(page).find(|(decided, _)| *decided == element).map(|(_, decision)| decision)
}

/// The elements of a page that differ by decision.
pub(super) fn elements_of(page: &str) -> impl Iterator<Item = (&'static str, &'static Decision)> {
    DECISIONS.iter().flat_map(move |decision| {
        let of_page = decision.elements.iter().filter(move |(file, _)| *file == page);
        of_page.flat_map(|(_, elements)| elements.iter()).map(move |element| (*element, decision))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_has_a_row_and_nothing_is_decided_twice() {
        let rows = include_str!("../../../aria/docs/decisions.md");
        let mut cases: Vec<&str> = Vec::new();
        for decision in DECISIONS.iter().chain([&ONE_FORM, &NAMED_ROWS]) {
            assert!(rows.contains(&format!("\n| {} | ", decision.row)), "decisions.md has no row {}", decision.row);
            cases.extend(decision.cases);
        }
        let mut once = cases.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), cases.len());
    }
}
