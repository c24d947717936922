//! Finds the handler of each request that was caught, and sees to it that none waits for ever.

use super::route::{Decision, NoteRouted, is_gone};
use super::{Remote, Request, Route, UrlPattern};
use crate::error::{Error, Result};
use crate::monitor::{Monitor, Scope};
use bidi::command::network::{AddIntercept, ContinueRequest, InterceptPhase, RemoveIntercept};
use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{oneshot, watch};

type Handling = Pin<Box<dyn Future<Output = Result<()>> + Send>>;
type Handler = Arc<dyn Fn(Route) -> Handling + Send + Sync>;

/// All routes of a browser.
#[derive(Debug, Default)]
pub(crate) struct Routes {
    known: Mutex<Known>,
    /// How many intercepts are being set up: the browser may hold requests for them before their ids are known.
    pending: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Known {
    last_id: u64,
    /// Oldest first.
    entries: Vec<Entry>,
    /// By what they are for.
    intercepts: HashMap<Scope, String>,
    /// All there ever were: what they caught waits for us, also when they are gone.
    ours: HashSet<String>,
}

#[derive(Clone)]
struct Entry {
    id: u64,
    scope: Scope,
    pattern: UrlPattern,
    handler: Handler,
    /// How often it may still act.
    left: Option<u64>,
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "route {} for {}", self.id, self.pattern)
    }
}

/// A request that was caught.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) request: Request,
    /// The page, when it is known.
    pub(crate) page: Option<String>,
    pub(crate) user_context: Option<String>,
    pub(crate) intercepts: Vec<String>,
}

/// A route that is set up; dropping it changes nothing.
#[derive(Debug, Clone)]
pub struct RouteHandle {
    id: u64,
    scope: Scope,
    monitor: Weak<Monitor>,
}

impl RouteHandle {
    /// Takes the route away. Requests it has caught still wait for its answer.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn remove(self) -> Result<()> {
        self.forget();
        let Some(monitor) = self.monitor.upgrade() else { return Ok(()) };
        let Some(intercept) = monitor.routes.unused(&self.scope) else { return Ok(()) };
        let link = monitor.remote.link("removing a route")?;
        match link.call(&RemoveIntercept { intercept }).await {
            // It went away with its page.
            Ok(_) | Err(Error::Protocol(bidi::Error::Refused { .. })) => Ok(()),
            Err(other) => Err(other),
        }
    }

    /// Forgets the handler; the browser still asks, and is told to go on.
    pub(super) fn forget(&self) {
        if let Some(monitor) = self.monitor.upgrade() {
            monitor.routes.known().entries.retain(|entry| entry.id != self.id);
        }
    }
}

impl Routes {
    /// Sets a handler up; requests sent after the return reach it.
    pub(crate) async fn add<F, Fut>(
        monitor: &Arc<Monitor>,
        scope: Scope,
        pattern: UrlPattern,
        times: Option<u64>,
        handler: F,
    ) -> Result<RouteHandle>
    where
        F: Fn(Route) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        let handler: Handler = Arc::new(move |route| Box::pin(handler(route)));
        let (id, is_caught) = {
            let mut known = monitor.routes.known();
            known.last_id += 1;
            let id = known.last_id;
            known.entries.push(Entry { id, scope: scope.clone(), pattern, handler, left: times });
            (id, known.intercepts.contains_key(&scope))
        };
        let handle = RouteHandle { id, scope: scope.clone(), monitor: Arc::downgrade(monitor) };
        if !is_caught && let Err(error) = monitor.routes.intercept(&monitor.remote, scope).await {
            handle.forget();
            return Err(error);
        }
        Ok(handle)
    }

    async fn intercept(&self, remote: &Remote, scope: Scope) -> Result<()> {
        // BiDi has no intercepts for user contexts: those of a context catch all, and let the others' requests go.
        let contexts = match &scope {
            Scope::Page(page) => vec![page.clone()],
            Scope::Context(_) => Vec::new(),
        };
        let command = AddIntercept { phases: vec![InterceptPhase::BeforeRequestSent], contexts };
        let link = remote.link("setting a route up")?;
        let _pending = Pending::add(&self.pending);
        let intercept = link.call(&command).await?.intercept;
        let before = {
            let mut known = self.known();
            known.ours.insert(intercept.clone());
            known.intercepts.insert(scope, intercept)
        };
        if let Some(intercept) = before {
            // Two were set up at the same time: one is enough.
            link.call(&RemoveIntercept { intercept }).await?;
        }
        Ok(())
    }

    /// The intercept of a scope that has no routes any more.
    fn unused(&self, scope: &Scope) -> Option<String> {
        let mut known = self.known();
        if known.entries.iter().any(|entry| entry.scope == *scope) { None } else { known.intercepts.remove(scope) }
    }

    /// Takes all routes of a page or context away.
    pub(crate) async fn clear(monitor: &Arc<Monitor>, scope: Scope) -> Result<()> {
        monitor.routes.known().entries.retain(|entry| entry.scope != scope);
        RouteHandle { id: 0, scope, monitor: Arc::downgrade(monitor) }.remove().await
    }

    /// Forgets what is for a page or context that is gone.
    pub(crate) fn forget(&self, scope: &Scope) {
        let mut known = self.known();
        known.entries.retain(|entry| entry.scope != *scope);
        known.intercepts.remove(scope);
    }

    /// Whether a request waits for us alone.
    async fn is_ours(&self, intercepts: &[String]) -> bool {
        // The sender lives as long as `self`.
        let _ = self.pending.subscribe().wait_for(|pending| *pending == 0).await;
        let known = self.known();
        intercepts.iter().all(|intercept| known.ours.contains(intercept))
    }

    /// The next handler for a request, of those older than `before`: the page's first, the newest of them first.
    fn next(&self, arrival: &Arrival, before: Option<(bool, u64)>) -> Option<Entry> {
        let mut known = self.known();
        let rank = |entry: &Entry| (matches!(entry.scope, Scope::Page(_)), entry.id);
        let meant = |entry: &Entry| match &entry.scope {
            Scope::Page(page) => arrival.page.as_ref() == Some(page),
            Scope::Context(context) => arrival.user_context.as_ref() == Some(context),
        };
        let older = |entry: &&mut Entry| before.is_none_or(|before| rank(entry) < before);
        let mut candidates: Vec<_> =
            known.entries.iter_mut().filter(|entry| entry.left != Some(0) && meant(entry)).filter(older).collect();
        candidates.sort_by_key(|entry| std::cmp::Reverse(rank(entry)));
        let entry = candidates.into_iter().find(|entry| entry.pattern.matches(&arrival.request))?;
        if let Some(left) = &mut entry.left {
            *left -= 1;
        }
        Some(entry.clone())
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts an intercept as pending while it lives.
struct Pending<'a>(&'a watch::Sender<usize>);

