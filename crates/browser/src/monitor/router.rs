//! Files each event with the page it belongs to, and passes it on to those who wait.

use super::chrome::{Details, Key, Kind};
use super::event::{Heard, PageEvent, Scope, Subscription};
use super::log::PageLog;
use super::popup::Popups;
use super::problem::{Problem, ProblemKind};
use super::prompts::Prompts;
use super::workers::Workers;
use crate::network::{Arrival, Remote, Request, Response, Routes, Told, dispatch};
use crate::page::{Download, FileChooser};
use bidi::Event;
use bidi::event::EventType;
use bidi::event::browsing_context::{
    ContextCreated, ContextDestroyed, DownloadEnd, DownloadWillBegin, NavigationInfo, UserPromptOpened,
};
use bidi::event::input::FileDialogOpened;
use bidi::event::log::EntryAdded;
use bidi::event::network::{BeforeRequestSent, FetchError, ResponseCompleted, ResponseStarted};
use bidi::event::script::RealmCreated;
use serde::Deserialize;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// Hears all events of a browser.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    state: Mutex<State>,
    pub(super) prompts: Mutex<Prompts>,
    pub(crate) popups: Popups,
    pub(crate) routes: Routes,
    pub(crate) remote: Remote,
}

#[derive(Debug, Default)]
struct State {
    /// By browsing context; frames share their page's.
    pages: HashMap<String, PageEntry>,
    user_contexts: HashMap<String, UserContext>,
    subscribers: Vec<Subscriber>,
    last_id: u64,
    workers: Workers,
    /// Entries that wait for details which have not come yet, and the other way round: the two protocols are
    /// independent, so either may be first.
    entries: VecDeque<(Key, PageEntry, u64)>,
    details: VecDeque<Details>,
}

/// A page, as seen from one of its frames.
#[derive(Debug, Clone)]
pub(super) struct PageEntry {
    pub(super) page: Arc<str>,
    pub(super) user_context: Arc<str>,
    pub(super) log: Arc<PageLog>,
}

#[derive(Debug, Default)]
struct UserContext {
    /// Of all pages there ever were.
    logs: Vec<Arc<PageLog>>,
    /// What belongs to no page: shared workers and service workers.
    workers: Arc<PageLog>,
    /// Ids of open pages, oldest first.
    open: Vec<Arc<str>>,
}

#[derive(Debug)]
struct Subscriber {
    id: u64,
    scope: Scope,
    queue: mpsc::UnboundedSender<Heard>,
}

/// Partners come within a few messages; older ones have none.
const UNPAIRED: usize = 256;

impl Monitor {
    /// The events to subscribe to, besides those of lifecycles and realms.
    pub(crate) const EVENTS: &[&str] = &[
        "browsingContext.downloadWillBegin",
        "browsingContext.downloadEnd",
        "browsingContext.userPromptOpened",
        // Keeps the browser's own dialog from opening, too.
        "input.fileDialogOpened",
        "log.entryAdded",
        "network.beforeRequestSent",
        "network.responseStarted",
        "network.responseCompleted",
        "network.fetchError",
        // Chrome's log entries lose the text of errors, and do not tell a rejection from an exception.
        "goog:cdp.Runtime.consoleAPICalled",
        "goog:cdp.Runtime.exceptionThrown",
    ];

    pub(crate) fn new(remote: Remote) -> Arc<Self> {
        Arc::new(Self { remote, ..Self::default() })
    }

    /// Takes one event. Events of no interest, and of a shape that is not understood, are passed
    /// over: a monitor must never break a page's run.
    pub(crate) fn hear(self: &Arc<Self>, event: &Event) {
        match event.method.as_str() {
            "browsingContext.contextCreated" => self.take(event, Self::context_created),
            "browsingContext.contextDestroyed" => self.take(event, Self::context_destroyed),
            "browsingContext.userPromptOpened" => self.take(event, Self::prompt_opened),
            "browsingContext.downloadWillBegin" => self.take(event, Self::download_begins),
            "browsingContext.downloadEnd" => self.take(event, Self::download_ends),
            "input.fileDialogOpened" => self.take(event, Self::files_wanted),
            "script.realmCreated" => self.take(event, Self::realm_created),
            "log.entryAdded" => self.take(event, Self::entry_added),
            "network.beforeRequestSent" => self.take(event, Self::request_sent),
            "network.responseStarted" => self.take(event, Self::response_started),
            "network.responseCompleted" => self.take(event, Self::response_completed),
            "network.fetchError" => self.take(event, Self::request_failed),
            method if method.starts_with("browsingContext.") => {
                if let Ok(info) = NavigationInfo::deserialize(&event.params) {
                    self.navigated(method, info);
                }
            }
            _ => {
                if let Some(details) = Details::of(event) {
                    self.state().pair_details(details);
                }
            }
        }
    }

