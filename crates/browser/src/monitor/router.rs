//! Files each event with the page it belongs to.

use super::chrome::{Details, Key, Kind};
use super::log::PageLog;
use super::problem::Problem;
use bidi::Event;
use bidi::event::EventType;
use bidi::event::browsing_context::{ContextCreated, ContextDestroyed};
use bidi::event::log::EntryAdded;
use bidi::event::network::{BeforeRequestSent, FetchError, ResponseCompleted, ResponseStarted};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Hears all events of a browser.
#[derive(Debug, Default)]
pub(crate) struct Monitor {
    routes: Mutex<Routes>,
}

#[derive(Debug, Default)]
struct Routes {
    /// By browsing context; frames share their page's log.
    logs: HashMap<String, Arc<PageLog>>,
    /// By user context, closed pages included.
    user_contexts: HashMap<String, Vec<Arc<PageLog>>>,
    /// Entries whose details have not come yet, and the other way round: the two protocols are
    /// independent, so either may be first.
    entries: VecDeque<(Key, Arc<PageLog>, usize)>,
    details: VecDeque<Details>,
}

/// Partners come within a few messages; older ones have none.
const UNPAIRED: usize = 256;

impl Monitor {
    /// Takes one event. Events of no interest, and of a shape that is not understood, are passed
    /// over: a monitor must never break a page's run.
    pub(crate) fn hear(&self, event: &Event) {
        let mut routes = self.routes();
        if let Some(details) = Details::of(event) {
            routes.pair_details(details);
        } else if let Some(ContextCreated { context, parent, user_context, .. }) = typed(event) {
            routes.open(&context, parent.as_deref(), user_context.as_deref());
        } else if let Some(ContextDestroyed { context }) = typed(event) {
            routes.logs.remove(&context);
        } else if let Some(entry) = typed::<EntryAdded>(event) {
            if let Some(log) = routes.log(entry.source.context.as_deref()) {
                let kind = if entry.kind == "javascript" { Kind::Uncaught } else { Kind::Console };
                let key = Key::new(kind, entry.timestamp, entry.stack_trace.as_ref());
                let index = log.add_entry(entry);
                routes.pair_entry(key, log, index);
            }
        } else if let Some(BeforeRequestSent { context, request, timestamp }) = typed(event) {
            if let Some(log) = routes.log(context.as_deref()) {
                log.request_sent(request, timestamp);
            }
        } else if let Some(ResponseStarted { context, request, response }) = typed(event) {
            if let Some(log) = routes.log(context.as_deref()) {
                log.response_started(request, &response);
            }
        } else if let Some(ResponseCompleted { context, request, response }) = typed(event) {
            if let Some(log) = routes.log(context.as_deref()) {
                log.response_completed(request, &response);
            }
        } else if let Some(FetchError { context, request, error_text }) = typed(event)
            && let Some(log) = routes.log(context.as_deref())
        {
            log.request_failed(request, error_text);
        }
    }

    /// The log of a page, from its creation on.
    pub(crate) fn log_of(&self, context: &str, user_context: &str) -> Arc<PageLog> {
        self.routes().open(context, None, Some(user_context))
    }

    /// The logs of all pages a user context ever had, in the order of their creation.
    pub(crate) fn logs_of(&self, user_context: &str) -> Vec<Arc<PageLog>> {
        self.routes().user_contexts.get(user_context).cloned().unwrap_or_default()
    }

    /// Problems of all pages of a user context.
    pub(crate) fn problems_of(&self, user_context: &str) -> Vec<Problem> {
        self.logs_of(user_context).iter().flat_map(|log| log.problems()).collect()
    }

    fn routes(&self) -> MutexGuard<'_, Routes> {
        self.routes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn typed<T: EventType>(event: &Event) -> Option<T> {
    event.as_type().ok().flatten()
}

impl Routes {
    fn log(&self, context: Option<&str>) -> Option<Arc<PageLog>> {
        self.logs.get(context?).cloned()
    }

    fn open(&mut self, context: &str, parent: Option<&str>, user_context: Option<&str>) -> Arc<PageLog> {
        if let Some(known) = self.logs.get(context) {
            return known.clone();
        }
        let log = match parent.and_then(|parent| self.logs.get(parent)) {
            Some(page) => page.clone(),
            None => {
                let log = Arc::<PageLog>::default();
                let user_context = user_context.unwrap_or("default").to_owned();
                self.user_contexts.entry(user_context).or_default().push(log.clone());
                log
            }
        };
        self.logs.insert(context.to_owned(), log.clone());
        log
    }

    fn pair_entry(&mut self, key: Key, log: Arc<PageLog>, index: usize) {
        match self.details.iter().position(|details| details.key == key) {
            Some(position) => {
                if let Some(details) = self.details.remove(position) {
                    apply(details, &log, index);
                }
            }
            None => push(&mut self.entries, (key, log, index)),
        }
    }

    fn pair_details(&mut self, details: Details) {
        match self.entries.iter().position(|(key, ..)| *key == details.key) {
            Some(position) => {
                if let Some((_, log, index)) = self.entries.remove(position) {
                    apply(details, &log, index);
                }
            }
            None => push(&mut self.details, details),
        }
    }
}

fn apply(details: Details, log: &PageLog, index: usize) {
    log.amend_entry(index, |entry| {
        if let Some(text) = details.text {
            entry.text = text;
        }
        entry.rejection = details.rejection;
    });
}

fn push<T>(queue: &mut VecDeque<T>, item: T) {
    if queue.len() == UNPAIRED {
        queue.pop_front();
    }
    queue.push_back(item);
}
