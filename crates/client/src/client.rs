//! The door: what the interface calls.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures_channel::oneshot;
use futures_util::future::{LocalBoxFuture, select};
use session::Content;
use wire::{
    CancelPayload, CreatePayload, HostDescription, PromptMode, PromptPayload, SessionCancel, SessionCreate,
    SessionPrompt, SessionSummary, WorkspaceSummary, new_rpc_id,
};

use crate::core::{Core, State};
use crate::notifier::{Change, Subscription};
use crate::{CallError, ConnectionState, Diagnostics, Phase, Platform, SessionDiagnostics, SessionView, connection};

/// A client of one host. Clones share everything. Single-threaded.
#[derive(Clone)]
pub struct Client(Rc<Core>);

impl Client {
    /// A client that is not connected yet.
    pub fn new(platform: Rc<dyn Platform>) -> Self {
        Self(Core::new(platform))
    }

    /// Connects, and stays connected until [`Client::stop`]. Does nothing when started already.
    pub fn start(&self) {
        let (stop, stopped) = oneshot::channel();
        {
            let mut state = self.0.state.borrow_mut();
            if state.stop.is_some() {
                return;
            }
            state.stop = Some(stop);
        }
        self.0.set_connection(ConnectionState::Connecting);
        let core = Rc::clone(&self.0);
        self.0.platform.spawn(Box::pin(async move {
            // Polled in this order: once stopped, not one more frame is taken.
            select(stopped, Box::pin(connection::run(core))).await;
        }));
    }

    /// Ends both streams and every attempt. Answers that come later change nothing.
    pub fn stop(&self) {
        let Some(stop) = self.0.state.borrow_mut().stop.take() else { return };
        stop.send(()).ok();
        self.0.disconnected(ConnectionState::Stopped, None);
    }

    /// Calls `listener` for every change, outside of any call into the client. The new state is read from the client.
    pub fn subscribe(&self, listener: impl Fn(&Change) + 'static) -> Subscription {
        self.0.notifier.subscribe(Rc::new(listener))
    }

    /// State of the connection.
    pub fn connection(&self) -> ConnectionState {
        self.0.state.borrow().connection
    }

    /// The host, once it has described itself.
    pub fn host(&self) -> Option<HostDescription> {
        self.0.state.borrow().host.clone()
    }

    /// Workspaces in display order.
    pub fn workspaces(&self) -> Rc<Vec<WorkspaceSummary>> {
        self.0.state.borrow().catalogue.workspaces()
    }

    /// Sessions that have a turn, newest first.
    pub fn sessions(&self) -> Rc<Vec<SessionSummary>> {
        self.0.state.borrow_mut().catalogue.sessions()
    }

    /// The sessions of one workspace that have a turn, newest first.
    pub fn sessions_of(&self, workspace_id: &str) -> Vec<SessionSummary> {
        self.0.state.borrow().catalogue.sessions_of(workspace_id)
    }

    /// The list row of a session, also of one that has no turn yet.
    pub fn summary(&self, session_id: &str) -> Option<SessionSummary> {
        self.0.state.borrow().catalogue.session(session_id).cloned()
    }

    /// Loads a session's last page and follows it from then on. Opening it again does nothing, unless it failed.
    pub fn open(&self, session_id: &str) {
        self.0.open(session_id);
    }

    /// Makes a session the selected one and opens it; `None` selects none.
    pub fn select(&self, session_id: Option<&str>) {
        if let Some(id) = session_id {
            self.open(id);
        }
        let before = std::mem::replace(&mut self.0.state.borrow_mut().selected, session_id.map(str::to_owned));
        if before.as_deref() != session_id {
            self.0.publish(Change::Selection);
        }
    }

    /// The selected session.
    pub fn selected(&self) -> Option<String> {
        self.0.state.borrow().selected.clone()
    }

    /// An opened session. The same `Rc` until something in it changes; `None` for one that was never opened.
    pub fn session(&self, session_id: &str) -> Option<Rc<SessionView>> {
        let State { sessions, catalogue, .. } = &mut *self.0.state.borrow_mut();
        Some(sessions.get_mut(session_id)?.view(catalogue.session(session_id)))
    }