    fn take<T: EventType>(self: &Arc<Self>, event: &Event, taker: impl FnOnce(&Arc<Self>, T)) {
        if let Ok(Some(event)) = event.as_type() {
            taker(self, event);
        }
    }

    fn context_created(self: &Arc<Self>, created: ContextCreated) {
        let ContextCreated { context, parent, original_opener, user_context, .. } = created;
        let mut state = self.state();
        let entry = state.open(&context, parent.as_deref(), user_context.as_deref());
        if let Some(parent) = parent {
            state.tell(&entry, || PageEvent::FrameAttached { frame: context, parent });
            return;
        }
        state.tell(&entry, || PageEvent::Opened);
        if let Some(opener) = original_opener.and_then(|opener| state.pages.get(&opener).cloned()) {
            self.popups.opened(&context);
            state.tell(&opener, || PageEvent::Popup { page: context });
        }
    }

    fn context_destroyed(self: &Arc<Self>, ContextDestroyed { context }: ContextDestroyed) {
        let mut state = self.state();
        let Some(entry) = state.pages.remove(&context) else { return };
        if *entry.page != *context {
            state.tell(&entry, || PageEvent::FrameDetached { frame: context });
            return;
        }
        if let Some(user_context) = state.user_contexts.get_mut(&*entry.user_context) {
            user_context.open.retain(|open| **open != *context);
        }
        state.pages.retain(|_, other| other.page != entry.page);
        state.workers.closed(&context);
        state.tell(&entry, || PageEvent::Closed);
        drop(state);
        self.popups.closed(&context);
        self.forget(&Scope::Page(context));
    }

    fn prompt_opened(self: &Arc<Self>, opened: UserPromptOpened) {
        if let Some(entry) = self.page(Some(&opened.context)) {
            self.answer_prompt(entry, opened);
        }
    }

    fn download_begins(self: &Arc<Self>, begins: DownloadWillBegin) {
        let mut state = self.state();
        let Some(entry) = state.pages.get(&begins.context).cloned() else { return };
        let DownloadWillBegin { download, navigation, url, suggested_filename, .. } = begins;
        let id = download.or(navigation).unwrap_or_default();
        let user_context = entry.user_context.to_string();
        let download = Download::new(id, url, suggested_filename, user_context, self.remote.clone());
        entry.log.add_download(download.clone());
        state.tell(&entry, || PageEvent::Download(download));
    }

    fn download_ends(self: &Arc<Self>, ended: DownloadEnd) {
        let state = self.state();
        // The page may have been closed meanwhile: its downloads go on.
        let id = ended.download.or(ended.navigation).unwrap_or_default();
        let logs = state.user_contexts.values().flat_map(|user_context| &user_context.logs);
        if let Some(download) = logs.flat_map(|log| log.downloads()).find(|download| download.is(&id)) {
            download.end(ended.filepath.filter(|_| ended.status == "complete"));
        }
    }

    fn files_wanted(self: &Arc<Self>, FileDialogOpened { context, element, multiple }: FileDialogOpened) {
        let mut state = self.state();
        let Some(entry) = state.pages.get(&context).cloned() else { return };
        let element = element.map(|element| element.shared_id);
        state
            .tell(&entry, || PageEvent::FileChooser(FileChooser::new(context, element, multiple, self.remote.clone())));
    }

    fn realm_created(self: &Arc<Self>, created: RealmCreated) {
        let mut state = self.state();
        if let Some(context) = &created.context {
            if created.sandbox.is_none() {
                self.popups.got_realm(context);
                state.workers.document(&created.realm, context);
            }
            return;
        }
        let page = state.workers.started(&created);
        if let Some(entry) = page.and_then(|page| state.pages.get(&page).cloned()) {
            state.tell(&entry, || PageEvent::Worker { kind: created.kind, url: created.origin });
        }
    }

