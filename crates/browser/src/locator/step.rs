//! The steps a locator is made of.

use serde::Serialize;
use std::fmt;

/// How a text or an accessible name must match. White space is squeezed on both sides.
///
/// A plain `&str` means exactly this text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextMatch {
    /// Any text at all.
    Any,
    /// This text, case and all.
    Exact(String),
    /// A text with this in it, upper or lower case.
    Contains(String),
}

impl TextMatch {
    /// A text with this in it, upper or lower case.
    pub fn contains(text: impl Into<String>) -> Self {
        Self::Contains(text.into())
    }
}

impl From<&str> for TextMatch {
    fn from(text: &str) -> Self {
        Self::Exact(text.to_owned())
    }
}

impl From<String> for TextMatch {
    fn from(text: String) -> Self {
        Self::Exact(text)
    }
}

impl From<&String> for TextMatch {
    fn from(text: &String) -> Self {
        Self::Exact(text.clone())
    }
}

impl fmt::Display for TextMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Exact(text) => write!(f, "{text:?}"),
            Self::Contains(text) => write!(f, "contains {text:?}"),
        }
    }
}

impl Serialize for TextMatch {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Form<'a> {
            text: &'a str,
            exact: bool,
        }
        match self {
            Self::Any => serializer.serialize_none(),
            Self::Exact(text) => Form { text, exact: true }.serialize(serializer),
            Self::Contains(text) => Form { text, exact: false }.serialize(serializer),
        }
    }
}

/// One step: narrows the elements of the step before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", rename_all = "camelCase")]
pub(crate) enum Step {
    Css {
        css: String,
    },
    Role {
        role: String,
        name: TextMatch,
    },
    Text {
        #[serde(rename = "match")]
        text: TextMatch,
    },
    Label {
        #[serde(rename = "match")]
        text: TextMatch,
    },
    TestId {
        id: String,
    },
    HasText {
        #[serde(rename = "match")]
        text: TextMatch,
    },
    Nth {
        index: i64,
    },
    /// Goes on in the document of a frame element. Taken apart here: the page never sees it.
    ContentFrame,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Css { css } => write!(f, "locator({css:?})"),
            Self::Role { role, name: TextMatch::Any } => write!(f, "get_by_role({role:?})"),
            Self::Role { role, name } => write!(f, "get_by_role({role:?}, {name})"),
            Self::Text { text } => write!(f, "get_by_text({text})"),
            Self::Label { text } => write!(f, "get_by_label({text})"),
            Self::TestId { id } => write!(f, "get_by_test_id({id:?})"),
            Self::HasText { text } => write!(f, "filter({text})"),
            Self::Nth { index } => write!(f, "nth({index})"),
            Self::ContentFrame => f.write_str("content_frame()"),
        }
    }
}
