//! The record of one page.

use super::problem::{self, Problem};
use bidi::event::StackTrace;
use bidi::event::log::EntryAdded;
use bidi::event::network::{RequestData, ResponseData};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A place in the page's source.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Location {
    /// Script or document.
    pub url: String,
    /// Counted from 1.
    pub line: i64,
    /// Counted from 1.
    pub column: i64,
    /// Empty for anonymous functions.
    pub function: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url, line, column, function } = self;
        if function.is_empty() {
            write!(f, "{url}:{line}:{column}")
        } else {
            write!(f, "{function} ({url}:{line}:{column})")
        }
    }
}

/// A console call, an uncaught exception or an unhandled rejection.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct ConsoleEntry {
    /// `console` or `javascript` (uncaught).
    pub kind: String,
    /// `debug`, `info`, `warn`, `error`.
    pub level: String,
    /// Console method such as `log`; empty for uncaught errors.
    pub method: String,
    /// The printed text.
    pub text: String,
    /// Whether it is a promise rejection that nobody handled.
    pub rejection: bool,
    /// Innermost first; may be empty.
    pub stack: Vec<Location>,
    /// Milliseconds since the epoch.
    pub timestamp: f64,
    #[serde(skip)]
    pub(super) order: u64,
}

/// A request of a page.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Request {
    /// HTTP method.
    pub method: String,
    /// Address.
    pub url: String,
    /// What became of it.
    pub state: RequestState,
    /// Milliseconds since the epoch; 0 when nothing was told of its start.
    pub timestamp: f64,
    #[serde(skip)]
    id: String,
    #[serde(skip)]
    pub(super) order: u64,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub enum RequestState {
    /// Not answered yet.
    Pending,
    /// The head of the answer is here, its body has not ended; event streams stay so.
    Answering {
        /// HTTP status.
        status: u16,
    },
    /// Answered to the end.
    Completed {
        /// HTTP status.
        status: u16,
    },
    /// Given up by the page itself: it navigated, closed or cancelled.
    Aborted,
    /// Failed below HTTP.
    Failed {
        /// For example `net::ERR_CONNECTION_REFUSED`.
        reason: String,
    },
}

/// The timestamp of a request of whose start nothing was told.
const UNTOLD: f64 = 0.0;

impl Request {
    /// Whether it has not ended yet.
    pub fn is_pending(&self) -> bool {
        matches!(self.state, RequestState::Pending | RequestState::Answering { .. })
    }
}

/// The record of one page and its frames.
#[derive(Debug, Default)]
pub(crate) struct PageLog {
    records: Mutex<Records>,
}

#[derive(Debug, Default)]
struct Records {
    console: Vec<ConsoleEntry>,
    requests: Vec<Request>,
    order: u64,
}

impl Records {
    fn next(&mut self) -> u64 {
        self.order += 1;
        self.order
    }
}

impl PageLog {
    /// All console entries and uncaught errors so far.
    pub(crate) fn console(&self) -> Vec<ConsoleEntry> {
        self.records().console.clone()
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.records().requests.clone()
    }

    /// What went wrong so far, in order.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let records = self.records();
        problem::among(&records.console, &records.requests)
    }

    /// Files an entry; gives back its index.
    pub(super) fn add_entry(&self, entry: EntryAdded) -> usize {
        let mut records = self.records();
        let order = records.next();
        records.console.push(ConsoleEntry {
            kind: entry.kind,
            level: entry.level,
            method: entry.method.unwrap_or_default(),
            text: entry.text.unwrap_or_default(),
            rejection: false,
            stack: entry.stack_trace.map(|stack| locations(&stack)).unwrap_or_default(),
            timestamp: entry.timestamp,
            order,
        });
        records.console.len() - 1
    }

    /// Adds what became known later about an entry.
    pub(super) fn amend_entry(&self, index: usize, amend: impl FnOnce(&mut ConsoleEntry)) {
        if let Some(entry) = self.records().console.get_mut(index) {
            amend(entry);
        }
    }

    pub(super) fn request_sent(&self, request: RequestData, timestamp: f64) {
        let mut records = self.records();
        let RequestData { request: id, url, method, .. } = request;
        // The driver sometimes tells of the answer first: then this is the start of what is known already.
        match records.requests.iter_mut().rev().find(|known| known.id == id && known.timestamp == UNTOLD) {
            Some(known) => (known.method, known.url, known.timestamp) = (method, url, timestamp),
            None => {
                let order = records.next();
                records.requests.push(Request { method, url, state: RequestState::Pending, timestamp, id, order });
            }
        }
    }

    /// The status counts from here on: a page knows it before the body ends, and so must its guard.
    pub(super) fn response_started(&self, request: RequestData, response: &ResponseData) {
        self.request_became(request, RequestState::Answering { status: response.status });
    }

    pub(super) fn response_completed(&self, request: RequestData, response: &ResponseData) {
        self.request_became(request, RequestState::Completed { status: response.status });
    }

    pub(super) fn request_failed(&self, request: RequestData, reason: String) {
        let state = if reason == "net::ERR_ABORTED" { RequestState::Aborted } else { RequestState::Failed { reason } };
        self.request_became(request, state);
    }

    fn request_became(&self, request: RequestData, state: RequestState) {
        let mut records = self.records();
        // Each redirect is a request of its own with the same id: the last one is meant.
        match records.requests.iter_mut().rev().find(|known| known.id == request.request) {
            Some(known) => known.state = state,
            // Some failures come without a start, for example blocked ports.
            None => {
                let order = records.next();
                let RequestData { request: id, url, method, .. } = request;
                records.requests.push(Request { method, url, state, timestamp: UNTOLD, id, order });
            }
        }
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn locations(stack: &StackTrace) -> Vec<Location> {
    let frames = stack.call_frames.iter();
    frames
        .map(|frame| Location {
            url: frame.url.clone(),
            line: frame.line_number + 1,
            column: frame.column_number + 1,
            function: frame.function_name.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_told_before_its_request_is_one_request() {
        let log = PageLog::default();
        let request = || {
            let data = json!({"request": "7", "url": "http://127.0.0.1/", "method": "GET"});
            serde_json::from_value::<RequestData>(data).expect("a request")
        };
        let response = serde_json::from_value::<ResponseData>(json!({"url": "", "status": 404})).expect("a response");
        log.response_started(request(), &response);
        log.request_sent(request(), 5.0);
        let requests = log.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        assert_eq!((requests[0].timestamp, &requests[0].state), (5.0, &RequestState::Answering { status: 404 }));
        // A redirect is another request with the same id.
        log.request_sent(request(), 6.0);
        assert_eq!(log.requests().len(), 2);
    }
}
