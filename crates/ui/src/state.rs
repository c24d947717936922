//! The client's changes as signals.

use std::collections::HashMap;
use std::rc::Rc;

use client::{Change, Client, ConnectionState, Phase, PromptMode, Row, SessionSummary, SessionView, WorkspaceSummary};
use leptos::prelude::*;
use send_wrapper::SendWrapper;

use crate::dom;
use crate::route;
use crate::strings::Strings;

/// A value that stays on this thread, where a signal wants one that could leave it.
pub(crate) type Local<T> = SendWrapper<T>;

/// One row of the transcript: its key never changes, its content does.
#[derive(Clone)]
pub(crate) struct Entry {
    /// Unique in the transcript.
    pub(crate) key: String,
    /// The row as it is now.
    pub(crate) row: ArcRwSignal<Local<Rc<Row>>>,
}

/// A workspace with its sessions that have a turn.
#[derive(Clone, PartialEq)]
pub(crate) struct Group {
    /// The workspace.
    pub(crate) workspace: WorkspaceSummary,
    /// Newest first.
    pub(crate) sessions: Vec<SessionSummary>,
}

/// What the conversation column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The host or the session is not there yet.
    Loading,
    /// A new session: nothing said so far.
    Hero,
    /// A transcript, and the agent waits.
    Settled,
    /// A transcript, and the agent works.
    Running,
    /// The session could not be loaded.
    Failed,
}

impl Stage {
    /// The word in `data-phase`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Hero => "hero",
            Self::Settled => "settled",
            Self::Running => "running",
            Self::Failed => "failed",
        }
    }
}

/// Everything the components read and do. Cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Ui {
    client: StoredValue<Client, LocalStorage>,
    /// The texts.
    pub(crate) strings: &'static Strings,
    /// State of the connection.
    pub(crate) connection: RwSignal<ConnectionState>,
    /// Workspaces in display order, each with its sessions, newest first.
    pub(crate) workspaces: RwSignal<Vec<Group>>,
    /// The session shown; none for a new one.
    pub(crate) selected: RwSignal<Option<String>>,
    /// The workspace a new session will work in, where the person chose one.
    pub(crate) chosen_workspace: RwSignal<Option<String>>,
    /// The session shown, as it is now.
    pub(crate) view: RwSignal<Option<Local<Rc<SessionView>>>>,
    /// Its transcript.
    pub(crate) rows: RwSignal<Vec<Entry>>,
    /// The session this page made last. While it loads, the hero it came from stays.
    pub(crate) created: RwSignal<Option<String>>,
    /// What is typed and not sent, by session; the empty id is the new session.
    pub(crate) drafts: RwSignal<HashMap<String, String>>,
    /// Why the last prompt was not sent.
    pub(crate) send_problem: RwSignal<Option<String>>,
    /// What the page says aloud for a moment: the outcome of a press that changes nothing else.
    pub(crate) spoken: RwSignal<&'static str>,
    /// The sidebar lies over a narrow page.
    pub(crate) drawer: RwSignal<bool>,
    /// Once true, stays: the lists have come at least once.
    pub(crate) arrived: RwSignal<bool>,
}

impl Ui {
    /// The state over a client. Starts nothing.
    pub(crate) fn new(client: Client, strings: &'static Strings) -> Self {
        Self {
            connection: RwSignal::new(client.connection()),
            workspaces: RwSignal::new(Vec::new()),
            client: StoredValue::new_local(client),
            strings,
            selected: RwSignal::new(None),
            chosen_workspace: RwSignal::new(None),
            view: RwSignal::new(None),
            rows: RwSignal::new(Vec::new()),
            created: RwSignal::new(None),
            drafts: RwSignal::new(HashMap::new()),
            send_problem: RwSignal::new(None),
            spoken: RwSignal::new(""),
            drawer: RwSignal::new(false),
            arrived: RwSignal::new(false),
        }
    }

    /// The client.
    pub(crate) fn client(self) -> Client {
        self.client.get_value()
    }

    /// The texts and signals of the component around.
    pub(crate) fn here() -> Self {
        expect_context::<Self>()
    }

    /// Takes over what the client published.
    pub(crate) fn apply(self, change: &Change) {
        let client = self.client();
        match change {
            Change::Connection => {
                self.connection.set(client.connection());
                if client.connection() == ConnectionState::Connected {
                    self.arrived.set(true);
                }
            }
            Change::Catalogue => {
                let workspaces = client.workspaces();
                let groups = workspaces.iter().map(|workspace| Group {
                    workspace: workspace.clone(),
                    sessions: client.sessions_of(&workspace.workspace_id),
                });
                self.workspaces.set(groups.collect());
            }
            Change::Session(id) => {
                if self.selected.with_untracked(|selected| selected.as_ref() == Some(id)) {
                    self.show(client.session(id));
                }
            }
            Change::Selection => {}
        }
    }

    /// Shows a session, or none: a new one.
    pub(crate) fn select(self, id: Option<&str>) {
        if self.selected.with_untracked(|selected| selected.as_deref() == id) {
            return;
        }
        let client = self.client();
        client.select(id);
        self.rows.set(Vec::new());
        self.send_problem.set(None);
        self.selected.set(id.map(str::to_owned));
        self.show(id.and_then(|id| client.session(id)));
        route::show(id);
    }

