//! Where news of sessions goes: the two streams, and the list both lists are made from.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use store::{StoredSummary, Workspace, WorkspaceRegistry};
use wire::{HostFrame, MuxFrame, SessionSummary, WorkspaceSummary};

use crate::hub::Hub;
use crate::wait::TurnEnds;

pub(crate) struct Outlets {
    pub(crate) mux: Hub<MuxFrame>,
    pub(crate) host: Hub<HostFrame>,
    pub(crate) turn_ends: TurnEnds,
    workspaces: WorkspaceRegistry,
    /// Sessions known so far, by id. What the store says comes in with every list call.
    known: Mutex<BTreeMap<String, SessionSummary>>,
}

impl Outlets {
    pub(crate) fn new(queue_frames: usize, workspaces: WorkspaceRegistry) -> Self {
        Self {
            mux: Hub::new(queue_frames),
            host: Hub::new(queue_frames),
            turn_ends: TurnEnds::default(),
            workspaces,
            known: Mutex::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, SessionSummary>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what is stored and what is open; the latter is newer.
    pub(crate) fn learn(&self, stored: Vec<StoredSummary>, live: Vec<SessionSummary>) {
        let stored = stored.into_iter().map(stored_row);
        *self.known() = stored.chain(live).map(|row| (row.session_id.clone(), row)).collect();
    }

    /// Rows that are not blank, newest first.
    pub(crate) fn listed(&self) -> Vec<SessionSummary> {
        let mut rows: Vec<_> = self.known().values().filter(|row| !row.blank).cloned().collect();
        rows.sort_by(|left, right| {
            right.updated_at.cmp(&left.updated_at).then_with(|| left.session_id.cmp(&right.session_id))
        });
        rows
    }

    /// The workspace's row.
    pub(crate) fn workspace_row(&self, workspace: Workspace) -> WorkspaceSummary {
        let mine = |row: &SessionSummary| row.cwd.as_deref() == Some(&workspace.path);
        let session_ids = self.listed().into_iter().filter(mine).map(|row| row.session_id).collect();
        WorkspaceSummary { workspace_id: workspace.id, path: workspace.path, title: workspace.title, session_ids }
    }

    /// A session's row changed.
    pub(crate) fn changed(&self, was: &SessionSummary, now: SessionSummary) {
        self.known().insert(now.session_id.clone(), now.clone());
        if now.running != was.running {
            let (session_id, running) = (now.session_id.clone(), now.running);
            self.host.publish(&HostFrame::SessionStatus { session_id, running });
        }
        self.host.publish(&HostFrame::SessionChanged(now.clone()));
        // Both move the session in its workspace's list.
        if now.blank != was.blank || now.updated_at != was.updated_at {
            self.workspace_changed(&now);
        }
    }

    /// A new session came to be.
    pub(crate) fn added(&self, row: SessionSummary) {
        self.known().insert(row.session_id.clone(), row.clone());
        self.host.publish(&HostFrame::SessionChanged(row));
    }

    fn workspace_changed(&self, session: &SessionSummary) {
        // A list that can't be read now is reported by the next `workspace.list`, to whom can act on it.
        let workspaces = self.workspaces.list().unwrap_or_default();
        if let Some(mine) = workspaces.into_iter().find(|workspace| session.cwd.as_deref() == Some(&workspace.path)) {
            self.host.publish(&HostFrame::WorkspaceChanged(self.workspace_row(mine)));
        }
    }
}

fn stored_row(stored: StoredSummary) -> SessionSummary {
    let damaged = stored.damage.is_some();
    SessionSummary {
        session_id: stored.header.id,
        // A damaged log is shown, not hidden: opening it says what is wrong and what to do.
        title: if damaged { Some("Damaged session log".to_owned()) } else { stored.title },
        updated_at: stored.last_prompt_at.unwrap_or(stored.header.created_at),
        running: false,
        blank: stored.blank && !damaged,
        cwd: stored.header.cwd,
    }
}
