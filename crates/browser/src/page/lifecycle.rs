//! How far each page is: what the browser tells of navigations, without being asked.

use bidi::Event;
use bidi::event::EventType;
use bidi::event::browsing_context::{ContextCreated, ContextDestroyed, NavigationInfo};
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use url::Url;

/// How far a document is. The later ones include the earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum LoadState {
    /// Its first bytes are here and it has replaced the document before it.
    Commit,
    /// It has been parsed, and its deferred scripts have run.
    DomContentLoaded,
    /// Everything it refers to has been loaded: the load event.
    #[default]
    Load,
}

/// What became of a navigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// On its way.
    Started,
    /// Its document is or was there.
    Committed,
    /// It went to a place within the document, or only changed the address.
    SameDocument,
    /// It came to nothing.
    Failed(String),
}

/// The state of a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lifecycle {
    /// Address of the document.
    pub(super) url: String,
    /// How far the document is.
    pub(super) state: LoadState,
    /// Navigation that brought the document.
    document: Option<String>,
    /// The navigation on its way, with where it goes.
    pub(super) pending: Option<(String, String)>,
    /// The last navigations, oldest first.
    navigations: VecDeque<(String, Outcome)>,
    /// Goes up when the document is replaced or its address changes.
    pub(super) changes: u64,
    /// Whether another page opened it.
    pub(super) opened: bool,
    /// Whether the page is gone.
    pub(super) closed: bool,
    /// Whether the process that drew it is gone.
    pub(crate) crashed: bool,
}

// A test that waits for one looks at once: more than a few are never asked for.
const REMEMBERED: usize = 16;

impl Lifecycle {
    /// What became of the navigation.
    pub(super) fn outcome(&self, navigation: &str) -> Option<&Outcome> {
        self.navigations.iter().rev().find(|(id, _)| id == navigation).map(|(_, outcome)| outcome)
    }

    /// Whether the document of this navigation is the one shown.
    pub(super) fn shows(&self, navigation: &str) -> bool {
        self.document.as_deref() == Some(navigation)
    }

    fn became(&mut self, navigation: &str, outcome: Outcome) {
        match self.navigations.iter_mut().find(|(id, _)| id == navigation) {
            Some((_, known)) => *known = outcome,
            None => {
                if self.navigations.len() == REMEMBERED {
                    self.navigations.pop_front();
                }
                self.navigations.push_back((navigation.to_owned(), outcome));
            }
        }
    }

    fn take(&mut self, event: Navigated, info: NavigationInfo) {
        let id = info.navigation.unwrap_or_default();
        match event {
            Navigated::Started => {
                self.became(&id, Outcome::Started);
                self.pending = Some((id, info.url));
                self.crashed = false;
            }
            Navigated::Committed => {
                // Without a start of its own it is a document that came back from the history as it was.
                let restored = self.outcome(&id).is_none();
                self.became(&id, Outcome::Committed);
                self.show(id, info.url, if restored { LoadState::Load } else { LoadState::Commit });
                self.pending = None;
            }
            Navigated::DomContentLoaded | Navigated::Load => {
                let state = if event == Navigated::Load { LoadState::Load } else { LoadState::DomContentLoaded };
                // Chromium does not tell of the commit in a page that a link opened, and tells late news of an error page
                // under the name of the navigation that replaces it.
                let is_pending = self.pending.as_ref().is_some_and(|(pending, _)| *pending == id);
                if self.shows(&id) {
                    self.state = state;
                } else if is_pending && info.url != self.url {
                    self.became(&id, Outcome::Committed);
                    self.show(id, info.url, state);
                    self.pending = None;
                } else if matches!(self.outcome(&id), Some(Outcome::Failed(_))) {
                    // The browser's own page that says why.
                    self.show(id, info.url, state);
                }
            }
            Navigated::SameDocument => {
                if !id.is_empty() {
                    self.became(&id, Outcome::SameDocument);
                }
                self.url = info.url;
                self.changes += 1;
            }
            Navigated::Failed => {
                // What was there and is left before it is loaded has not failed.
                if self.outcome(&id) != Some(&Outcome::Committed) {
                    self.became(&id, Outcome::Failed(info.message.unwrap_or_else(|| "it was given up".to_owned())));
                }
                self.pending.take_if(|(pending, _)| *pending == id);
            }
        }
    }