    /// Loads the page before the window. Does nothing while one is on its way, or when there is none.
    pub fn load_older(&self, session_id: &str) {
        self.0.step(session_id, crate::session::Session::load_older);
    }

    /// Makes a session in a workspace and opens it. Its id.
    pub fn create_session(&self, workspace_id: &str) -> LocalBoxFuture<'static, Result<String, CallError>> {
        let core = Rc::clone(&self.0);
        let payload = CreatePayload { workspace_id: workspace_id.to_owned(), session_id: None };
        Box::pin(async move {
            let created = core.call::<SessionCreate>(payload).await?;
            core.open(&created.session_id);
            Ok(created.session_id)
        })
    }

    /// Sends a prompt, once, and shows it at once as a pending row; the durable row takes its place. The call goes out
    /// whether or not the future is kept. On an error the pending row is gone and the text is the caller's to restore.
    pub fn prompt(
        &self,
        session_id: &str,
        text: &str,
        mode: PromptMode,
    ) -> LocalBoxFuture<'static, Result<(), CallError>> {
        self.open(session_id);
        let rpc_id = new_rpc_id();
        let now = self.0.platform.now();
        self.0.step(session_id, |session| session.prompt(rpc_id.clone(), text.to_owned(), now));
        let payload = PromptPayload { session_id: session_id.to_owned(), mode, content: vec![Content::text(text)] };
        let (done, outcome) = oneshot::channel();
        let core = Rc::clone(&self.0);
        self.0.platform.spawn(Box::pin(async move {
            let id = payload.session_id.clone();
            let mut result = core.call_as::<SessionPrompt>(rpc_id.clone(), payload).await.map(drop);
            if result.is_err() {
                let mut arrived = false;
                core.step(&id, |session| {
                    let (effect, durable) = session.prompt_failed(&rpc_id);
                    arrived = durable;
                    effect
                });
                // The answer was lost, the prompt was not.
                result = if arrived { Ok(()) } else { result };
            }
            done.send(result).ok();
        }));
        Box::pin(async move { outcome.await.unwrap_or(Err(CallError::Stopped { method: "session.prompt" })) })
    }

    /// Cancels the running turn. A failure is shown as the session's `problem`.
    pub fn cancel(&self, session_id: &str) {
        let core = Rc::clone(&self.0);
        let payload = CancelPayload { session_id: session_id.to_owned() };
        self.0.platform.spawn(Box::pin(async move {
            let id = payload.session_id.clone();
            let problem = core.call::<SessionCancel>(payload).await.err().map(|error| error.to_string());
            core.step(&id, |session| session.set_problem(problem));
        }));
    }

    /// The whole state as data.
    pub fn diagnostics(&self) -> Diagnostics {
        let State { connection, generation, last_loss, last_malformed, catalogue, sessions, selected, .. } =
            &mut *self.0.state.borrow_mut();
        let opened: BTreeMap<_, _> = sessions
            .iter_mut()
            .map(|(id, session)| {
                let view = session.view(catalogue.session(id));
                let phase = match view.phase {
                    Phase::Cold => "cold",
                    Phase::Loading => "loading",
                    Phase::Ready => "ready",
                    Phase::Failed(_) => "failed",
                };
                let facts = SessionDiagnostics {
                    phase: phase.into(),
                    applied_seq: view.applied_seq,
                    running: view.running,
                    rows: view.rows.len(),
                };
                (id.clone(), facts)
            })
            .collect();
        Diagnostics {
            connection: (*connection).into(),
            generation: *generation,
            counters: self.0.meter.read(),
            last_loss: last_loss.clone(),
            last_malformed: last_malformed.clone(),
            selected: selected.clone(),
            sessions: opened,
            publication_pending: self.0.notifier.is_pending(),
            pending_calls: self.0.pending_calls(),
        }
    }
}

#[cfg(test)]
mod tests;
