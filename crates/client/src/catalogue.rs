//! The lists: sessions and workspaces, kept true by host frames.

use std::rc::Rc;

use wire::{HostFrame, SessionSummary, WorkspaceSummary};

/// Both lists. While they are being fetched, frames wait: a frame that outruns the list must not be lost under it.
#[derive(Default)]
pub(crate) struct Catalogue {
    sessions: Vec<SessionSummary>,
    visible: Option<Rc<Vec<SessionSummary>>>,
    workspaces: Rc<Vec<WorkspaceSummary>>,
    waiting: Option<Vec<HostFrame>>,
}

impl Catalogue {
    /// The lists are about to be fetched anew.
    pub(crate) fn begin_refresh(&mut self) {
        self.waiting = Some(Vec::new());
    }

    /// The lists came; frames that came before them follow. Rows are whole, so applying one twice does no harm.
    pub(crate) fn install(&mut self, sessions: Vec<SessionSummary>, workspaces: Vec<WorkspaceSummary>) {
        self.sessions = sessions;
        self.visible = None;
        self.workspaces = Rc::new(workspaces);
        for frame in self.waiting.take().unwrap_or_default() {
            self.frame(frame);
        }
    }

    /// One frame about a list row. Whether a list changed.
    pub(crate) fn frame(&mut self, frame: HostFrame) -> bool {
        if let Some(waiting) = &mut self.waiting {
            waiting.push(frame);
            return false;
        }
        match frame {
            HostFrame::SessionChanged(row) => {
                self.sessions.retain(|known| known.session_id != row.session_id);
                let newer = |known: &SessionSummary| known.updated_at > row.updated_at;
                let at = self.sessions.iter().position(|known| !newer(known)).unwrap_or(self.sessions.len());
                self.sessions.insert(at, row);
                self.visible = None;
                true
            }
            HostFrame::SessionStatus { session_id, running } => {
                let Some(row) = self.sessions.iter_mut().find(|row| row.session_id == session_id) else { return false };
                let changed = row.running != running;
                row.running = running;
                self.visible = self.visible.take().filter(|_| !changed);
                changed
            }
            HostFrame::WorkspaceChanged(row) => {
                let rows = Rc::make_mut(&mut self.workspaces);
                match rows.iter_mut().find(|known| known.workspace_id == row.workspace_id) {
                    Some(known) => *known = row,
                    None => rows.push(row),
                }
                true
            }
            HostFrame::AgentError { .. } | HostFrame::Error { .. } => false,
        }
    }

    /// Sessions that have a turn, newest first.
    pub(crate) fn sessions(&mut self) -> Rc<Vec<SessionSummary>> {
        let rows = &self.sessions;
        let visible = || Rc::new(rows.iter().filter(|row| !row.blank).cloned().collect());
        Rc::clone(self.visible.get_or_insert_with(visible))
    }

    /// Workspaces in display order.
    pub(crate) fn workspaces(&self) -> Rc<Vec<WorkspaceSummary>> {
        Rc::clone(&self.workspaces)
    }

    /// A session's row, blank ones too.
    pub(crate) fn session(&self, id: &str) -> Option<&SessionSummary> {
        self.sessions.iter().find(|row| row.session_id == id)
    }

