//! Open sessions. A stored one is opened by a prompt, never by being read.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use agent::{Agent, AgentConfig, SessionLog};
use llm::Route;
use serde_json::json;
use session::{Header, Summary};
use store::{StoreError, Workspace};
use wire::{ErrorCode, RpcError};

use crate::Host;
use crate::live::{Live, tell};

/// The sessions with an agent, in the order they were opened.
#[derive(Default)]
pub(crate) struct Sessions {
    pub(crate) open: Vec<Arc<Live>>,
    /// The host ends: nothing is opened any more.
    pub(crate) ending: bool,
}

impl Host {
    /// The log of an open session; a stored one is read with [`Host::store`].
    pub fn session_log(&self, session_id: &str) -> Option<Arc<SessionLog>> {
        self.live(session_id).map(|live| Arc::clone(&live.log))
    }

    /// Ids of the open sessions, in the order they were opened.
    pub fn attached_sessions(&self) -> Vec<String> {
        self.all_live().iter().map(|live| live.log.id().to_owned()).collect()
    }

    pub(crate) fn all_live(&self) -> Vec<Arc<Live>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner).open.clone()
    }

    pub(crate) fn live(&self, session_id: &str) -> Option<Arc<Live>> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.open.iter().find(|live| live.log.id() == session_id).cloned()
    }

    /// A new session in a workspace. One that is there already, with the same directory, is that session.
    pub(crate) async fn create(&self, workspace: &Workspace, id: Option<String>) -> Result<String, RpcError> {
        self.refuse_when_ending()?;
        let id = id.unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
        let _opening = self.opening(&id).await;
        if let Some(header) = self.header(&id).await? {
            if header.cwd.as_deref() == Some(&workspace.path) {
                return Ok(id);
            }
            return Err(RpcError {
                code: ErrorCode::SessionConflict,
                message: format!("session {id} exists in another directory; ask for another id"),
                details: json!({"sessionId": id}),
            });
        }
        let route = self.route()?;
        let header = Header::new(&id, (self.env.clock)(), Some(workspace.path.clone()));
        let writer = self.store.create(header.clone()).await.map_err(|error| store_error(&id, &error))?;
        let log = SessionLog::create(header, writer, self.env.clock.clone());
        let live = self.attach(log, route).await?;
        self.outlets.added(live.summary());
        Ok(id)
    }

    /// The open session, opened when it is only stored.
    pub(crate) async fn open(&self, id: &str) -> Result<Arc<Live>, RpcError> {
        let _opening = self.opening(id).await;
        if let Some(live) = self.live(id) {
            return Ok(live);
        }
        self.refuse_when_ending()?;
        let route = self.route()?;
        let (stored, writer) = self.store.resume(id).await.map_err(|error| store_error(id, &error))?;
        self.attach(SessionLog::resume(stored, writer, self.env.clock.clone()), route).await
    }

    /// The header of a session, open or stored.
    pub(crate) async fn header(&self, id: &str) -> Result<Option<Header>, RpcError> {
        if let Some(live) = self.live(id) {
            return Ok(Some(live.log.header().clone()));
        }
        match self.store.read(id).await {
            Ok(stored) => Ok(Some(stored.header)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(store_error(id, &error)),
        }
    }

    async fn attach(&self, log: Arc<SessionLog>, route: Route) -> Result<Arc<Live>, RpcError> {
        let header = log.header().clone();
        let cwd = header.cwd.clone().map_or_else(|| self.env.home.clone(), PathBuf::from);
        let agent = Agent::spawn(AgentConfig {
            log: Arc::clone(&log),
            route,
            tools: self.tools.clone(),
            system_prompt: self.settings.agent.system_prompt.replace("{cwd}", &cwd.to_string_lossy()),
            cwd,
            env: self.env.tool_env.clone(),
            random: self.env.random.clone(),
            title: self.title,
            limits: self.limits,
        });
        // Nobody appends before the first prompt, which needs the handle made here.
        let (tail, events) = log.subscribe();
        let summary = log.read(Summary::of);
        let live = Arc::new(Live { log, agent, teller: Mutex::default() });
        let refused = {
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            if !sessions.ending {
                self.outlets.mux.attach(&header.id, tail);
                let telling = tokio::spawn(tell(Arc::clone(&self.outlets), header, summary, events));
                *live.teller.lock().unwrap_or_else(PoisonError::into_inner) = Some(telling);
                sessions.open.push(Arc::clone(&live));
            }
            sessions.ending
        };
        if refused {
            // It did nothing yet, so there is nothing to lose when this fails.
            let _ = live.agent.close(std::time::Duration::from_secs(1)).await;
            return Err(ending());
        }
        Ok(live)
    }

    fn refuse_when_ending(&self) -> Result<(), RpcError> {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if sessions.ending { Err(ending()) } else { Ok(()) }
    }

    fn route(&self) -> Result<Route, RpcError> {
        self.route.clone().ok_or_else(|| RpcError {
            code: ErrorCode::ModelUnavailable,
            message: "no model is configured; enable a provider row".to_owned(),
            details: json!({"provider": null, "model": null}),
        })
    }

    async fn opening(&self, id: &str) -> Opening<'_> {
        let lock = {
            let mut opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(opening.entry(id.to_owned()).or_default())
        };
        let held = Arc::clone(&lock).lock_owned().await;
        Opening { host: self, id: id.to_owned(), lock, _held: held }
    }
}

/// The right to open a session. The last one to give it back removes the lock.
struct Opening<'a> {
    host: &'a Host,
    id: String,
    lock: Arc<tokio::sync::Mutex<()>>,
    _held: tokio::sync::OwnedMutexGuard<()>,
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        let mut opening = self.host.opening.lock().unwrap_or_else(PoisonError::into_inner);
        // Held by the map, by this and by its guard: nobody else waits.
        if Arc::strong_count(&self.lock) <= 3 {
            opening.remove(&self.id);
        }
    }
}

fn ending() -> RpcError {
    RpcError::internal("the host is shutting down; start it again")
}

/// A failure of the store as the page is told of it.
pub(crate) fn store_error(id: &str, error: &StoreError) -> RpcError {
    match error {
        StoreError::NotFound { .. } => RpcError::session_not_found(id),
        StoreError::BadId { .. } => RpcError::bad_request(vec![format!("sessionId: {error}")]),
        other => RpcError::internal(other.to_string()),
    }
}
