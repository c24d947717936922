//! How texts must match.

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
    /// A text that a JavaScript pattern finds something in. Patterns see squeezed text, and are not anchored.
    Regex {
        /// The pattern, without slashes.
        pattern: String,
        /// JavaScript's flags, such as `i`.
        flags: String,
    },
}

impl TextMatch {
    /// A text with this in it, upper or lower case.
    pub fn contains(text: impl Into<String>) -> Self {
        Self::Contains(text.into())
    }

    /// A text in which this JavaScript pattern finds something: `^` and `$` bind it to the ends. For flags, see
    /// [`Regex`](Self::Regex).
    pub fn regex(pattern: impl Into<String>) -> Self {
        Self::Regex { pattern: pattern.into(), flags: String::new() }
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
            Self::Regex { pattern, flags } => write!(f, "/{pattern}/{flags}"),
        }
    }
}

impl Serialize for TextMatch {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Form<'a> {
            kind: &'a str,
            text: &'a str,
            flags: &'a str,
        }
        let (kind, text, flags) = match self {
            Self::Any => return serializer.serialize_none(),
            Self::Exact(text) => ("exact", text, ""),
            Self::Contains(text) => ("contains", text, ""),
            Self::Regex { pattern, flags } => ("regex", pattern, flags.as_str()),
        };
        Form { kind, text, flags }.serialize(serializer)
    }
}
