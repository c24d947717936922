//! Aiming at an element, acting, and making sure that it was the element that got it.
//!
//! The page script looks, and puts up a guard that swallows a press which would hit something else. The question what
//! became of it is sent together with the input, so that it costs no time. When something else was hit, nothing
//! happened: the page is looked at anew, until the deadline.

use crate::error::{CallLog, Error, Result};
use crate::frame::{Asked, Frame};
use crate::input::Gesture;
use crate::locator::Locator;
use bidi::command::browsing_context::{GetTree, LocateNodes, NodeLocator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// One attempt after another at one action.
pub(super) struct Attempts<'a> {
    locator: &'a Locator,
    verb: &'a str,
    end: Instant,
    log: Vec<String>,
}

/// Where an element is, and what guards it.
#[derive(Debug)]
pub(super) struct Aimed {
    /// In the viewport of the page.
    pub(super) point: (f64, f64),
    /// What the page script answered.
    pub(super) answer: Value,
    /// The document of the element.
    frame: Frame,
    /// The guards of the documents around it.
    gates: Vec<(Frame, u64)>,
}

#[derive(Debug, Deserialize)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Debug, Deserialize)]
struct Verdict {
    #[serde(default)]
    missed: Option<String>,
    #[serde(default)]
    silent: bool,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(locator: &'a Locator, verb: &'a str) -> Self {
        Self { locator, verb, end: Instant::now() + locator.deadline(), log: Vec::new() }
    }

    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    pub(super) fn title(&self) -> String {
        format!("{} {}", self.verb, self.locator)
    }

    /// Puts a question about the locator with what is left of the deadline.
    pub(super) async fn ask(&self, command: &str, arguments: &[(&str, Value)]) -> Result<(Value, Frame)> {
        let asked = self.locator.within(self.left()).ask(command, self.verb, arguments).await;
        asked.map_err(|error| self.with_log(error))
    }

    fn with_log(&self, error: Error) -> Error {
        match error {
            Error::Timeout { action, log, .. } => {
                let log = CallLog(self.log.iter().cloned().chain(log.0).collect());
                Error::Timeout { action, deadline: self.locator.deadline(), log }
            }
            other => other,
        }
    }

    /// Notes why an attempt failed.
    ///
    /// # Errors
    /// [`Error::Timeout`] when there is no time for another.
    pub(super) fn missed(&mut self, reason: String) -> Result<()> {
        if self.log.last() != Some(&reason) {
            self.log.push(reason);
        }
        if self.left() > Duration::ZERO {
            return Ok(());
        }
        Err(Error::Timeout {
            action: self.title(),
            deadline: self.locator.deadline(),
            log: CallLog(std::mem::take(&mut self.log)),
        })
    }

    /// Waits until the element can be acted on, and guards it when the command does. `None` when the command finds that
    /// nothing is to be done.
    pub(super) async fn aim(
        &self,
        command: &str,
        arguments: &[(&str, Value)],
        force: bool,
        clicks: Option<u32>,
    ) -> Result<Option<Aimed>> {
        let (answer, frame) = self.ask(command, arguments).await?;
        if answer.is_null() {
            return Ok(None);
        }
        let mut aimed = Aimed { point: point_of(&answer)?, answer, frame, gates: Vec::new() };
        self.lead_out(&mut aimed, force, clicks).await?;
        Ok(Some(aimed))
    }

    /// From the element's document to the page's viewport: nothing may lie over the frames on the way.
    async fn lead_out(&self, aimed: &mut Aimed, force: bool, clicks: Option<u32>) -> Result<()> {
        let mut inner = aimed.frame.clone();
        while !inner.is_main() {
            let (outer, element) = self.owner_of(&inner).await?;
            let (x, y) = aimed.point;
            let arguments = json!({ "x": x, "y": y, "force": force, "armed": clicks });
            let asked = self.asked("gate", arguments);
            let answer = outer.ask_about(Some(&element), asked, self.end).await;
            let answer = answer.map_err(|error| self.with_log(error))?.into_json();
            aimed.point = point_of(&answer)?;
            if let Some(token) = answer["token"].as_u64() {
                aimed.gates.push((outer.clone(), token));
            }
            inner = outer;
        }
        Ok(())
    }