impl<'a> Pending<'a> {
    fn add(pending: &'a watch::Sender<usize>) -> Self {
        pending.send_modify(|count| *count += 1);
        Self(pending)
    }
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

#[derive(Debug)]
struct Note {
    monitor: Weak<Monitor>,
    page: Option<String>,
    user_context: Option<String>,
    request: String,
}

impl NoteRouted for Note {
    fn note(&self) {
        if let Some(monitor) = self.monitor.upgrade() {
            monitor.routed(self.page.as_deref(), self.user_context.as_deref(), &self.request);
        }
    }
}

/// Asks handler after handler, until one decides. What none decides goes on to the server.
pub(crate) async fn dispatch(monitor: Arc<Monitor>, arrival: Arrival) {
    if !monitor.routes.is_ours(&arrival.intercepts).await {
        return;
    }
    let mut before = None;
    while let Some(entry) = monitor.routes.next(&arrival, before) {
        before = Some((matches!(entry.scope, Scope::Page(_)), entry.id));
        let problem = match ask(&monitor, &arrival, &entry).await {
            Ok(Decision::Answered) => return,
            Ok(Decision::Fallback) => continue,
            Ok(Decision::Continue) => break,
            Err(problem) => problem,
        };
        let Request { method, url, .. } = &arrival.request;
        let text = format!("the route for {} {problem}: {method} {url} went on to the server", entry.pattern);
        monitor.note_route_problem(arrival.page.as_deref(), arrival.user_context.as_deref(), text, url);
        break;
    }
    if let Ok(link) = monitor.remote.link("letting a request go on") {
        let command = ContinueRequest { request: arrival.request.id.clone(), ..ContinueRequest::default() };
        if let Err(Error::Protocol(bidi::Error::Refused { code, message, .. })) = link.call(&command).await
            && !is_gone(&code, &message)
        {
            let url = &arrival.request.url;
            let text = format!("a request could not go on to the server: {code}: {message}");
            monitor.note_route_problem(arrival.page.as_deref(), arrival.user_context.as_deref(), text, url);
        }
    }
}

/// What one handler decides; `Err` says what is wrong with it.
async fn ask(monitor: &Arc<Monitor>, arrival: &Arrival, entry: &Entry) -> Result<Decision, String> {
    let (sender, mut decided) = oneshot::channel();
    let note = Note {
        monitor: Arc::downgrade(monitor),
        page: arrival.page.clone(),
        user_context: arrival.user_context.clone(),
        request: arrival.request.id.clone(),
    };
    let route = Route::new(arrival.request.clone(), sender, Arc::new(note));
    let handler = entry.handler.clone();
    // A task of its own: a panic in it stays there. The handler's own code runs in it, too.
    let mut running = tokio::spawn(async move { handler(route).await });
    let deadline = monitor.remote.deadline;
    let outcome = |joined: Result<Result<()>, tokio::task::JoinError>| match joined {
        Ok(Ok(())) => None,
        Ok(Err(error)) => Some(format!("failed ({error})")),
        Err(joined) => Some(match joined.try_into_panic() {
            Ok(panic) => format!("panicked ({})", words_of(&*panic)),
            Err(_) => "was stopped".to_owned(),
        }),
    };
    tokio::select! {
        biased;
        decision = &mut decided => {
            let ended = match tokio::time::timeout(deadline, &mut running).await {
                Ok(joined) => outcome(joined),
                Err(_) => {
                    running.abort();
                    Some(format!("has not ended {deadline:?} after its answer"))
                }
            };
            match (decision, ended) {
                // It was answered: going on is not possible any more, but the handler's trouble must be heard of.
                (Ok(Decision::Answered), Some(problem)) => {
                    let text = format!("the route for {} {problem}", entry.pattern);
                    monitor.note_route_problem(
                        arrival.page.as_deref(), arrival.user_context.as_deref(), text, &arrival.request.url,
                    );
                    Ok(Decision::Answered)
                }
                (Ok(decision), None) => Ok(decision),
                (_, Some(problem)) => Err(problem),
                (Err(_), None) => Err("gave no answer".to_owned()),
            }
        }
        joined = &mut running => match outcome(joined) {
            Some(problem) => Err(problem),
            // Kept by the test, which answers when it likes.
            None => decided.await.map_err(|_| "gave no answer".to_owned()),
        },
        () = tokio::time::sleep(deadline) => {
            running.abort();
            Err(format!("gave no answer within {deadline:?}"))
        }
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
