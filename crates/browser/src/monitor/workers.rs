//! Which page a worker belongs to. Chrome names the page for what workers print and throw, but not for what they ask of
//! the network.

use super::router::PageEntry;
use bidi::event::script::RealmCreated;
use std::collections::{HashMap, VecDeque};

/// What is known of workers.
#[derive(Debug, Default)]
pub(super) struct Workers {
    /// Browsing context by realm: of documents and of workers.
    realms: HashMap<String, String>,
    /// In which order those came: old ones are forgotten.
    order: VecDeque<String>,
    /// Browsing context by address of the worker's script.
    scripts: HashMap<String, String>,
    /// Whose request it is, by request id, while it is under way.
    requests: HashMap<String, PageEntry>,
}

/// Documents and workers that are remembered.
const REMEMBERED: usize = 1024;

impl Workers {
    /// A document's own realm.
    pub(super) fn document(&mut self, realm: &str, context: &str) {
        self.remember(realm, context.to_owned());
    }

    /// A worker has started. Gives back the page it belongs to.
    pub(super) fn started(&mut self, created: &RealmCreated) -> Option<String> {
        let page = created.owners.iter().find_map(|owner| self.realms.get(owner)).cloned()?;
        self.remember(&created.realm, page.clone());
        self.scripts.insert(created.origin.clone(), page.clone());
        Some(page)
    }

    fn remember(&mut self, realm: &str, page: String) {
        if self.order.len() == REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            let page = self.realms.remove(&oldest);
            self.scripts.retain(|_, other| Some(&*other) != page.as_ref());
        }
        self.order.push_back(realm.to_owned());
        self.realms.insert(realm.to_owned(), page);
    }

    /// The page of the worker that runs this script.
    pub(super) fn page_of(&self, script: &str) -> Option<&str> {
        self.scripts.get(script).map(String::as_str)
    }

    /// What follows on a request names no page either.
    pub(super) fn requested(&mut self, id: &str, owner: &PageEntry) {
        self.requests.insert(id.to_owned(), owner.clone());
    }

    pub(super) fn requester(&self, id: &str) -> Option<PageEntry> {
        self.requests.get(id).cloned()
    }

    /// A page is gone, with all it asked for.
    pub(super) fn closed(&mut self, page: &str) {
        self.requests.retain(|_, owner| *owner.page != *page);
    }

    pub(super) fn ended(&mut self, id: &str) {
        self.requests.remove(id);
    }
}
