//! Saying which element is meant.

use super::step::{Step, chain};
use super::{FrameLocator, TextMatch};
use crate::error::{CallLog, Error, Result};
use crate::expect::Expect;
use crate::frame::{Answered, Asked, Frame, misshapen};
use crate::page::Page;
use serde_json::{Map, Value};
use std::fmt;
use std::time::Duration;
use tokio::time::Instant;

/// Says which element is meant. It holds no element: every action and assertion looks anew, so it
/// stays good when the page redraws. Actions want exactly one element.
#[derive(Debug, Clone)]
pub struct Locator {
    frame: Frame,
    steps: Vec<Step>,
    deadline: Duration,
}

impl fmt::Display for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&chain(&self.steps))
    }
}

impl Locator {
    pub(crate) fn new(frame: Frame) -> Self {
        let deadline = frame.page().core().settings.action_deadline;
        Self { frame, steps: Vec::new(), deadline }
    }

    /// The page it looks in.
    pub fn page(&self) -> &Page {
        self.frame.page()
    }

    pub(crate) fn deadline(&self) -> Duration {
        self.deadline
    }

    /// These steps and one more.
    pub(crate) fn and_step(&self, step: Step) -> Self {
        let mut narrowed = self.clone();
        narrowed.steps.push(step);
        narrowed
    }

    /// What a chain of steps starts from: the finders look inside this locator's elements.
    fn root(&self) -> &Self {
        self
    }

    pub(super) fn enter_frame(&self) -> Self {
        self.and_step(Step::ContentFrame)
    }

    /// What is in the document of the frame element (`<iframe>`) that this locator names.
    pub fn content_frame(&self) -> FrameLocator {
        FrameLocator { owner: self.clone() }
    }

    /// Those of the elements whose text matches.
    pub fn filter(&self, text: impl Into<TextMatch>) -> Self {
        self.and_step(Step::HasText { text: text.into(), not: false })
    }

    /// Those of the elements whose text does not match.
    pub fn filter_not(&self, text: impl Into<TextMatch>) -> Self {
        self.and_step(Step::HasText { text: text.into(), not: true })
    }

    /// Those of the elements that have such an element inside. `inner` is looked for inside each of them, wherever it
    /// started.
    pub fn filter_has(&self, inner: &Locator) -> Self {
        self.and_step(Step::Has { steps: self.inner(inner), not: false })
    }

    /// Those of the elements that have no such element inside.
    pub fn filter_has_not(&self, inner: &Locator) -> Self {
        self.and_step(Step::Has { steps: self.inner(inner), not: true })
    }

    /// Those of the elements that are on screen.
    pub fn filter_visible(&self) -> Self {
        self.and_step(Step::Visible { not: false })
    }

    /// Those of the elements that are not on screen.
    pub fn filter_hidden(&self) -> Self {
        self.and_step(Step::Visible { not: true })
    }

    /// Those of the elements that `other` names too.
    pub fn and(&self, other: &Locator) -> Self {
        self.and_step(Step::And { steps: self.inner(other) })
    }

    /// The elements that this locator or `other` names, in the order of the page.
    pub fn or(&self, other: &Locator) -> Self {
        self.and_step(Step::Or { steps: self.inner(other) })
    }

    /// A locator for each of the elements there now: this one and [`nth`](Self::nth).
    ///
    /// # Errors
    /// As for [`count`](Self::count).
    pub async fn all(&self) -> Result<Vec<Locator>> {
        let count = self.count().await?;
        Ok((0..count as i64).map(|index| self.nth(index)).collect())
    }

    /// The steps of another locator, without the way to the frame they share. Of another frame's locator a border is
    /// left in it, and refused when this one is used.
    fn inner(&self, other: &Locator) -> Vec<Step> {
        let border = |steps: &[Step]| steps.iter().rposition(|step| *step == Step::ContentFrame).map_or(0, |i| i + 1);
        let (own, others) = (&self.steps[..border(&self.steps)], border(&other.steps));
        if self.frame.id() != other.frame.id() {
            vec![Step::ContentFrame]
        } else if own == &other.steps[..others] {
            other.steps[others..].to_vec()
        } else {
            other.steps.clone()
        }
    }

    /// The element at `index`, counted from 0; from the end when negative (-1 is the last).
    pub fn nth(&self, index: i64) -> Self {
        self.and_step(Step::Nth { index })
    }

    /// The first of the elements.
    pub fn first(&self) -> Self {
        self.nth(0)
    }

