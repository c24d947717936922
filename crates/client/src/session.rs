//! One session: its window, what waits beside it, and the rules by which live events and pages meet. Pure: methods take
//! what happened and say what to pull next; nothing here waits.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use session::{Event, PayloadError};
use wire::HistoryPage;

use crate::counters::Counters;
use crate::fold::{Fold, Folded, prompt_key};
use crate::view::{Phase, SessionView};
use crate::window::{Joined, Window, as_seq};
use crate::{CallError, Row, SessionSummary};

/// A page to pull. Its answer comes back with the ticket; an answer with an old ticket changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pull {
    pub(crate) ticket: u64,
    /// The page before this event; the tail page otherwise.
    pub(crate) before_seq: Option<u64>,
}

/// What a step did.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Effect {
    /// What to publish.
    pub(crate) changed: Option<Folded>,
    /// What to pull.
    pub(crate) pull: Option<Pull>,
    /// What to count.
    pub(crate) counted: Counters,
    /// Why an event could not be read.
    pub(crate) unreadable: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// Not opened.
    Cold,
    /// Opened, no connection.
    Offline,
    /// The tail page of this connection is on its way; live events wait.
    Pulling(u64),
    /// The window follows the stream.
    Live,
    /// The window follows the stream up to a hole; the tail page that fills it is on its way.
    Repairing(u64),
    Failed(String),
}

struct Prompt {
    rpc_id: String,
    text: String,
    time: i64,
    /// Sent over the connection that is still there: its turn is to come.
    current: bool,
}

/// One session of the client.
pub(crate) struct Session {
    id: String,
    stage: Stage,
    /// A page was installed once: there is something to show.
    installed: bool,
    window: Window,
    fold: Fold,
    waiting: BTreeMap<u64, Event>,
    subscribed: i64,
    /// Highest sequence number the stream of this connection has carried or declared as its start.
    carried: i64,
    has_more: bool,
    older: Option<u64>,
    tickets: u64,
    prompts: Vec<Prompt>,
    /// Events that were counted as unreadable; each counts once, however often it is loaded.
    unreadable: BTreeSet<u64>,
    problem: Option<String>,
    view: Option<Rc<SessionView>>,
}

impl Session {
    pub(crate) fn new(id: String) -> Self {
        Self {
            id,
            stage: Stage::Cold,
            installed: false,
            window: Window::default(),
            fold: Fold::default(),
            waiting: BTreeMap::new(),
            subscribed: -1,
            carried: -1,
            has_more: false,
            older: None,
            tickets: 0,
            prompts: Vec::new(),
            unreadable: BTreeSet::new(),
            problem: None,
            view: None,
        }
    }

    /// A person wants to see it. Opens that run share one pull; one that failed is tried again.
    pub(crate) fn open(&mut self, online: bool) -> Effect {
        match self.stage {
            Stage::Cold | Stage::Failed(_) => {
                self.stage = Stage::Offline;
                let pull = if online { self.online().pull } else { None };
                self.structure(pull)
            }
            _ => Effect::default(),
        }
    }

    /// The connection is lost. What the new one carries must be stitched to a page pulled over it.
    pub(crate) fn offline(&mut self) -> Effect {
        self.waiting.clear();
        self.subscribed = -1;
        self.carried = -1;
        self.older = None;
        for prompt in &mut self.prompts {
            prompt.current = false;
        }
        if self.stage != Stage::Cold {
            self.stage = Stage::Offline;
        }
        self.structure(None)
    }

    /// The connection is there: pull the tail page.
    pub(crate) fn online(&mut self) -> Effect {
        if self.stage != Stage::Offline {
            return Effect::default();
        }
        let pull = self.pull(None);
        self.stage = Stage::Pulling(pull.ticket);
        self.structure(Some(pull))
    }

    /// The stream carries this session from here on.
    pub(crate) fn subscribed(&mut self, last_seq: i64) -> Effect {
        self.subscribed = last_seq;
        self.carried = last_seq;
        match self.stage {
            Stage::Live if last_seq > self.window.tail() => {
                let pull = self.pull(None);
                self.stage = Stage::Repairing(pull.ticket);
                self.structure(Some(pull))
            }
            Stage::Live if last_seq < self.window.tail() => {
                // The host's log is shorter than what is shown: what is shown is no longer true.
                let pull = self.pull(None);
                self.stage = Stage::Pulling(pull.ticket);
                self.structure(Some(pull))
            }
            _ => Effect::default(),
        }
    }

