use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use session::{Content, Message, MessageSource, Role};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::inbox::{Inbox, Target};
use crate::{AgentConfig, AgentError, IdleTimeout, SessionLog, driver};

/// Events shown when a wait runs out of time.
const EVENTS_SHOWN: usize = 12;

/// When a prompt is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// As a turn of its own, in the order of arrival.
    Queue,
    /// At the next step of the running turn; as a turn when none runs.
    Steer,
}

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Nothing, until a prompt comes.
    Idle,
    /// A turn runs or is about to.
    Running,
}

/// Who ended a turn before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    User,
    Disposed,
}

/// The turn that runs or is about to.
pub(crate) struct Running {
    pub(crate) token: CancellationToken,
    pub(crate) cause: Option<Cause>,
}

impl Running {
    pub(crate) fn new() -> Self {
        Self { token: CancellationToken::new(), cause: None }
    }
}

pub(crate) struct State {
    pub(crate) inbox: Inbox,
    /// There exactly while the status is [`Status::Running`].
    pub(crate) running: Option<Running>,
    /// A cancel leaves the queue as it is until the next prompt.
    pub(crate) parked: bool,
    pub(crate) closed: bool,
}

pub(crate) struct Shared {
    pub(crate) config: AgentConfig,
    pub(crate) wake: Notify,
    pub(crate) status: watch::Sender<Status>,
    state: Mutex<State>,
}

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs between two changes that belong together.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn log(&self) -> &SessionLog {
        &self.config.log
    }

    fn describe(&self) -> String {
        let state = self.state();
        let doing = match &state.running {
            None => "idle",
            Some(running) if running.token.is_cancelled() => "cancelled, the turn is not over yet",
            Some(_) => "a turn runs",
        };
        let parked = if state.parked { ", parked after a cancel" } else { "" };
        format!("{doing}; {}{parked}", state.inbox.describe())
    }
}

/// Starts agents.
pub struct Agent;

impl Agent {
    /// Starts the agent of a session. What its log left in the inbox waits for the next prompt.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub fn spawn(config: AgentConfig) -> AgentHandle {
        let inbox = config.log.read(Inbox::of);
        let (status, _) = watch::channel(Status::Idle);
        let state = Mutex::new(State { inbox, running: None, parked: true, closed: false });
        let shared = Arc::new(Shared { config, wake: Notify::new(), status, state });
        let driver = tokio::spawn(driver::run(Arc::clone(&shared)));
        AgentHandle { shared, driver: Mutex::new(Some(driver)) }
    }
}

/// The one who speaks to a running agent.
pub struct AgentHandle {
    shared: Arc<Shared>,
    driver: Mutex<Option<JoinHandle<()>>>,
}

impl AgentHandle {
    /// Accepts a prompt: it is in the log when this returns. A prompt whose `rpc_id` was accepted before is not taken
    /// again.
    pub fn prompt(&self, rpc_id: &str, delivery: Delivery, content: Vec<Content>) -> Result<(), AgentError> {
        let mut guard = self.shared.state();
        let state = &mut *guard;
        if state.closed {
            return Err(AgentError::Closed { session_id: self.shared.log().id().to_owned() });
        }
        if !state.inbox.admit(rpc_id) {
            return Ok(());
        }
        let target = match delivery {
            Delivery::Queue => Target::NextTurn,
            Delivery::Steer => Target::NextStep,
        };
        let message = Message {
            id: uuid::Uuid::new_v4().to_string(),
            role: Role::User,
            content,
            source: MessageSource::new("user").with("rpcId", rpc_id),
        };
        let draft = state.inbox.push(target, message);
        self.shared.log().append(vec![draft]);
        state.parked = false;
        state.running.get_or_insert_with(Running::new);
        self.shared.status.send_replace(Status::Running);
        self.shared.wake.notify_one();
        Ok(())
    }

    /// Ends the running turn as the user's wish. The queue stays and waits for the next prompt. Harmless when idle.
    pub fn cancel(&self) {
        self.end_turn(Cause::User);
    }

    fn end_turn(&self, cause: Cause) {
        let mut state = self.shared.state();
        if let Some(running) = &mut state.running {
            running.cause.get_or_insert(cause);
            running.token.cancel();
            state.parked = true;
        }
    }

    /// The status now and its changes.
    pub fn status(&self) -> watch::Receiver<Status> {
        self.shared.status.subscribe()
    }

    /// Waits until no turn runs, then until the log is on disk.
    pub async fn when_idle(&self, deadline: Duration) -> Result<(), AgentError> {
        let mut status = self.status();
        let idle = async {
            // The sender lives as long as `self`.
            let _ = status.wait_for(|status| *status == Status::Idle).await;
        };
        if timeout(deadline, idle).await.is_err() {
            return Err(AgentError::Busy(Box::new(self.explain(deadline))));
        }
        match timeout(deadline, self.shared.log().flush()).await {
            Ok(flushed) => Ok(flushed?),
            Err(_) => {
                let mut timeout = self.explain(deadline);
                timeout.state.push_str("; the log is still being written");
                Err(AgentError::Busy(Box::new(timeout)))
            }
        }
    }

    /// What the agent does, as a timeout after `waited` says it.
    pub fn explain(&self, waited: Duration) -> IdleTimeout {
        IdleTimeout {
            session_id: self.shared.log().id().to_owned(),
            waited,
            state: self.shared.describe(),
            last_events: self.shared.log().last_lines(EVENTS_SHOWN),
        }
    }

    /// Cancels, takes no more prompts, waits for the end of the turn and closes the log. An agent that is not done by
    /// the deadline is given up.
    pub async fn close(&self, deadline: Duration) -> Result<(), AgentError> {
        self.end_turn(Cause::Disposed);
        self.shared.state().closed = true;
        self.shared.wake.notify_one();
        let driver = self.driver.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut late = None;
        if let Some(mut driver) = driver
            && timeout(deadline, &mut driver).await.is_err()
        {
            late = Some(AgentError::CloseTimeout {
                session_id: self.shared.log().id().to_owned(),
                waited: deadline,
                state: format!(
                    "{}; last events: {}",
                    self.shared.describe(),
                    self.shared.log().last_lines(EVENTS_SHOWN).join(" | ")
                ),
            });
            driver.abort();
        }
        // Also when it was late: what it did say belongs on disk.
        let closed = self.shared.log().close().await;
        match late {
            Some(late) => Err(late),
            None => Ok(closed?),
        }
    }
}

impl Drop for AgentHandle {
    fn drop(&mut self) {
        // Without its handle nobody could ever end it.
        if let Some(driver) = self.driver.lock().unwrap_or_else(PoisonError::into_inner).take() {
            driver.abort();
        }
    }
}