    /// The frame around a frame, and the shared id of its element there. Both last as long as the frame itself.
    async fn owner_of(&self, frame: &Frame) -> Result<(Frame, String)> {
        let page = self.locator.page();
        let core = page.core();
        let known = core.devices.of(frame.id()).owner;
        let (outer, element) = match known {
            Some(known) => known,
            None => {
                let explain = |error| frame.explain(&self.title(), error);
                let tree = GetTree { root: Some(frame.id().to_owned()), max_depth: Some(0) };
                let tree = core.link.call(&tree).await.map_err(explain)?;
                let outer = tree.contexts.into_iter().next().and_then(|node| node.parent).unwrap_or_default();
                let locator = NodeLocator::Context { context: frame.id().to_owned() };
                let located =
                    core.link.call(&LocateNodes { context: outer.clone(), locator }).await.map_err(explain)?;
                let Some(node) = located.nodes.into_iter().next() else {
                    return Err(Error::FrameDetached { action: self.title(), frame: frame.id().to_owned() });
                };
                let owner = (outer.into(), node.shared_id.into());
                core.devices.note(frame.id(), |state| state.owner = Some(owner.clone()));
                owner
            }
        };
        Ok((Frame::new(page.clone(), outer), element.to_string()))
    }

    fn asked<'c>(&self, command: &'c str, arguments: Value) -> Asked<'c> {
        let arguments = match arguments {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        Asked { command, arguments, action: self.title(), deadline: self.locator.deadline() }
    }

    /// Acts on what was aimed at. Gives back why it was missed, or nothing. It is over when the guard has seen the
    /// event.
    pub(super) async fn perform(&self, aimed: &Aimed, gesture: Gesture) -> Result<Option<String>> {
        self.perform_until(aimed, gesture, false).await
    }

    /// [`perform`](Self::perform) that is over when all of the gesture is.
    pub(super) async fn perform_to_the_end(&self, aimed: &Aimed, gesture: Gesture) -> Result<Option<String>> {
        self.perform_until(aimed, gesture, true).await
    }

    async fn perform_until(&self, aimed: &Aimed, gesture: Gesture, to_the_end: bool) -> Result<Option<String>> {
        let page = self.locator.page();
        let title = self.title();
        page.core().devices.note(page.id(), |state| state.mouse = aimed.point);
        let input = page.point(&title, gesture);
        let Some(token) = aimed.answer["token"].as_u64() else { return input.await.map(|()| None) };
        let verdict = self.judge(&aimed.frame, token, input, to_the_end).await?;
        let Some(reason) = verdict.missed else {
            for (frame, token) in &aimed.gates {
                // A frame that went away with the click needs no guard.
                let _ = frame.ask(self.asked("disarm", json!({ "token": token }))).await;
            }
            return Ok(None);
        };
        for (frame, token) in &aimed.gates {
            let ended = frame.ask(self.asked("endGuard", json!({ "token": token }))).await?;
            let outer: Verdict = serde_json::from_value(ended).unwrap_or(Verdict { missed: None, silent: true });
            if let (true, false, Some(reason)) = (verdict.silent, outer.silent, outer.missed) {
                return Ok(Some(reason));
            }
        }
        Ok(Some(reason))
    }

    /// Sends input and asks the guard what became of it. The input's end is waited for when `to_the_end`, or when the
    /// guard has nothing to tell before it.
    async fn judge(
        &self,
        frame: &Frame,
        token: u64,
        input: impl Future<Output = Result<()>>,
        to_the_end: bool,
    ) -> Result<Verdict> {
        let arguments = json!({ "token": token });
        let verdict = frame.ask_until(self.asked("verdict", arguments.clone()), self.end);
        tokio::pin!(verdict, input);
        let answer = tokio::select! {
            biased;
            verdict = &mut verdict => {
                let answer = verdict?;
                if to_the_end {
                    input.await?;
                }
                answer
            }
            sent = &mut input => {
                sent?;
                let ended = frame.ask_until(self.asked("endGuard", arguments), self.end);
                tokio::select! {
                    biased;
                    verdict = verdict => verdict?,
                    ended = ended => ended?,
                }
            }
        };
        serde_json::from_value(answer.into_json()).map_err(|error| odd(error.to_string()))
    }

    /// Gives the element the focus and presses keys there. Gives back why they went elsewhere, or nothing.
    pub(super) async fn press(&self, input: impl Future<Output = Result<()>>) -> Result<Option<String>> {
        let (answer, frame) = self.ask("focus", &[("keys", true.into())]).await?;
        let Some(token) = answer["token"].as_u64() else { return input.await.map(|()| None) };
        // A guard that refuses keeps the rest of the keys away, too: it ends after the last.
        Ok(self.judge(&frame, token, input, true).await?.missed)
    }
}

fn point_of(answer: &Value) -> Result<(f64, f64)> {
    let Point { x, y } = Point::deserialize(answer).map_err(|error| odd(error.to_string()))?;
    Ok((x, y))
}

fn odd(reason: String) -> Error {
    let method = "page script, an action".to_owned();
    Error::Protocol(bidi::Error::Shape { method, reason, excerpt: "the answer of an action".into() })
}
