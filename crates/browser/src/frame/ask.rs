//! Asking the page-side script, and understanding its answer.

use super::Frame;
use crate::error::{CallLog, Error, Result};
use crate::script;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use bidi::command::script::{RemoteValue, node, string};
use flate2::read::DeflateDecoder;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::Read;
use std::time::Duration;
use tokio::time::Instant;

/// A question to the page-side script.
#[derive(Debug, Clone)]
pub(crate) struct Asked<'a> {
    /// Command of the script.
    pub(crate) command: &'a str,
    /// Its arguments; the deadline is added.
    pub(crate) arguments: Map<String, Value>,
    /// What the test wants, for messages: `click get_by_role("button")`.
    pub(crate) action: String,
    /// How long the page may wait before it answers.
    pub(crate) deadline: Duration,
}

/// What the script gives back.
#[derive(Debug)]
pub(crate) enum Answered {
    /// Data.
    Json(Value),
    /// Browsing context id of the document in a frame element.
    Frame(String),
    /// Shared id of an element.
    Node(String),
}

impl Answered {
    /// The data; `null` for answers that are none.
    pub(crate) fn into_json(self) -> Value {
        match self {
            Self::Json(value) => value,
            Self::Frame(_) | Self::Node(_) => Value::Null,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Ok(Value),
    Timeout(Vec<String>),
    Strict {
        count: usize,
        candidates: Vec<String>,
    },
    Unsuitable(String),
    /// There may be closed shadow roots to make known first.
    Adopt,
}

/// What the page may take beyond the deadline: it answers late when it is busy, and a page that
/// never answers is told apart from an element that never comes.
const GRACE: Duration = Duration::from_secs(5);

impl Frame {
    /// Asks the script for data. A navigation in between ends the page's answer, not the question: it is put
    /// again to the new document until the deadline.
    pub(crate) async fn ask(&self, asked: Asked<'_>) -> Result<Value> {
        let end = Instant::now() + asked.deadline;
        Ok(self.ask_until(asked, end).await?.into_json())
    }

    /// [`ask`](Self::ask) for anything, with what is left of the deadline.
    pub(crate) async fn ask_until(&self, asked: Asked<'_>, end: Instant) -> Result<Answered> {
        self.ask_about(None, asked, end).await
    }

    /// [`ask_until`](Self::ask_until) about the node of this shared id.
    pub(crate) async fn ask_about(&self, node: Option<&str>, asked: Asked<'_>, end: Instant) -> Result<Answered> {
        let Asked { command, mut arguments, action, deadline } = asked;
        let mut navigations = 0;
        let timeout = |action, navigations, seen: Vec<String>| {
            let note = (navigations > 0).then(|| format!("the page navigated away {navigations} times meanwhile"));
            Error::Timeout { action, deadline, log: CallLog(note.into_iter().chain(seen).collect()) }
        };
        loop {
            let left = end.saturating_duration_since(Instant::now());
            arguments.insert("deadline".into(), (left.as_millis() as u64).into());
            let json = Value::Object(arguments.clone()).to_string();
            let text = match self.run(command, &json, node, left + GRACE).await.map(answered) {
                Ok(Answered::Json(Value::String(text))) => {
                    unpacked(text).map_err(|reason| misshapen(command, reason, "a packed answer".to_owned()))?
                }
                Ok(handle) => return Ok(handle),
                Err(Error::Protocol(error)) if is_navigation(&error) => {
                    navigations += 1;
                    if Instant::now() >= end {
                        return Err(timeout(action, navigations, Vec::new()));
                    }
                    continue;
                }
                Err(Error::Protocol(bidi::Error::Deadline { .. })) => {
                    let seen = "the page does not answer: its script is busy or a dialog blocks it".to_owned();
                    return Err(timeout(action, navigations, vec![seen]));
                }
                Err(Error::PageClosed { .. } | Error::FrameDetached { .. }) => return Err(self.gone(&action)),
                Err(Error::PageCrashed { page, .. }) => return Err(Error::PageCrashed { action, page }),
                Err(other) => return Err(other),
            };
            let answer = serde_json::from_str(&text)
                .map_err(|error| misshapen(command, error.to_string(), text.chars().take(200).collect()))?;
            return match answer {
                Answer::Ok(value) => Ok(Answered::Json(value)),
                Answer::Timeout(seen) => Err(timeout(action, navigations, seen)),
                Answer::Strict { count, candidates } => Err(Error::Strict { action, count, candidates }),
                Answer::Unsuitable(reason) => Err(Error::Unsuitable { action, reason }),
                Answer::Adopt => match self.adopt_roots(GRACE).await {
                    // A document that went away took its hosts along.
                    Err(Error::Protocol(error)) if !is_navigation(&error) => Err(Error::Protocol(error)),
                    Err(Error::PageClosed { .. } | Error::FrameDetached { .. }) => Err(self.gone(&action)),
                    _ => continue,
                },
            };
        }
    }

    async fn run(&self, command: &str, json: &str, about: Option<&str>, deadline: Duration) -> Result<RemoteValue> {
        let arguments: Vec<_> = [string(command), string(json)].into_iter().chain(about.map(node)).collect();
        let first = self.call(Some(script::SANDBOX), script::RUN, arguments.clone(), deadline).await?;
        if first.kind != "null" {
            return Ok(first);
        }
        // The first document of a window can be older than the preload script.
        self.call(Some(script::SANDBOX), &self.page().core().script, Vec::new(), deadline).await?;
        self.call(Some(script::SANDBOX), script::RUN, arguments, deadline).await
    }
}

/// The script answers with text, or with a list of one handle.
fn answered(value: RemoteValue) -> Answered {
    let handle = &value.value[0];
    if let Some(context) = handle["value"]["context"].as_str() {
        Answered::Frame(context.to_owned())
    } else if let Some(id) = handle["sharedId"].as_str() {
        Answered::Node(id.to_owned())
    } else {
        Answered::Json(value.value)
    }
}

/// An answer of the script that is not what its command gives.
pub(crate) fn misshapen(command: &str, reason: impl Into<String>, excerpt: String) -> Error {
    let method = format!("page script, command {command}");
    Error::Protocol(bidi::Error::Shape { method, reason: reason.into(), excerpt })
}

/// The text of an answer that `pack.js` may have packed.
fn unpacked(text: String) -> Result<String, String> {
    let Some(packed) = text.strip_prefix('~') else { return Ok(text) };
    let deflated = BASE64.decode(packed).map_err(|error| error.to_string())?;
    let mut plain = String::new();
    DeflateDecoder::new(deflated.as_slice()).read_to_string(&mut plain).map_err(|error| error.to_string())?;
    Ok(plain)
}

/// Whether a refusal means that the document the script ran in was replaced.
pub(super) fn is_navigation(error: &bidi::Error) -> bool {
    let bidi::Error::Refused { code, message, .. } = error else { return false };
    let marks = ["navigated", "context was destroyed", "Cannot find context", "context with specified id"];
    code == "no such realm" || marks.iter().any(|mark| message.contains(mark))
}