    /// The last of the elements.
    pub fn last(&self) -> Self {
        self.nth(-1)
    }

    /// The same elements with another budget for actions and assertions.
    pub fn within(&self, deadline: Duration) -> Self {
        Self { deadline, ..self.clone() }
    }

    /// Assertions that wait until they hold.
    pub fn expect(&self) -> Expect<'_> {
        Expect::new(self)
    }

    /// Puts a question about this locator to the document its elements are in. Gives the answer, and the frame that
    /// gave it: input goes there.
    pub(crate) async fn ask(&self, command: &str, verb: &str, more: &[(&str, Value)]) -> Result<(Value, Frame)> {
        let (answered, frame) = self.ask_for(command, verb, more).await?;
        Ok((answered.into_json(), frame))
    }

    /// The shared id of the one element, once it is there, for commands that take a node; and its frame.
    pub(crate) async fn node(&self, verb: &str) -> Result<(String, Frame)> {
        match self.ask_for("node", verb, &[]).await? {
            (Answered::Node(id), frame) => Ok((id, frame)),
            (other, _) => Err(unexpected("node", &other)),
        }
    }

    /// [`ask`](Self::ask) for anything.
    pub(crate) async fn ask_for(&self, command: &str, verb: &str, more: &[(&str, Value)]) -> Result<(Answered, Frame)> {
        let end = Instant::now() + self.deadline;
        let mut replaced = 0;
        let tell = |replaced, action, deadline, mut log: CallLog| {
            if replaced > 0 {
                log.0.insert(0, format!("a frame on the way was replaced {replaced} times meanwhile"));
            }
            Error::Timeout { action, deadline, log }
        };
        loop {
            match self.ask_once(command, verb, more, end).await {
                // A frame on the way was replaced: the chain is resolved anew.
                Err(Error::FrameDetached { action, .. }) if self.has_frames() => {
                    replaced += 1;
                    if Instant::now() >= end {
                        return Err(tell(replaced, action, self.deadline, CallLog::default()));
                    }
                }
                Err(Error::Timeout { action, deadline, log }) => return Err(tell(replaced, action, deadline, log)),
                other => return other,
            }
        }
    }

    async fn ask_once(
        &self,
        command: &str,
        verb: &str,
        more: &[(&str, Value)],
        end: Instant,
    ) -> Result<(Answered, Frame)> {
        let asked = |command, steps: &[Step], more: &[(&str, Value)]| {
            let mut arguments: Map<String, Value> =
                more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
            arguments.insert("steps".into(), steps.iter().map(step_json).collect());
            (Asked { command, arguments, action: format!("{verb} {self}"), deadline: self.deadline }, end)
        };
        if let Some(reason) = self.steps.iter().find_map(Step::refusal) {
            return Err(Error::Unsuitable { action: format!("{verb} {self}"), reason });
        }
        let mut frame = self.frame.clone();
        let mut parts = self.steps.split(|step| *step == Step::ContentFrame).peekable();
        while let Some(steps) = parts.next() {
            if parts.peek().is_none() {
                let (asked, end) = asked(command, steps, more);
                return Ok((frame.ask_until(asked, end).await?, frame));
            }
            let (asked, end) = asked("contentFrame", steps, &[]);
            match frame.ask_until(asked, end).await.map_err(|error| on_the_way(error, &chain(steps)))? {
                Answered::Frame(id) => frame = Frame::new(self.page().clone(), id),
                other => return Err(unexpected("contentFrame", &other)),
            }
        }
        // `split` gives at least one part.
        Err(unexpected(command, &Answered::Json(Value::Null)))
    }

    fn has_frames(&self) -> bool {
        self.steps.contains(&Step::ContentFrame)
    }
}

super::finders!(Locator);

fn step_json(step: &Step) -> Value {
    serde_json::to_value(step).unwrap_or_default()
}

/// Tells that it was a frame, not the element wanted, that could not be found.
fn on_the_way(error: Error, frame: &str) -> Error {
    match error {
        Error::Timeout { action, deadline, mut log } => {
            log.0.insert(0, format!("looking for the frame {frame}"));
            Error::Timeout { action, deadline, log }
        }
        Error::Strict { action, count, candidates } => {
            Error::Strict { action: format!("{action}: the frame {frame}"), count, candidates }
        }
        other => other,
    }
}

fn unexpected(command: &str, answered: &Answered) -> Error {
    misshapen(command, "not the kind of answer this command has", format!("{answered:?}"))
}