    fn entry_added(self: &Arc<Self>, added: EntryAdded) {
        let mut state = self.state();
        let context = added.source.context.as_deref();
        let user_context = added.source.user_context.as_deref();
        let Some(page) = state.owner(context, user_context, None) else { return };
        if self.popups.is_mending(&page.page) && page.log.has_entry(&added) {
            return;
        }
        let kind = if added.kind == "javascript" { Kind::Uncaught } else { Kind::Console };
        let key = Key::new(kind, added.timestamp, added.stack_trace.as_ref());
        let entry = page.log.add_entry(added);
        // Told of once its text is known.
        if !entry.waits() {
            state.tell(&page, || PageEvent::Console(entry));
            return;
        }
        match state.details.iter().position(|details| details.key == key) {
            Some(position) => {
                let details = state.details.remove(position);
                state.tell_entry(&page, entry.order, details);
            }
            None => {
                if let Some((_, page, order)) = push(&mut state.entries, (key, page, entry.order)) {
                    state.tell_entry(&page, order, None);
                }
            }
        }
    }

    fn request_sent(self: &Arc<Self>, sent: BeforeRequestSent) {
        let mut state = self.state();
        let script = sent.initiator.as_ref().and_then(|initiator| initiator.stack_trace.as_ref());
        let script = script.and_then(|stack| stack.call_frames.first()).map(|frame| frame.url.as_str());
        let owner = state.owner(sent.context.as_deref(), sent.user_context.as_deref(), script);
        let told = Told {
            timestamp: sent.timestamp,
            frame: sent.context.as_deref(),
            hop: sent.redirect_count,
            navigation: sent.navigation.as_deref(),
            initiator: sent.initiator.as_ref(),
        };
        let request = match &owner {
            Some(owner) => {
                state.workers.requested(&sent.request.request, owner);
                let request = owner.log.request_sent(&sent.request, told, &self.remote);
                state.tell(owner, || PageEvent::Request(request.clone()));
                request
            }
            None => Request::new(&sent.request, told, &self.remote),
        };
        drop(state);
        if sent.is_blocked {
            let page = owner.map(|owner| owner.page.to_string());
            let arrival = Arrival { request, page, user_context: sent.user_context, intercepts: sent.intercepts };
            tokio::spawn(dispatch(self.clone(), arrival));
        }
    }

    fn response_started(self: &Arc<Self>, started: ResponseStarted) {
        let ResponseStarted { context, user_context, redirect_count: hop, request, response } = started;
        let mut state = self.state();
        let Some(owner) = state.requester(&request.request, context.as_deref(), user_context.as_deref()) else {
            return;
        };
        let told = Told { frame: context.as_deref(), hop, ..Told::default() };
        let request = owner.log.response_started(&request, told, &response, &self.remote);
        state.tell_response(&owner, request);
    }

    fn response_completed(self: &Arc<Self>, completed: ResponseCompleted) {
        let ResponseCompleted { context, user_context, redirect_count: hop, request, response } = completed;
        let mut state = self.state();
        let Some(owner) = state.requester(&request.request, context.as_deref(), user_context.as_deref()) else {
            return;
        };
        let told = Told { frame: context.as_deref(), hop, ..Told::default() };
        let request = owner.log.response_completed(&request, told, &response, &self.remote);
        state.workers.ended(&request.id);
        state.tell(&owner, || PageEvent::RequestFinished(request));
    }

    fn request_failed(self: &Arc<Self>, failed: FetchError) {
        let FetchError { context, user_context, redirect_count: hop, request, error_text } = failed;
        let mut state = self.state();
        // The driver forgets a request at the end of its answer's head. When the body breaks off after that, it knows
        // the id only, and neither page nor address.
        let holder = || {
            let holds = |entry: &PageEntry| Some((entry.clone(), entry.log.last_hop(&request.request)?));
            state.pages.values().find_map(holds)
        };
        let (owner, hop) = match context.is_none().then(holder).flatten() {
            Some((entry, last)) => (Some(entry), last),
            None => (state.requester(&request.request, context.as_deref(), user_context.as_deref()), hop),
        };
        let Some(owner) = owner else { return };
        let told = Told { frame: context.as_deref(), hop, ..Told::default() };
        let request = owner.log.request_failed(&request, told, error_text, &self.remote);
        state.workers.ended(&request.id);
        state.tell(&owner, || PageEvent::RequestFailed(request));
    }

