//! Console calls and uncaught errors.

use bidi::event::StackTrace;
use bidi::event::log::EntryAdded;
use serde_json::{Map, Value};
use std::fmt;

/// A place in the page's source.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Location {
    /// Script or document.
    pub url: String,
    /// Counted from 1.
    pub line: i64,
    /// Counted from 1.
    pub column: i64,
    /// Empty for anonymous functions.
    pub function: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, line, column, function } = self;
        if function.is_empty() {
            write!(f, "{url}:{line}:{column}")
        } else {
            write!(f, "{function} ({url}:{line}:{column})")
        }
    }
}

/// A console call, an uncaught exception or an unhandled rejection.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ConsoleEntry {
    /// `console` or `javascript` (uncaught).
    pub kind: String,
    /// `debug`, `info`, `warn`, `error`.
    pub level: String,
    /// Console method such as `log`; empty for uncaught errors.
    pub method: String,
    /// The printed text.
    pub text: String,
    /// Whether it is a promise rejection that nobody handled.
    pub rejection: bool,
    /// Innermost first; may be empty.
    pub stack: Vec<Location>,
    /// Milliseconds since the epoch.
    pub timestamp: f64,
    /// What was given to the console method, as JSON as far as it has such a form: maps are objects, dates and big
    /// numbers text, what the browser describes no closer (functions, elements, deep parts) is `null`.
    #[serde(skip)]
    pub args: Vec<Value>,
    #[serde(skip)]
    pub(super) order: u64,
    /// Whether an argument is an error: its text comes in another event.
    #[serde(skip)]
    pub(super) has_error: bool,
}

impl ConsoleEntry {
    pub(super) fn new(entry: EntryAdded, order: u64) -> Self {
        let text = entry.text.unwrap_or_default();
        let is_uncaught = entry.kind == "javascript";
        Self {
            kind: entry.kind,
            level: entry.level,
            method: entry.method.unwrap_or_default(),
            // Chrome says so when a script of the test threw; the kind says it anyway.
            text: ["Uncaught (in promise) ", "Uncaught "]
                .iter()
                .find_map(|prefix| text.strip_prefix(prefix).filter(|_| is_uncaught))
                .unwrap_or(&text)
                .to_owned(),
            rejection: false,
            stack: entry.stack_trace.map(|stack| locations(&stack)).unwrap_or_default(),
            timestamp: entry.timestamp,
            has_error: entry.args.iter().any(|argument| argument["type"] == "error"),
            args: entry.args.iter().map(plain).collect(),
            order,
        }
    }

    /// Whether it is an uncaught exception or an unhandled rejection.
    pub fn is_page_error(&self) -> bool {
        self.kind == "javascript"
    }

    /// Whether another event says more about it.
    pub(super) fn waits(&self) -> bool {
        self.has_error || self.is_page_error()
    }

    /// Where it was called or thrown.
    pub fn location(&self) -> Option<&Location> {
        self.stack.first()
    }
}

/// One line: `error: text at place`.
impl fmt::Display for ConsoleEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_page_error() { "uncaught" } else { self.level.as_str() };
        write!(f, "{kind}: {}", self.text)?;
        self.location().map_or(Ok(()), |location| write!(f, " at {location}"))
    }
}

pub(crate) fn locations(stack: &StackTrace) -> Vec<Location> {
    let frames = stack.call_frames.iter();
    frames
        .map(|frame| Location {
            url: frame.url.clone(),
            line: frame.line_number + 1,
            column: frame.column_number + 1,
            function: frame.function_name.clone(),
        })
        .collect()
}

/// A `script.RemoteValue` as JSON.
fn plain(remote: &Value) -> Value {
    let value = &remote["value"];
    let list = || value.as_array().map(|items| items.iter().map(plain).collect()).map_or(Value::Null, Value::Array);
    let key = |key: &Value| match key {
        Value::String(text) => text.clone(),
        other => match plain(other) {
            Value::String(text) => text,
            other => other.to_string(),
        },
    };
    match remote["type"].as_str().unwrap_or_default() {
        "string" | "boolean" | "number" | "bigint" | "date" => value.clone(),
        "array" | "set" | "nodelist" | "htmlcollection" => list(),
        "object" | "map" => value.as_array().map_or(Value::Null, |pairs| {
            let pairs = pairs.iter().map(|pair| (key(&pair[0]), plain(&pair[1])));
            Value::Object(pairs.collect::<Map<_, _>>())
        }),
        "regexp" => {
            let part = |name: &str| value[name].as_str().unwrap_or_default();
            format!("/{}/{}", part("pattern"), part("flags")).into()
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn remote_values_become_json() {
        let remote = json!({"type": "object", "value": [
            ["a", {"type": "array", "value": [{"type": "number", "value": 1}, {"type": "undefined"}]}],
            ["b", {"type": "map", "value": [[{"type": "number", "value": 7}, {"type": "string", "value": "x"}]]}],
            ["c", {"type": "regexp", "value": {"pattern": "a+", "flags": "g"}}],
            ["deep", {"type": "object"}],
        ]});
        assert_eq!(plain(&remote), json!({"a": [1, null], "b": {"7": "x"}, "c": "/a+/g", "deep": null}));
        assert_eq!(plain(&json!({"type": "number", "value": "NaN"})), json!("NaN"));
    }
}
