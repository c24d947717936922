//! An open session: its log, its agent, and the task that tells readers what happens in it.

use std::sync::{Arc, Mutex, PoisonError};

use agent::{AgentHandle, EventReceiver, SessionLog};
use session::{Header, Summary};
use tokio::task::JoinHandle;
use wire::SessionSummary;

use crate::outlets::Outlets;

/// A session with an agent.
pub(crate) struct Live {
    pub(crate) log: Arc<SessionLog>,
    pub(crate) agent: AgentHandle,
    /// Ends after the log's last event was told.
    pub(crate) teller: Mutex<Option<JoinHandle<()>>>,
}

impl Live {
    /// The session's row in lists.
    pub(crate) fn summary(&self) -> SessionSummary {
        row(self.log.header(), &self.log.read(Summary::of))
    }

    pub(crate) fn take_teller(&self) -> Option<JoinHandle<()>> {
        self.teller.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A row of the session list.
pub(crate) fn row(header: &Header, summary: &Summary) -> SessionSummary {
    SessionSummary {
        session_id: header.id.clone(),
        title: summary.title.clone(),
        updated_at: summary.last_prompt_at.unwrap_or(header.created_at),
        running: summary.running,
        blank: summary.blank,
        cwd: header.cwd.clone(),
    }
}

/// Tells readers every event of a session, and what it means for lists. `summary` is that of the log so far.
pub(crate) async fn tell(outlets: Arc<Outlets>, header: Header, mut summary: Summary, mut events: EventReceiver) {
    while let Some(event) = events.recv().await {
        let was = row(&header, &summary);
        summary.apply(&event);
        let turn_ended = event.kind == "turn/end";
        outlets.mux.event(&header.id, event);
        let now = row(&header, &summary);
        if now != was {
            outlets.changed(&was, now);
        }
        if turn_ended {
            outlets.turn_ends.tell(&header.id);
        }
    }
}
