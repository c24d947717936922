//! The client's state, and what frames, answers and gestures do to it. No borrow is held while anything outside runs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;
use wire::{
    HistoryPayload, HostDescription, HostFrame, Method, MuxFrame, SessionHistory, SessionSummary, WorkspaceSummary,
    new_rpc_id,
};

use crate::catalogue::Catalogue;
use crate::counters::Meter;
use crate::fold::Folded;
use crate::notifier::{Change, Notifier, Urgency};
use crate::rpc::Calls;
use crate::session::{Effect, Pull, Session};
use crate::{CallError, ConnectionState, Counters, Platform};

/// Messages asked for in one page.
const PAGE_MESSAGES: u32 = 50;

pub(crate) struct Core {
    pub(crate) platform: Rc<dyn Platform>,
    calls: Calls,
    pub(crate) meter: Rc<Meter>,
    pub(crate) notifier: Rc<Notifier>,
    pub(crate) state: RefCell<State>,
}

pub(crate) struct State {
    pub(crate) connection: ConnectionState,
    pub(crate) generation: u64,
    pub(crate) last_loss: Option<String>,
    pub(crate) last_malformed: Option<String>,
    pub(crate) host: Option<HostDescription>,
    pub(crate) catalogue: Catalogue,
    pub(crate) sessions: BTreeMap<String, Session>,
    /// Where the stream of this connection began for each session, opened or not.
    pub(crate) subscriptions: BTreeMap<String, i64>,
    pub(crate) selected: Option<String>,
    /// Ends the running connection.
    pub(crate) stop: Option<oneshot::Sender<()>>,
}

impl Core {
    pub(crate) fn new(platform: Rc<dyn Platform>) -> Rc<Self> {
        let meter = Rc::new(Meter::default());
        Rc::new(Self {
            calls: Calls::new(Rc::clone(&platform)),
            notifier: Notifier::new(Rc::clone(&platform), Rc::clone(&meter)),
            platform,
            meter,
            state: RefCell::new(State {
                connection: ConnectionState::Stopped,
                generation: 0,
                last_loss: None,
                last_malformed: None,
                host: None,
                catalogue: Catalogue::default(),
                sessions: BTreeMap::new(),
                subscriptions: BTreeMap::new(),
                selected: None,
                stop: None,
            }),
        })
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.state.borrow().connection == ConnectionState::Stopped
    }

    pub(crate) fn publish(&self, change: Change) {
        self.notifier.mark(change, Urgency::Microtask);
    }

    pub(crate) fn set_connection(&self, connection: ConnectionState) {
        let before = std::mem::replace(&mut self.state.borrow_mut().connection, connection);
        if before != connection {
            self.publish(Change::Connection);
        }
    }

    /// Calls without an answer yet.
    pub(crate) fn pending_calls(&self) -> usize {
        self.calls.pending()
    }

    /// Calls a method under a fresh id.
    pub(crate) async fn call<M: Method>(&self, payload: M::Payload) -> Result<M::Value, CallError> {
        self.call_as::<M>(new_rpc_id(), payload).await
    }

    /// Calls a method under an id the caller minted. The door of every call, so that each failure is counted.
    pub(crate) async fn call_as<M: Method>(&self, rpc_id: String, payload: M::Payload) -> Result<M::Value, CallError> {
        let losses = self.meter.read().reconnects;
        let answer = self.calls.call_as::<M>(rpc_id, payload).await;
        if let Err(error) = &answer {
            // Without an answer, a connection that was lost meanwhile is the cause.
            let lost = matches!(error, CallError::Timeout { .. }) && self.meter.read().reconnects != losses;
            if !lost && !error.is_loss() && !self.is_stopped() {
                self.meter.add(Counters { failed_calls: 1, ..Counters::default() });
            }
        }
        answer
    }

    /// A new attempt begins.
    pub(crate) fn begin_generation(&self) {
        let mut state = self.state.borrow_mut();
        state.generation += 1;
        state.subscriptions.clear();
        state.catalogue.begin_refresh();
        drop(state);
        self.meter.add(Counters { generations: 1, ..Counters::default() });
    }

    /// Everything of this generation is there: lists are replaced, every opened session is loaded anew.
    pub(crate) fn connected(
        self: &Rc<Self>,
        host: HostDescription,
        sessions: Vec<SessionSummary>,
        workspaces: Vec<WorkspaceSummary>,
    ) {
        let mut state = self.state.borrow_mut();
        state.host = Some(host);
        state.catalogue.install(sessions, workspaces);
        let opened: Vec<String> = state.sessions.keys().cloned().collect();
        drop(state);
        self.set_connection(ConnectionState::Connected);
        self.publish(Change::Catalogue);
        for id in opened {
            self.step(&id, Session::online);
        }
    }

