//! Asking the page-side script, and understanding its answer.

use super::Page;
use crate::error::{CallLog, Error, Result};
use crate::script;
use bidi::command::script::{CallFunction, CallResult, Target, string};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::Instant;

/// A question to the page-side script.
#[derive(Debug)]
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

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Ok(Value),
    Timeout(Vec<String>),
    Strict { count: usize, candidates: Vec<String> },
    Unsuitable(String),
}

/// What the page may take beyond the deadline: it answers late when it is busy, and a page that
/// never answers is told apart from an element that never comes.
const GRACE: Duration = Duration::from_secs(5);

impl Page {
    /// Asks the script. A navigation in between ends the page's answer, not the question: it is put
    /// again to the new document until the deadline.
    pub(crate) async fn ask(&self, asked: Asked<'_>) -> Result<Value> {
        let Asked { command, mut arguments, action, deadline } = asked;
        let end = Instant::now() + deadline;
        let mut navigations = 0;
        let timeout = |action, navigations, seen: Vec<String>| {
            let note = (navigations > 0).then(|| format!("the page navigated away {navigations} times meanwhile"));
            Error::Timeout { action, deadline, log: CallLog(note.into_iter().chain(seen).collect()) }
        };
        loop {
            let left = end.saturating_duration_since(Instant::now());
            arguments.insert("deadline".into(), (left.as_millis() as u64).into());
            let json = Value::Object(arguments.clone()).to_string();
            let text = match self.run(command, &json, left + GRACE).await {
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
                Err(Error::PageClosed { page, .. }) => return Err(Error::PageClosed { action, page }),
                other => other?,
            };
            let answer = serde_json::from_str(&text).map_err(|error| bidi::Error::Shape {
                method: format!("page script, command {command}"),
                reason: error.to_string(),
                excerpt: text.chars().take(200).collect(),
            })?;
            return match answer {
                Answer::Ok(value) => Ok(value),
                Answer::Timeout(seen) => Err(timeout(action, navigations, seen)),
                Answer::Strict { count, candidates } => Err(Error::Strict { action, count, candidates }),
                Answer::Unsuitable(reason) => Err(Error::Unsuitable { action, reason }),
            };
        }
    }

    async fn run(&self, command: &str, json: &str, deadline: Duration) -> Result<String> {
        let run = self.call_in(Some(script::SANDBOX), script::RUN, vec![string(command), string(json)], deadline);
        if let Some(text) = run.await? {
            return Ok(text);
        }
        // The first document of a window can be older than the preload script.
        self.call_in(Some(script::SANDBOX), &script::install(), Vec::new(), deadline).await?;
        let run = self.call_in(Some(script::SANDBOX), script::RUN, vec![string(command), string(json)], deadline);
        Ok(run.await?.unwrap_or_default())
    }

    /// Calls a function that returns text, nothing, or a promise of one of them.
    pub(super) async fn call_in(
        &self,
        sandbox: Option<&str>,
        function: &str,
        arguments: Vec<Value>,
        deadline: Duration,
    ) -> Result<Option<String>> {
        let call = CallFunction {
            function_declaration: function.to_owned(),
            arguments,
            await_promise: true,
            target: Target { context: self.id().to_owned(), sandbox: sandbox.map(str::to_owned) },
            user_activation: false,
        };
        let result = self.core().link.call_within(&call, deadline).await;
        match result.map_err(|error| self.explain("a script", error))? {
            CallResult::Success { result } => Ok(result.value.as_str().map(str::to_owned)),
            CallResult::Exception { exception_details: details } => Err(Error::Script {
                text: details.text,
                stack: details
                    .stack_trace
                    .call_frames
                    .iter()
                    .map(|frame| {
                        let (line, column) = (frame.line_number + 1, frame.column_number + 1);
                        format!("{} {}:{line}:{column}", frame.function_name, frame.url).trim_start().to_owned()
                    })
                    .collect(),
            }),
        }
    }

    /// Tells a closed page from other refusals.
    pub(super) fn explain(&self, action: &str, error: Error) -> Error {
        match error {
            Error::Protocol(bidi::Error::Refused { code, .. }) if code == "no such frame" => {
                Error::PageClosed { action: action.to_owned(), page: self.id().to_owned() }
            }
            other => other,
        }
    }
}

/// Whether a refusal means that the document the script ran in was replaced.
fn is_navigation(error: &bidi::Error) -> bool {
    let bidi::Error::Refused { code, message, .. } = error else { return false };
    let marks = ["navigated", "context was destroyed", "Cannot find context", "context with specified id"];
    code == "no such realm" || marks.iter().any(|mark| message.contains(mark))
}