    /// The sessions of a workspace that have a turn, newest first: those it lists, and those that work in its folder (a
    /// session's first frame may come before the workspace's).
    pub(crate) fn sessions_of(&self, workspace_id: &str) -> Vec<SessionSummary> {
        let Some(workspace) = self.workspaces.iter().find(|row| row.workspace_id == workspace_id) else {
            return Vec::new();
        };
        let of_it = |row: &&SessionSummary| {
            !row.blank
                && (workspace.session_ids.contains(&row.session_id)
                    || row.cwd.as_deref() == Some(workspace.path.as_str()))
        };
        self.sessions.iter().filter(of_it).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use wire::{HostFrame, SessionSummary, WorkspaceSummary};

    use super::Catalogue;

    fn row(id: &str, updated_at: i64) -> SessionSummary {
        SessionSummary {
            session_id: id.to_owned(),
            title: None,
            updated_at,
            running: false,
            blank: false,
            cwd: Some("/w".to_owned()),
        }
    }
    fn workspace(id: &str, path: &str) -> WorkspaceSummary {
        WorkspaceSummary {
            workspace_id: id.to_owned(),
            path: path.to_owned(),
            title: id.to_owned(),
            session_ids: Vec::new(),
        }
    }
    fn ids(catalogue: &mut Catalogue) -> Vec<String> {
        catalogue.sessions().iter().map(|row| row.session_id.clone()).collect()
    }

    #[test]
    fn a_frame_that_outruns_the_list_is_applied_over_it() {
        let mut catalogue = Catalogue::default();
        catalogue.begin_refresh();
        assert!(!catalogue.frame(HostFrame::SessionChanged(row("new", 9))), "nothing changes before the list is there");
        assert!(!catalogue.frame(HostFrame::SessionStatus { session_id: "old".to_owned(), running: true }));
        catalogue.install(vec![row("old", 1)], Vec::new());
        assert_eq!(ids(&mut catalogue), ["new", "old"]);
        assert!(catalogue.session("old").unwrap().running);
    }

    #[test]
    fn changed_rows_move_to_their_place_and_blank_ones_are_hidden() {
        let mut catalogue = Catalogue::default();
        catalogue.install(vec![row("c", 3), row("b", 2), row("a", 1)], Vec::new());
        assert!(catalogue.frame(HostFrame::SessionChanged(row("a", 9))));
        assert!(catalogue.frame(HostFrame::SessionChanged(row("d", 0))));
        assert!(catalogue.frame(HostFrame::SessionChanged(SessionSummary { blank: true, ..row("e", 10) })));
        assert_eq!(ids(&mut catalogue), ["a", "c", "b", "d"]);
        assert!(catalogue.session("e").is_some_and(|row| row.blank));
    }

    #[test]
    fn status_says_whether_it_changed_something() {
        let mut catalogue = Catalogue::default();
        catalogue.install(vec![row("a", 1)], Vec::new());
        let status = |id: &str, running| HostFrame::SessionStatus { session_id: id.to_owned(), running };
        let before = catalogue.sessions();
        assert!(!catalogue.frame(status("a", false)));
        assert!(!catalogue.frame(status("nobody", true)));
        assert!(Rc::ptr_eq(&before, &catalogue.sessions()), "an unchanged list keeps its Rc");
        assert!(catalogue.frame(status("a", true)));
        assert!(catalogue.sessions()[0].running);
    }

    #[test]
    fn a_workspace_holds_what_it_lists_and_what_works_in_its_folder() {
        let mut catalogue = Catalogue::default();
        let elsewhere = |id: &str| SessionSummary { cwd: Some("/elsewhere".to_owned()), ..row(id, 1) };
        let sessions = vec![
            row("in", 3),
            elsewhere("listed"),
            elsewhere("out"),
            SessionSummary { blank: true, ..row("blank", 0) },
        ];
        let listing = WorkspaceSummary { session_ids: vec!["listed".to_owned()], ..workspace("w", "/w") };
        catalogue.install(sessions, vec![workspace("w", "/other")]);
        assert!(catalogue.frame(HostFrame::WorkspaceChanged(listing)));
        assert!(catalogue.frame(HostFrame::WorkspaceChanged(workspace("x", "/x"))));
        let found: Vec<_> = catalogue.sessions_of("w").into_iter().map(|row| row.session_id).collect();
        assert_eq!(found, ["in", "listed"]);
        assert_eq!(catalogue.sessions_of("nowhere"), []);
        assert_eq!(catalogue.workspaces().len(), 2);
    }
}