    fn navigated(self: &Arc<Self>, method: &str, info: NavigationInfo) {
        let mut state = self.state();
        let Some(entry) = state.pages.get(&info.context).cloned() else { return };
        let NavigationInfo { context: frame, url, .. } = info;
        match method {
            "browsingContext.navigationCommitted" => {
                if *entry.page == *frame {
                    self.popups.committed(self, &frame);
                }
                state.tell(&entry, || PageEvent::FrameNavigated { frame, url, same_document: false });
            }
            "browsingContext.fragmentNavigated" | "browsingContext.historyUpdated" => {
                state.tell(&entry, || PageEvent::FrameNavigated { frame, url, same_document: true });
            }
            "browsingContext.domContentLoaded" => state.tell(&entry, || PageEvent::DomContentLoaded { frame }),
            "browsingContext.load" => state.tell(&entry, || PageEvent::Load { frame }),
            _ => {}
        }
    }

    /// The process of a page died.
    pub(crate) fn crashed(&self, page: &str) {
        let mut state = self.state();
        if let Some(entry) = state.pages.get(page).cloned() {
            entry.log.add_problem(ProblemKind::Crash, "the process that drew the page died".to_owned(), "");
            state.tell(&entry, || PageEvent::Crashed);
        }
    }

    /// The connection has ended: nothing is to be waited for any more.
    pub(crate) fn end(&self) {
        self.state().subscribers.clear();
    }

    /// A queue of what happens from now on.
    pub(crate) fn subscribe(self: &Arc<Self>, scope: Scope) -> Subscription {
        let (sender, queue) = mpsc::unbounded_channel();
        let mut state = self.state();
        state.last_id += 1;
        let id = state.last_id;
        state.subscribers.push(Subscriber { id, scope, queue: sender });
        Subscription { id, monitor: Arc::downgrade(self), queue }
    }

    pub(super) fn unsubscribe(&self, id: u64) {
        self.state().subscribers.retain(|subscriber| subscriber.id != id);
    }

    pub(super) fn tell(&self, entry: &PageEntry, event: PageEvent) {
        self.state().tell(entry, || event);
    }

    pub(super) fn page(&self, context: Option<&str>) -> Option<PageEntry> {
        self.state().pages.get(context?).cloned()
    }

    /// Nobody can ask any more for what happened in a user context.
    pub(crate) fn drop_context(&self, user_context: &str) {
        let dropped = self.state().user_contexts.remove(user_context);
        // Outside the lock: records hold what handlers of the test gave.
        drop(dropped);
    }

    /// Ids of the open pages of a user context, oldest first.
    pub(crate) fn open_pages(&self, user_context: &str) -> Vec<String> {
        let state = self.state();
        let open = state.user_contexts.get(user_context).map(|user_context| &user_context.open);
        open.into_iter().flatten().map(|page| page.to_string()).collect()
    }

    /// The log of a page, from its creation on.
    pub(crate) fn log_of(&self, context: &str, user_context: &str) -> Arc<PageLog> {
        self.state().open(context, None, Some(user_context)).log
    }

    /// Problems of all pages of a user context, and of its workers.
    pub(crate) fn problems_of(&self, user_context: &str) -> Vec<Problem> {
        let logs = self.logs_of(user_context);
        logs.iter().flat_map(|log| log.problems()).collect()
    }

    /// Requests of all pages of a user context, and of its workers.
    pub(crate) fn requests_of(&self, user_context: &str) -> Vec<Request> {
        let logs = self.logs_of(user_context);
        logs.iter().flat_map(|log| log.requests()).collect()
    }

    /// The logs of all pages a user context ever had, in the order of their creation, and that of its workers.
    pub(crate) fn logs_of(&self, user_context: &str) -> Vec<Arc<PageLog>> {
        let state = self.state();
        let Some(user_context) = state.user_contexts.get(user_context) else { return Vec::new() };
        user_context.logs.iter().chain([&user_context.workers]).cloned().collect()
    }

    /// A route of the test is about to answer a request.
    pub(crate) fn routed(&self, page: Option<&str>, user_context: Option<&str>, request: &str) {
        if let Some(owner) = self.state().owner(page, user_context, None) {
            owner.log.request_routed(request);
        }
    }

