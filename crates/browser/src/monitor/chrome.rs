//! What Chrome tells only in its own protocol: the text of errors, and which uncaught errors are
//! rejections.

use bidi::Event;
use serde::Deserialize;

/// Details that belong to one log entry, found by when and where it happened.
#[derive(Debug)]
pub(super) struct Details {
    pub(super) key: Key,
    pub(super) text: Option<String>,
    pub(super) rejection: bool,
}

/// Time in whole milliseconds, and the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) kind: Kind,
    pub(super) timestamp: i64,
    pub(super) place: Option<(String, i64, i64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Console,
    Uncaught,
}

#[derive(Deserialize)]
struct Envelope<T> {
    params: T,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ConsoleCall {
    #[serde(default)]
    args: Vec<RemoteObject>,
    timestamp: f64,
    stack_trace: Option<bidi::event::StackTrace>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thrown {
    timestamp: f64,
    exception_details: ExceptionDetails,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExceptionDetails {
    #[serde(default)]
    text: String,
    stack_trace: Option<bidi::event::StackTrace>,
    exception: Option<RemoteObject>,
}

#[derive(Deserialize)]
struct RemoteObject {
    #[serde(default)]
    subtype: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    value: serde_json::Value,
}

impl RemoteObject {
    /// As the console prints it. An error's description is its message and then its stack, which
    /// is kept elsewhere.
    fn text(&self) -> String {
        match &self.value {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Null if self.subtype == "error" => {
                let end = self.description.find("\n    at ").unwrap_or(self.description.len());
                self.description[..end].to_owned()
            }
            serde_json::Value::Null if self.description.is_empty() => "undefined".to_owned(),
            serde_json::Value::Null => self.description.clone(),
            other => other.to_string(),
        }
    }
}

impl Details {
    /// The details in `event`, when it is one of the two kinds that carry any.
    pub(super) fn of(event: &Event) -> Option<Self> {
        match event.method.as_str() {
            "goog:cdp.Runtime.consoleAPICalled" => {
                let call = Envelope::<ConsoleCall>::deserialize(&event.params).ok()?.params;
                let has_error = call.args.iter().any(|argument| argument.subtype == "error");
                let text = || call.args.iter().map(RemoteObject::text).collect::<Vec<_>>().join(" ");
                Some(Self {
                    text: has_error.then(text),
                    rejection: false,
                    key: Key::new(Kind::Console, call.timestamp, call.stack_trace.as_ref()),
                })
            }
            "goog:cdp.Runtime.exceptionThrown" => {
                let thrown = Envelope::<Thrown>::deserialize(&event.params).ok()?.params;
                let details = thrown.exception_details;
                Some(Self {
                    text: details.exception.map(|exception| exception.text()),
                    rejection: details.text.contains("(in promise)"),
                    key: Key::new(Kind::Uncaught, thrown.timestamp, details.stack_trace.as_ref()),
                })
            }
            _ => None,
        }
    }
}

impl Key {
    pub(super) fn new(kind: Kind, timestamp: f64, stack: Option<&bidi::event::StackTrace>) -> Self {
        let first = stack.and_then(|stack| stack.call_frames.first());
        Self {
            kind,
            timestamp: timestamp.round() as i64,
            place: first.map(|frame| (frame.url.clone(), frame.line_number, frame.column_number)),
        }
    }
}