    /// The generation is over; nothing of it may touch what comes next.
    pub(crate) fn disconnected(self: &Rc<Self>, connection: ConnectionState, why: Option<String>) {
        let mut state = self.state.borrow_mut();
        if why.is_some() {
            state.last_loss = why;
        }
        let opened: Vec<String> = state.sessions.keys().cloned().collect();
        drop(state);
        self.set_connection(connection);
        for id in opened {
            self.step(&id, Session::offline);
        }
    }

    pub(crate) fn malformed(&self, why: String) {
        self.meter.add(Counters { malformed_frames: 1, ..Counters::default() });
        self.state.borrow_mut().last_malformed = Some(why);
    }

    /// A frame of the session stream; an error ends the generation.
    pub(crate) fn mux_frame(self: &Rc<Self>, frame: MuxFrame) -> Result<(), String> {
        match frame {
            MuxFrame::Subscribed { session_id, last_seq } => {
                self.state.borrow_mut().subscriptions.insert(session_id.clone(), last_seq);
                self.step(&session_id, |session| session.subscribed(last_seq));
                Ok(())
            }
            MuxFrame::Event { session_id, event } => {
                self.step(&session_id, |session| session.event(event));
                Ok(())
            }
            MuxFrame::Error { message } => Err(format!("the host ended the session stream: {message}")),
        }
    }

    /// A frame of the host stream; an error ends the generation.
    pub(crate) fn host_frame(self: &Rc<Self>, frame: HostFrame) -> Result<(), String> {
        match &frame {
            HostFrame::Error { message } => return Err(format!("the host ended its event stream: {message}")),
            HostFrame::AgentError { session_id, message } => {
                self.step(session_id, |session| session.set_problem(Some(message.clone())));
            }
            HostFrame::SessionChanged(SessionSummary { session_id, .. })
            | HostFrame::SessionStatus { session_id, .. } => {
                let id = session_id.clone();
                if self.state.borrow_mut().catalogue.frame(frame) {
                    self.publish(Change::Catalogue);
                    self.step(&id, Session::summary_changed);
                }
            }
            HostFrame::WorkspaceChanged(_) => {
                if self.state.borrow_mut().catalogue.frame(frame) {
                    self.publish(Change::Catalogue);
                }
            }
        }
        Ok(())
    }

    /// Opens a session: made when first asked for, pulled when there is a connection.
    pub(crate) fn open(self: &Rc<Self>, id: &str) {
        let mut state = self.state.borrow_mut();
        let online = state.connection == ConnectionState::Connected;
        let last_seq = state.subscriptions.get(id).copied();
        let fresh = !state.sessions.contains_key(id);
        state.sessions.entry(id.to_owned()).or_insert_with(|| Session::new(id.to_owned()));
        drop(state);
        if let Some(last_seq) = last_seq.filter(|_| fresh) {
            self.step(id, |session| session.subscribed(last_seq));
        }
        self.step(id, |session| session.open(online));
    }

    /// Does something to an opened session and carries out what follows. Sessions nobody opened are left alone.
    pub(crate) fn step(self: &Rc<Self>, id: &str, step: impl FnOnce(&mut Session) -> Effect) {
        let mut state = self.state.borrow_mut();
        let Some(effect) = state.sessions.get_mut(id).map(step) else { return };
        let Effect { changed, pull, counted, unreadable } = effect;
        if unreadable.is_some() {
            state.last_malformed = unreadable;
        }
        drop(state);
        self.meter.add(counted);
        match changed {
            Some(Folded::Structure) => self.publish(Change::Session(id.to_owned())),
            Some(Folded::Streamed) => self.notifier.mark(Change::Session(id.to_owned()), Urgency::Frame),
            Some(Folded::Nothing) | None => {}
        }
        if let Some(pull) = pull {
            self.pull(id.to_owned(), pull);
        }
    }

    fn pull(self: &Rc<Self>, id: String, pull: Pull) {
        let this = Rc::clone(self);
        self.platform.spawn(Box::pin(async move {
            let payload = HistoryPayload {
                session_id: id.clone(),
                before_seq: pull.before_seq,
                max_messages: Some(PAGE_MESSAGES),
            };
            let answer = this.call::<SessionHistory>(payload).await;
            this.step(&id, |session| session.page(pull, answer));
        }));
    }
}