    /// Puts a view of the selected session into the signals, touching only rows that changed.
    fn show(self, view: Option<Rc<SessionView>>) {
        let shown = view.as_ref().map_or(&[][..], |view| view.rows.as_slice());
        let same = self.rows.with_untracked(|entries| {
            entries.len() == shown.len() && entries.iter().zip(shown).all(|(entry, row)| entry.key == keyed(row))
        });
        if same {
            self.rows.with_untracked(|entries| entries.iter().zip(shown).for_each(|(entry, row)| refresh(entry, row)));
        } else {
            let mut known: HashMap<String, Entry> =
                self.rows.get_untracked().into_iter().map(|entry| (entry.key.clone(), entry)).collect();
            let entries = shown.iter().map(|row| {
                let key = keyed(row);
                match known.remove(&key) {
                    Some(entry) => {
                        refresh(&entry, row);
                        entry
                    }
                    None => Entry { key, row: ArcRwSignal::new(Local::new(Rc::clone(row))) },
                }
            });
            self.rows.set(entries.collect());
        }
        self.view.set(view.map(Local::new));
    }

    /// What the conversation column shows now. Tracked.
    pub(crate) fn stage(self) -> Stage {
        if self.selected.with(Option::is_none) {
            return if self.arrived.get() { Stage::Hero } else { Stage::Loading };
        }
        self.view.with(|view| match view.as_deref() {
            None => Stage::Loading,
            Some(view) => match view.phase {
                Phase::Cold | Phase::Loading if self.created.with(|created| created.as_ref() == Some(&view.id)) => {
                    Stage::Hero
                }
                Phase::Cold | Phase::Loading => Stage::Loading,
                Phase::Failed(_) => Stage::Failed,
                Phase::Ready if view.running => Stage::Running,
                Phase::Ready if view.rows.is_empty() => Stage::Hero,
                Phase::Ready => Stage::Settled,
            },
        })
    }

    /// The title of the session shown, from its view or the list. Tracked.
    pub(crate) fn title(self) -> Option<String> {
        let selected = self.selected.get()?;
        let viewed = self.view.with(|view| view.as_deref().and_then(|view| view.title.clone()));
        let listed = || {
            self.workspaces.with(|groups| {
                let mut sessions = groups.iter().flat_map(|group| &group.sessions);
                sessions.find(|session| session.session_id == selected).and_then(|session| session.title.clone())
            })
        };
        Some(viewed.or_else(listed).unwrap_or_else(|| self.strings.untitled.to_owned()))
    }

    /// The workspace of a new session: the chosen one, else the first. Tracked.
    pub(crate) fn workspace(self) -> Option<WorkspaceSummary> {
        self.chosen_workspace.with(|chosen| {
            self.workspaces.with(|groups| {
                let found = groups.iter().find(|group| Some(&group.workspace.workspace_id) == chosen.as_ref());
                found.or(groups.first()).map(|group| group.workspace.clone())
            })
        })
    }

    /// Sends the draft of the session shown, making the session first where there is none. The draft is cleared at
    /// once; when the host refuses, it comes back with what was typed meanwhile behind it.
    pub(crate) fn send(self) {
        let key = self.selected.get_untracked().unwrap_or_default();
        let text = self.drafts.with_untracked(|drafts| drafts.get(&key).cloned().unwrap_or_default());
        if text.trim().is_empty() {
            return;
        }
        self.send_problem.set(None);
        self.drafts.update(|drafts| drop(drafts.remove(&key)));
        let client = self.client();
        let workspace = untrack(|| self.workspace());
        dom::spawn(async move {
            let session = if key.is_empty() {
                match workspace {
                    Some(workspace) => {
                        client.create_session(&workspace.workspace_id).await.map_err(|error| error.to_string())
                    }
                    None => Err(self.strings.no_workspaces.to_owned()),
                }
            } else {
                Ok(key.clone())
            };
            let outcome = match session {
                Ok(session) => {
                    // Unless the person went elsewhere while the session was made.
                    if key.is_empty() && self.selected.with_untracked(Option::is_none) {
                        self.created.set(Some(session.clone()));
                        self.select(Some(&session));
                    }
                    client
                        .prompt(&session, &text, PromptMode::Queue)
                        .await
                        .map_err(|error| (session, error.to_string()))
                }
                Err(problem) => Err((key, problem)),
            };
            if let Err((session, problem)) = outcome {
                self.drafts.update(|drafts| {
                    let draft = drafts.entry(session).or_default();
                    *draft = if draft.is_empty() { text } else { format!("{text}\n{draft}") };
                });
                self.send_problem.set(Some(problem));
            }
        });
    }

    /// Loads the session shown once more, after that failed.
    pub(crate) fn retry(self) {
        if let Some(id) = self.selected.get_untracked() {
            self.client().open(&id);
        }
    }

    /// Cancels the turn of the session shown.
    pub(crate) fn stop(self) {
        if let Some(id) = self.selected.get_untracked() {
            self.client().cancel(&id);
        }
    }
}

/// The row's key with its kind, so that an entry never changes its kind.
fn keyed(row: &Row) -> String {
    let kind = match row {
        Row::User { .. } => "user",
        Row::Thinking { .. } => "thinking",
        Row::Text { .. } => "text",
        Row::Tool { .. } => "tool",
        Row::Retry { .. } => "retry",
        Row::Failure { .. } => "failure",
        Row::Stopped { .. } => "stopped",
        Row::Notice { .. } => "notice",
        Row::TurnFooter { .. } => "footer",
    };
    format!("{kind} {}", row.key())
}

fn refresh(entry: &Entry, row: &Rc<Row>) {
    if !entry.row.with_untracked(|shown| Rc::ptr_eq(shown, row)) {
        entry.row.set(Local::new(Rc::clone(row)));
    }
}