    /// A live event.
    pub(crate) fn event(&mut self, event: Event) -> Effect {
        let seq = as_seq(event.seq);
        if seq <= self.carried {
            return Effect { counted: Counters { dropped_frames: 1, ..Counters::default() }, ..Effect::default() };
        }
        self.carried = seq;
        match self.stage {
            Stage::Cold | Stage::Failed(_) => Effect::default(),
            Stage::Offline | Stage::Pulling(_) => {
                self.waiting.insert(event.seq, event);
                Effect::default()
            }
            Stage::Live | Stage::Repairing(_) => {
                let next = self.window.tail() + 1;
                if seq < next {
                    return Effect::default();
                }
                if seq == next {
                    return self.append(event);
                }
                self.waiting.insert(event.seq, event);
                if self.stage != Stage::Live {
                    return Effect::default();
                }
                let pull = self.pull(None);
                self.stage = Stage::Repairing(pull.ticket);
                let counted = Counters { gap_repairs: 1, ..Counters::default() };
                Effect { pull: Some(pull), counted, ..Effect::default() }
            }
        }
    }

    /// The answer to a pull.
    pub(crate) fn page(&mut self, pull: Pull, answer: Result<HistoryPage, CallError>) -> Effect {
        if pull.before_seq.is_some() {
            return if self.older == Some(pull.ticket) { self.older_page(answer) } else { Effect::default() };
        }
        match self.stage {
            Stage::Pulling(ticket) if ticket == pull.ticket => self.first_page(answer),
            Stage::Repairing(ticket) if ticket == pull.ticket => self.repair_page(answer),
            _ => Effect::default(),
        }
    }

    /// The page before the window, unless there is none or it is on its way.
    pub(crate) fn load_older(&mut self) -> Effect {
        let live = matches!(self.stage, Stage::Live | Stage::Repairing(_));
        if !live || !self.has_more || self.older.is_some() {
            return Effect::default();
        }
        let pull = self.pull(Some(self.window.base()));
        self.older = Some(pull.ticket);
        self.structure(Some(pull))
    }

    /// A prompt is on its way: shown at once.
    pub(crate) fn prompt(&mut self, rpc_id: String, text: String, time: i64) -> Effect {
        self.prompts.push(Prompt { rpc_id, text, time, current: true });
        self.structure(None)
    }

    /// The prompt's call failed: no longer shown. Whether the log holds it all the same, so that it did arrive.
    pub(crate) fn prompt_failed(&mut self, rpc_id: &str) -> (Effect, bool) {
        self.prompts.retain(|prompt| prompt.rpc_id != rpc_id);
        (self.structure(None), self.fold.holds_prompt(rpc_id))
    }

    /// Outcome of a cancel.
    pub(crate) fn set_problem(&mut self, problem: Option<String>) -> Effect {
        self.problem = problem;
        self.structure(None)
    }

    /// The session's list row changed.
    pub(crate) fn summary_changed(&mut self) -> Effect {
        self.structure(None)
    }

    /// What the interface sees; the same `Rc` until something changes.
    pub(crate) fn view(&mut self, summary: Option<&SessionSummary>) -> Rc<SessionView> {
        if let Some(view) = &self.view {
            return Rc::clone(view);
        }
        let phase = match &self.stage {
            Stage::Cold => Phase::Cold,
            Stage::Failed(why) => Phase::Failed(why.clone()),
            Stage::Offline | Stage::Pulling(_) if !self.installed => Phase::Loading,
            _ => Phase::Ready,
        };
        let mut rows = self.fold.rows();
        rows.extend(self.prompts.iter().map(|Prompt { rpc_id, text, time, .. }| {
            Rc::new(Row::User { key: prompt_key(rpc_id), text: text.clone(), time: *time, pending: true })
        }));
        let follows = matches!(self.stage, Stage::Live | Stage::Repairing(_));
        let turn_is_open =
            if follows { self.fold.turn_is_open() } else { summary.is_some_and(|summary| summary.running) };
        let view = Rc::new(SessionView {
            id: self.id.clone(),
            title: self.fold.title().map(str::to_owned).or_else(|| summary.and_then(|summary| summary.title.clone())),
            phase,
            rows,
            running: turn_is_open || self.prompts.iter().any(|prompt| prompt.current),
            applied_seq: self.window.tail(),
            has_more: self.has_more,
            loading_older: self.older.is_some(),
            problem: self.problem.clone(),
        });
        self.view = Some(Rc::clone(&view));
        view
    }

    fn first_page(&mut self, answer: Result<HistoryPage, CallError>) -> Effect {
        let HistoryPage { events, has_more } = match answer {
            Ok(page) => page,
            Err(error) => return self.pull_failed(&error),
        };
        match self.window.install(events) {
            Ok(true) => {}
            Ok(false) => self.has_more = has_more,
            Err(issue) => return self.discontinuous_tail(&issue.0),
        }
        self.installed = true;
        let mut effect = self.refold();
        self.settle(&mut effect, true);
        effect
    }

    fn repair_page(&mut self, answer: Result<HistoryPage, CallError>) -> Effect {
        let HistoryPage { events, has_more } = match answer {
            Ok(page) => page,
            Err(error) => return self.pull_failed(&error),
        };
        let before = self.window.tail();
        let mut effect = match self.window.join_tail(events) {
            Ok(Joined::Appended(count)) => self.fold_last(count),
            Ok(Joined::Replaced) => {
                self.has_more = has_more;
                self.older = None;
                self.refold()
            }
            Err(issue) => return self.discontinuous_tail(&issue.0),
        };
        let progress = self.window.tail() > before;
        self.settle(&mut effect, progress);
        effect
    }

