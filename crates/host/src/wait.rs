//! Barriers for whoever drives a host: a turn's end, an agent at rest.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agent::{AgentError, IdleTimeout};
use tokio::sync::oneshot;

use crate::Host;

/// A session at rest: no turn runs and its log is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle {
    /// Sequence number of the log's last event, -1 for an empty log.
    pub tail_seq: i64,
}

/// Those who wait for the next turn's end.
#[derive(Default)]
pub(crate) struct TurnEnds(Mutex<Vec<oneshot::Sender<String>>>);

impl TurnEnds {
    fn arm(&self) -> oneshot::Receiver<String> {
        let (sender, receiver) = oneshot::channel();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
        receiver
    }

    pub(crate) fn tell(&self, session_id: &str) {
        for waiting in self.0.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // Who no longer waits need not know.
            let _ = waiting.send(session_id.to_owned());
        }
    }
}

impl Host {
    /// The id of the session whose turn ends next, counted from this call and not from the first poll: call it before
    /// the gesture. Never resolves when no turn ends; give it a deadline, and print [`Host::describe_state`] then.
    pub fn next_turn_end(&self) -> impl Future<Output = String> + Send + 'static + use<> {
        let armed = self.outlets.turn_ends.arm();
        async move {
            match armed.await {
                Ok(session_id) => session_id,
                // The host is gone, and with it every turn.
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// Waits until the session is at rest. A stored session nobody opened is.
    pub async fn when_idle(&self, session_id: &str, deadline: Duration) -> Result<Idle, IdleTimeout> {
        let fail = |state: String, last_events| IdleTimeout {
            session_id: session_id.to_owned(),
            waited: deadline,
            state,
            last_events,
        };
        let Some(live) = self.live(session_id) else {
            return match self.store.read(session_id).await {
                Ok(stored) => Ok(Idle { tail_seq: stored.events.len() as i64 - 1 }),
                Err(error) => Err(fail(error.to_string(), Vec::new())),
            };
        };
        match live.agent.when_idle(deadline).await {
            Ok(()) => Ok(Idle { tail_seq: live.log.tail_seq() }),
            Err(AgentError::Busy(timeout)) => Err(*timeout),
            Err(error) => Err(fail(error.to_string(), live.log.last_lines(12))),
        }
    }

    /// Every open session: what its agent does, what waits, its last events. For messages of waits that ran out.
    pub async fn describe_state(&self) -> String {
        let sessions = self.all_live();
        if sessions.is_empty() {
            return "no session is open".to_owned();
        }
        let texts: Vec<_> = sessions
            .iter()
            .map(|live| {
                let IdleTimeout { session_id, state, last_events, .. } = live.agent.explain(Duration::ZERO);
                format!("session {session_id}: {state}; last events:\n  {}", last_events.join("\n  "))
            })
            .collect();
        texts.join("\n")
    }
}