    fn show(&mut self, navigation: String, url: String, state: LoadState) {
        self.document = Some(navigation);
        self.url = url;
        self.state = state;
        self.changes += 1;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Navigated {
    Started,
    Committed,
    DomContentLoaded,
    Load,
    SameDocument,
    Failed,
}

impl Navigated {
    fn of(method: &str) -> Option<Self> {
        Some(match method {
            "browsingContext.navigationStarted" => Self::Started,
            "browsingContext.navigationCommitted" => Self::Committed,
            "browsingContext.domContentLoaded" => Self::DomContentLoaded,
            "browsingContext.load" => Self::Load,
            "browsingContext.fragmentNavigated" | "browsingContext.historyUpdated" => Self::SameDocument,
            "browsingContext.navigationFailed" | "browsingContext.navigationAborted" => Self::Failed,
            _ => return None,
        })
    }
}

/// The state of all pages of a browser.
#[derive(Debug, Default)]
pub(crate) struct Lifecycles(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// By browsing context: windows and tabs.
    pages: HashMap<String, watch::Sender<Lifecycle>>,
    /// By user context: origins of all documents there ever were.
    origins: HashMap<String, BTreeSet<String>>,
}

impl Lifecycles {
    /// The events to subscribe to.
    pub(crate) const EVENTS: &[&str] = &[
        "browsingContext.contextCreated",
        "browsingContext.contextDestroyed",
        "browsingContext.navigationStarted",
        "browsingContext.navigationCommitted",
        "browsingContext.domContentLoaded",
        "browsingContext.load",
        "browsingContext.fragmentNavigated",
        "browsingContext.historyUpdated",
        "browsingContext.navigationFailed",
        "browsingContext.navigationAborted",
    ];

    /// Takes one event.
    pub(crate) fn hear(&self, event: &Event) {
        if let Some(kind) = Navigated::of(&event.method) {
            let Ok(info) = NavigationInfo::deserialize(&event.params) else { return };
            let mut known = self.known();
            if matches!(kind, Navigated::Committed | Navigated::DomContentLoaded)
                && let Some(user_context) = &info.user_context
                && let Some(origin) = origin(&info.url)
            {
                known.origins.entry(user_context.clone()).or_default().insert(origin);
            }
            if let Some(page) = known.pages.get(&info.context) {
                page.send_modify(|lifecycle| lifecycle.take(kind, info));
            }
        } else if let Some(ContextCreated { context, parent: None, url, original_opener, .. }) = typed(event) {
            let opened = original_opener.is_some();
            let first = Lifecycle { url, state: LoadState::Load, opened, ..Lifecycle::default() };
            self.known().pages.entry(context).or_insert_with(|| watch::Sender::new(first));
        } else if let Some(ContextDestroyed { context }) = typed(event)
            && let Some(page) = self.known().pages.remove(&context)
        {
            page.send_modify(|lifecycle| lifecycle.closed = true);
        }
    }

    /// The state of a page, now and later.
    pub(crate) fn of(&self, page: &str) -> watch::Receiver<Lifecycle> {
        match self.known().pages.get(page) {
            Some(sender) => sender.subscribe(),
            None => watch::Sender::new(Lifecycle { closed: true, ..Lifecycle::default() }).subscribe(),
        }
    }

    /// Browsing context ids of all pages.
    pub(crate) fn pages(&self) -> Vec<String> {
        self.known().pages.keys().cloned().collect()
    }

    /// The process of a page is gone.
    pub(crate) fn crashed(&self, page: &str) {
        if let Some(page) = self.known().pages.get(page) {
            page.send_modify(|lifecycle| lifecycle.crashed = true);
        }
    }

    /// There are no pages any more: those who wait for one are told.
    pub(crate) fn end(&self) {
        self.known().pages.clear();
    }

    /// Origins of all documents a user context has shown, in alphabetical order.
    pub(crate) fn origins(&self, user_context: &str) -> BTreeSet<String> {
        self.known().origins.get(user_context).cloned().unwrap_or_default()
    }

    /// The user context is gone.
    pub(crate) fn forget(&self, user_context: &str) {
        self.known().origins.remove(user_context);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn typed<T: EventType>(event: &Event) -> Option<T> {
    event.as_type().ok().flatten()
}

/// The origin of an address that may have storage.
fn origin(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(events: &[(&str, &str, &str)]) -> Lifecycle {
        let lifecycles = Lifecycles::default();
        let hear = |method: &str, navigation: &str, url: &str| {
            let params = json!({ "context": "p", "navigation": navigation, "url": url, "userContext": "u" });
            lifecycles.hear(&Event { method: format!("browsingContext.{method}"), params });
        };
        hear("contextCreated", "", "about:blank");
        let page = lifecycles.of("p");
        for (method, navigation, url) in events {
            hear(method, navigation, url);
        }
        page.borrow().clone()
    }

    #[test]
    fn document_that_comes_back_from_the_history_is_loaded_and_ends_the_wait_for_another() {
        let state = told(&[("navigationStarted", "1", "http://a/"), ("navigationCommitted", "2", "http://a/")]);
        assert_eq!((state.state, state.pending), (LoadState::Load, None));
    }

    #[test]
    fn late_load_of_a_document_that_was_replaced_is_not_that_of_the_new_one() {
        let state = told(&[
            ("navigationStarted", "1", "http://a/"),
            ("navigationCommitted", "1", "http://a/"),
            ("navigationStarted", "2", "http://b/"),
            ("navigationCommitted", "2", "http://b/"),
            ("load", "1", "http://a/"),
        ]);
        assert_eq!((state.state, state.url.as_str()), (LoadState::Commit, "http://b/"));
    }

    #[test]
    fn document_whose_commit_is_not_told_is_there_once_it_is_parsed() {
        let state = told(&[("navigationStarted", "1", "http://a/"), ("domContentLoaded", "1", "http://a/")]);
        assert!(state.shows("1") && state.pending.is_none() && state.state == LoadState::DomContentLoaded);
    }

    #[test]
    fn late_news_of_an_error_page_are_not_those_of_the_navigation_under_way() {
        let state = told(&[
            ("navigationStarted", "1", "http://a/"),
            ("navigationFailed", "1", "http://a/"),
            ("load", "1", "http://a/"),
            ("navigationStarted", "2", "http://b/"),
            ("load", "2", "http://a/"),
        ]);
        assert!(state.shows("1") && state.pending.is_some());
    }

    #[test]
    fn failed_navigation_is_no_longer_pending_and_its_error_page_is_the_document() {
        let state = told(&[
            ("navigationStarted", "1", "http://a/"),
            ("navigationFailed", "1", "http://a/"),
            ("load", "1", "http://a/"),
        ]);
        assert_eq!(state.outcome("1"), Some(&Outcome::Failed("it was given up".into())));
        assert!(state.pending.is_none() && state.shows("1"));
    }

    #[test]
    fn page_that_is_gone_says_so_to_those_who_look_and_to_those_who_come_later() {
        assert!(told(&[("contextDestroyed", "", "")]).closed);
        assert!(Lifecycles::default().of("p").borrow().closed);
    }
}