    /// After a page: what waited joins, and what is still missing is pulled, as long as pages bring something new.
    fn settle(&mut self, effect: &mut Effect, progress: bool) {
        self.take_waiting(effect);
        let hole = !self.waiting.is_empty();
        if !hole && self.subscribed <= self.window.tail() {
            self.stage = Stage::Live;
            return;
        }
        if progress {
            let pull = self.pull(None);
            self.stage = Stage::Repairing(pull.ticket);
            effect.pull = Some(pull);
            effect.counted.gap_repairs += u64::from(hole);
            return;
        }
        let reached = self.waiting.keys().next_back().map_or(self.subscribed, |seq| as_seq(*seq));
        self.stage = Stage::Failed(format!(
            "the history of session {} ends at event {}, but its stream is at event {reached}; open the session again",
            self.id,
            self.window.tail(),
        ));
        effect.counted.failed_sessions += 1;
    }

    fn append(&mut self, event: Event) -> Effect {
        let mut effect = Effect::default();
        self.window.append(event);
        self.fold_one(self.window.events().len() - 1, &mut effect);
        self.take_waiting(&mut effect);
        self.view = None;
        effect
    }

    fn take_waiting(&mut self, effect: &mut Effect) {
        while let Some(entry) = self.waiting.first_entry() {
            let seq = as_seq(*entry.key());
            if seq > self.window.tail() + 1 {
                return;
            }
            let event = entry.remove();
            if seq == self.window.tail() + 1 {
                self.window.append(event);
                self.fold_one(self.window.events().len() - 1, effect);
            }
        }
    }

    fn fold_last(&mut self, count: usize) -> Effect {
        let mut effect = self.structure(None);
        let len = self.window.events().len();
        for at in len - count..len {
            self.fold_one(at, &mut effect);
        }
        effect
    }

    fn fold_one(&mut self, at: usize, effect: &mut Effect) {
        let folded = match self.fold.push(&self.window.events()[at]) {
            Ok(folded) => folded,
            Err(problem) => {
                self.count_unreadable(&problem, effect);
                Folded::Structure
            }
        };
        effect.changed = effect.changed.max(Some(folded));
        self.forget_durable_prompts();
    }

    fn refold(&mut self) -> Effect {
        let mut effect = self.structure(None);
        let before = std::mem::take(&mut self.fold);
        let (fold, unreadable) = Fold::of(self.window.events(), &before);
        self.fold = fold;
        for problem in &unreadable {
            self.count_unreadable(problem, &mut effect);
        }
        self.forget_durable_prompts();
        effect
    }

    fn count_unreadable(&mut self, problem: &PayloadError, effect: &mut Effect) {
        if self.unreadable.insert(problem.seq) {
            effect.counted.malformed_frames += 1;
            effect.unreadable = Some(format!("session {}: {problem}", self.id));
        }
    }

    fn forget_durable_prompts(&mut self) {
        let fold = &self.fold;
        self.prompts.retain(|prompt| !fold.holds_prompt(&prompt.rpc_id));
    }

    fn older_page(&mut self, answer: Result<HistoryPage, CallError>) -> Effect {
        self.older = None;
        let HistoryPage { events, has_more } = match answer {
            Ok(page) => page,
            Err(error) => return self.set_problem(Some(error.to_string())),
        };
        match self.window.prepend(events) {
            Ok(()) => {
                self.has_more = has_more;
                self.problem = None;
                self.refold()
            }
            Err(issue) => {
                self.has_more = false;
                let mut effect = self.set_problem(Some(format!(
                    "earlier history of session {} does not join ({}); reload the page to see it",
                    self.id, issue.0
                )));
                effect.counted.discontinuous_pages = 1;
                effect
            }
        }
    }

    fn discontinuous_tail(&mut self, issue: &str) -> Effect {
        let mut effect =
            self.fail(format!("the history of session {} has a hole ({issue}); open the session again", self.id));
        effect.counted.discontinuous_pages = 1;
        effect
    }

    fn pull_failed(&mut self, error: &CallError) -> Effect {
        let mut effect = self.fail(error.to_string());
        effect.counted.failed_sessions = u64::from(!error.is_loss());
        effect
    }

    fn fail(&mut self, why: String) -> Effect {
        self.stage = Stage::Failed(why);
        self.waiting.clear();
        let mut effect = self.structure(None);
        effect.counted.failed_sessions = 1;
        effect
    }

    fn pull(&mut self, before_seq: Option<u64>) -> Pull {
        self.tickets += 1;
        Pull { ticket: self.tickets, before_seq }
    }

    fn structure(&mut self, pull: Option<Pull>) -> Effect {
        self.view = None;
        Effect { changed: Some(Folded::Structure), pull, ..Effect::default() }
    }
}

#[cfg(test)]
mod tests;