    /// Files what is wrong with a route.
    pub(crate) fn note_route_problem(&self, page: Option<&str>, user_context: Option<&str>, text: String, url: &str) {
        if let Some(owner) = self.state().owner(page, user_context, None) {
            owner.log.add_problem(ProblemKind::Route, text, url);
        }
    }

    /// Forgets the routes and deciders of a page or context that is gone.
    pub(crate) fn forget(&self, scope: &Scope) {
        self.routes.forget(scope);
        self.forget_prompts(scope);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn open(&mut self, context: &str, parent: Option<&str>, user_context: Option<&str>) -> PageEntry {
        if let Some(known) = self.pages.get(context) {
            return known.clone();
        }
        let entry = match parent.and_then(|parent| self.pages.get(parent)) {
            Some(page) => page.clone(),
            None => {
                let user_context = user_context.unwrap_or("default");
                let entry = PageEntry { page: context.into(), user_context: user_context.into(), log: Arc::default() };
                let known = self.user_contexts.entry(user_context.to_owned()).or_default();
                known.logs.push(entry.log.clone());
                known.open.push(entry.page.clone());
                entry
            }
        };
        self.pages.insert(context.to_owned(), entry.clone());
        entry
    }

    /// Whose record something belongs to: that of the page; for dedicated workers, whose requests name no page, that of
    /// the page the worker belongs to; else the context's own for shared workers and service workers.
    fn owner(&self, context: Option<&str>, user_context: Option<&str>, script: Option<&str>) -> Option<PageEntry> {
        let page = context.or_else(|| self.workers.page_of(script?));
        if let Some(entry) = page.and_then(|page| self.pages.get(page)) {
            return Some(entry.clone());
        }
        let name = user_context?;
        let log = self.user_contexts.get(name)?.workers.clone();
        Some(PageEntry { page: "".into(), user_context: name.into(), log })
    }

    /// The owner of the request with this id.
    fn requester(&self, id: &str, context: Option<&str>, user_context: Option<&str>) -> Option<PageEntry> {
        self.workers.requester(id).or_else(|| self.owner(context, user_context, None))
    }

    /// Passes an event on. It is made only when somebody listens.
    fn tell(&mut self, entry: &PageEntry, event: impl FnOnce() -> PageEvent) {
        let listens = |subscriber: &&Subscriber| match &subscriber.scope {
            Scope::Page(page) => **page == *entry.page,
            Scope::Context(user_context) => **user_context == *entry.user_context,
        };
        let mut listeners = self.subscribers.iter().filter(listens).peekable();
        if listeners.peek().is_none() {
            return;
        }
        let heard = Heard { page: entry.page.clone(), event: event() };
        for subscriber in listeners {
            // One whose receiver is gone is about to be removed.
            let _ = subscriber.queue.send(heard.clone());
        }
    }

    fn tell_response(&mut self, owner: &PageEntry, request: Request) {
        let response: Option<Response> = request.response();
        if let Some(response) = response {
            self.tell(owner, || PageEvent::Response(response));
        }
    }

    /// Passes a console entry on, with the details that have come.
    fn tell_entry(&mut self, page: &PageEntry, order: u64, details: Option<Details>) {
        let amended = page.log.amend_entry(order, |entry| {
            if let Some(details) = details {
                if let Some(text) = details.text {
                    entry.text = text;
                }
                entry.rejection = details.rejection;
            }
        });
        let Some(entry) = amended else { return };
        self.tell(page, || match entry.is_page_error() {
            true => PageEvent::PageError(entry),
            false => PageEvent::Console(entry),
        });
    }

    fn pair_details(&mut self, details: Details) {
        if details.text.is_none() && details.key.kind == Kind::Console {
            return;
        }
        match self.entries.iter().position(|(key, ..)| *key == details.key) {
            Some(position) => {
                if let Some((_, page, order)) = self.entries.remove(position) {
                    self.tell_entry(&page, order, Some(details));
                }
            }
            None => {
                push(&mut self.details, details);
            }
        }
    }
}

/// Adds to a queue, and gives back what had to go for it.
fn push<T>(queue: &mut VecDeque<T>, item: T) -> Option<T> {
    let oldest = if queue.len() == UNPAIRED { queue.pop_front() } else { None };
    queue.push_back(item);
    oldest
}
