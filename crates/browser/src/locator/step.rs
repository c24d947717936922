//! The steps a locator is made of.

use super::{RoleOptions, TextMatch, role};
use serde::Serialize;
use std::fmt;

/// One step: narrows the elements of the step before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "camelCase")]
pub(crate) enum Step {
    Css {
        css: String,
    },
    #[serde(rename = "xpath")]
    XPath {
        xpath: String,
    },
    Role {
        role: String,
        #[serde(flatten)]
        options: RoleOptions,
    },
    Text {
        #[serde(rename = "match")]
        text: TextMatch,
    },
    Label {
        #[serde(rename = "match")]
        text: TextMatch,
    },
    Attribute {
        name: &'static str,
        #[serde(rename = "match")]
        text: TextMatch,
    },
    TestId {
        #[serde(rename = "match")]
        id: TextMatch,
    },
    HasText {
        #[serde(rename = "match")]
        text: TextMatch,
        not: bool,
    },
    Has {
        steps: Vec<Step>,
        not: bool,
    },
    Visible {
        not: bool,
    },
    And {
        steps: Vec<Step>,
    },
    Or {
        steps: Vec<Step>,
    },
    Nth {
        index: i64,
    },
    /// Goes on in the document of a frame element. Taken apart here: the page never sees it.
    ContentFrame,
}

impl Step {
    /// A selector as people write it: CSS, or XPath after `xpath=` or when it starts like one.
    pub(crate) fn selector(text: &str) -> Self {
        match text.strip_prefix("xpath=") {
            Some(xpath) => Self::XPath { xpath: xpath.to_owned() },
            None if ["//", "(//", ".."].iter().any(|start| text.starts_with(start)) => {
                Self::XPath { xpath: text.to_owned() }
            }
            None => Self::Css { css: text.to_owned() },
        }
    }

    pub(crate) fn role(role: &str, options: RoleOptions) -> Self {
        // ARIA 1.3 has two words for one role.
        let role = if role == "image" { "img" } else { role };
        Self::Role { role: role.to_owned(), options }
    }

    /// What makes a locator with this step wrong whatever the page shows.
    pub(super) fn refusal(&self) -> Option<String> {
        match self {
            Self::Role { role, .. } => role::refusal(role),
            Self::Has { steps, .. } | Self::And { steps } | Self::Or { steps } => {
                if steps.contains(&Self::ContentFrame) {
                    return Some("a locator inside another one must look in the same frame".into());
                }
                steps.iter().find_map(Self::refusal)
            }
            _ => None,
        }
    }
}

/// A chain of steps as it is written in a test.
pub(super) fn chain(steps: &[Step]) -> String {
    steps.iter().map(Step::to_string).collect::<Vec<_>>().join(".")
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let no = |not: &bool| if *not { "_not" } else { "" };
        match self {
            Self::Css { css } => write!(f, "locator({css:?})"),
            Self::XPath { xpath } => write!(f, "locator({:?})", format!("xpath={xpath}")),
            Self::Role { role, options } => write!(f, "get_by_role({role:?}{options})"),
            Self::Text { text } => write!(f, "get_by_text({text})"),
            Self::Label { text } => write!(f, "get_by_label({text})"),
            Self::Attribute { name: "alt", text } => write!(f, "get_by_alt_text({text})"),
            Self::Attribute { name, text } => write!(f, "get_by_{name}({text})"),
            Self::TestId { id } => write!(f, "get_by_test_id({id})"),
            Self::HasText { text, not: false } => write!(f, "filter({text})"),
            Self::HasText { text, not: true } => write!(f, "filter_not({text})"),
            Self::Has { steps, not } => write!(f, "filter_has{}({})", no(not), chain(steps)),
            Self::Visible { not: false } => f.write_str("filter_visible()"),
            Self::Visible { not: true } => f.write_str("filter_hidden()"),
            Self::And { steps } => write!(f, "and({})", chain(steps)),
            Self::Or { steps } => write!(f, "or({})", chain(steps)),
            Self::Nth { index } => write!(f, "nth({index})"),
            Self::ContentFrame => f.write_str("content_frame()"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_are_css_unless_they_start_like_xpath() {
        let shown = |text| Step::selector(text).to_string();
        assert_eq!(shown("ul > li"), "locator(\"ul > li\")");
        assert_eq!(shown("//li[2]"), "locator(\"xpath=//li[2]\")");
        assert_eq!(shown("(//li)[2]"), "locator(\"xpath=(//li)[2]\")");
        assert_eq!(shown("xpath=ul/li"), "locator(\"xpath=ul/li\")");
    }
}
