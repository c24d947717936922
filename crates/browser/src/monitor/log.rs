//! The record of one page.

use super::ConsoleEntry;
use super::problem::{self, Problem, ProblemKind};
use crate::network::{Finish, Head, Remote, Request, RequestState, Told};
use crate::page::{Dialog, Download};
use bidi::event::log::EntryAdded;
use bidi::event::network::{RequestData, ResponseData};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The timestamp of a request of whose start nothing was told.
const UNTOLD: f64 = 0.0;

/// The record of one page and its frames.
#[derive(Debug, Default)]
pub(crate) struct PageLog {
    records: Mutex<Records>,
}

#[derive(Debug, Default)]
struct Records {
    console: Vec<ConsoleEntry>,
    /// Entries up to this one are not shown any more; they still count as problems.
    cleared: u64,
    requests: Vec<Request>,
    dialogs: Vec<(u64, Dialog)>,
    downloads: Vec<Download>,
    noted: Vec<(u64, Problem)>,
    order: u64,
}

impl Records {
    fn next(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    /// The request whose answer redirected to this one: it has the same id.
    fn hop_before(&self, request: &Request) -> Option<Arc<Request>> {
        let before = |known: &&Request| known.id == request.id && known.hop + 1 == request.hop;
        self.requests.iter().rev().find(before).cloned().map(Arc::new)
    }
}

impl PageLog {
    /// All console entries and uncaught errors since they were cleared.
    pub(crate) fn console(&self) -> Vec<ConsoleEntry> {
        let records = self.records();
        let from = records.console.partition_point(|entry| entry.order <= records.cleared);
        records.console[from..].to_vec()
    }

    /// Shows no more of what there was up to now.
    pub(crate) fn clear_console(&self) {
        let mut records = self.records();
        records.cleared = records.order;
    }

    /// All requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.records().requests.clone()
    }

    /// All dialogs so far; those without an answer are being decided.
    pub(crate) fn dialogs(&self) -> Vec<Dialog> {
        self.records().dialogs.iter().map(|(_, dialog)| dialog.clone()).collect()
    }

    /// All downloads so far.
    pub(crate) fn downloads(&self) -> Vec<Download> {
        self.records().downloads.clone()
    }

    /// What went wrong so far, in order.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let records = self.records();
        problem::among(&records.console, &records.requests, &records.noted)
    }

    /// Files something that went wrong in another way.
    pub(super) fn add_problem(&self, kind: ProblemKind, text: String, url: &str) {
        let mut records = self.records();
        let order = records.next();
        records.noted.push((order, Problem { kind, text, url: url.to_owned(), stack: Vec::new() }));
    }

    /// Files an entry, and gives it back.
    pub(super) fn add_entry(&self, entry: EntryAdded) -> ConsoleEntry {
        let mut records = self.records();
        let order = records.next();
        let entry = ConsoleEntry::new(entry, order);
        records.console.push(entry.clone());
        entry
    }

    /// Whether this very entry was filed already.
    pub(super) fn has_entry(&self, entry: &EntryAdded) -> bool {
        let records = self.records();
        let entry = ConsoleEntry::new(entry.clone(), 0);
        records.console.iter().rev().any(|known| {
            let same = |known: &ConsoleEntry| ConsoleEntry { order: 0, ..known.clone() } == entry;
            // The text may have been amended.
            known.timestamp == entry.timestamp && (same(known) || known.waits() && known.stack == entry.stack)
        })
    }

    /// Adds what became known later about an entry; gives it back as it is now.
    pub(super) fn amend_entry(&self, order: u64, amend: impl FnOnce(&mut ConsoleEntry)) -> Option<ConsoleEntry> {
        let mut records = self.records();
        let index = records.console.binary_search_by_key(&order, |entry| entry.order).ok()?;
        amend(&mut records.console[index]);
        Some(records.console[index].clone())
    }

    pub(super) fn request_sent(&self, data: &RequestData, told: Told<'_>, remote: &Remote) -> Request {
        let mut records = self.records();
        let mut request = Request::new(data, told, remote);
        // The driver sometimes tells of the answer first: then this is the start of what is known already.
        let same = |known: &Request| known.id == request.id && known.hop == request.hop && known.timestamp == UNTOLD;
        if let Some(known) = records.requests.iter_mut().rev().find(|known| same(known)) {
            *known = known.clone().started(request);
            return known.clone();
        }
        request.order = records.next();
        request.redirected_from = records.hop_before(&request);
        records.requests.push(request.clone());
        request
    }

    /// The status counts from here on: a page knows it before the body ends, and so must its guard.
    pub(super) fn response_started(
        &self,
        data: &RequestData,
        told: Told<'_>,
        response: &ResponseData,
        remote: &Remote,
    ) -> Request {
        let state = RequestState::Answering { status: response.status };
        self.request_became(data, told, state, Some(response), remote)
    }

    pub(super) fn response_completed(
        &self,
        data: &RequestData,
        told: Told<'_>,
        response: &ResponseData,
        remote: &Remote,
    ) -> Request {
        let state = RequestState::Completed { status: response.status };
        let request = self.request_became(data, told, state, Some(response), remote);
        request.exchange.finish.send_replace(Finish::Done);
        request
    }

    pub(super) fn request_failed(
        &self,
        data: &RequestData,
        told: Told<'_>,
        reason: String,
        remote: &Remote,
    ) -> Request {
        let same = |known: &&Request| known.id == data.request && known.hop == told.hop;
        let known = self.records().requests.iter().rev().find(same).cloned();
        let was_given_up = reason == "net::ERR_ABORTED";
        // Chrome takes back what has ended well, when nobody read it.
        let has_ended = |known: &&Request| was_given_up && matches!(known.state, RequestState::Completed { .. });
        if let Some(ended) = known.as_ref().filter(has_ended) {
            return ended.clone();
        }
        let is_abort = was_given_up || known.is_some_and(|known| known.routed);
        let finish = Finish::Failed(reason.clone());
        let state = if is_abort { RequestState::Aborted } else { RequestState::Failed { reason } };
        let request = self.request_became(data, told, state, None, remote);
        request.exchange.finish.send_replace(finish);
        request
    }

    /// How many redirects led to the newest request with this id, when there is one.
    pub(super) fn last_hop(&self, id: &str) -> Option<u64> {
        self.records().requests.iter().rev().find(|known| known.id == id).map(|known| known.hop)
    }

    /// A route of the test is about to give the answer.
    pub(super) fn request_routed(&self, id: &str) {
        if let Some(known) = self.records().requests.iter_mut().rev().find(|known| known.id == id) {
            known.routed = true;
        }
    }

    fn request_became(
        &self,
        data: &RequestData,
        told: Told<'_>,
        state: RequestState,
        response: Option<&ResponseData>,
        remote: &Remote,
    ) -> Request {
        let mut records = self.records();
        let head = response.map(|response| Arc::new(Head::new(response, data.timings)));
        // Each redirect is a request of its own with the same id.
        let index = records.requests.iter().rposition(|known| known.id == data.request && known.hop == told.hop);
        let index = index.unwrap_or_else(|| {
            // Some failures come without a start, for example blocked ports, and some answers before it.
            let mut request = Request::new(data, Told { timestamp: UNTOLD, ..told }, remote);
            request.order = records.next();
            request.redirected_from = records.hop_before(&request);
            records.requests.push(request);
            records.requests.len() - 1
        });
        let known = &mut records.requests[index];
        known.learn(data);
        // The head may be told of after the end: nothing goes back then.
        let has_ended = !known.is_pending();
        if !has_ended || !matches!(state, RequestState::Answering { .. }) {
            known.state = state;
            known.response = head.or(known.response.take());
        }
        known.clone()
    }

    /// Files a dialog that opened.
    pub(super) fn add_dialog(&self, dialog: Dialog) -> u64 {
        let mut records = self.records();
        let order = records.next();
        records.dialogs.push((order, dialog));
        order
    }

    /// Files how a dialog was answered.
    pub(super) fn answer_dialog(&self, order: u64, answered: Dialog) {
        if let Some((_, dialog)) = self.records().dialogs.iter_mut().find(|(known, _)| *known == order) {
            *dialog = answered;
        }
    }

    pub(super) fn add_download(&self, download: Download) {
        self.records().downloads.push(download);
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
        let (told, remote) = (Told { timestamp: 5.0, ..Told::default() }, Remote::default());
        log.response_started(&request(), told, &response, &remote);
        log.request_sent(&request(), told, &remote);
        let requests = log.requests();
        assert_eq!(requests.len(), 1, "{requests:?}");
        assert_eq!((requests[0].timestamp, &requests[0].state), (5.0, &RequestState::Answering { status: 404 }));
        // A redirect is another request with the same id.
        let hop = Told { hop: 1, ..told };
        log.response_completed(&request(), hop, &response, &remote);
        log.response_started(&request(), hop, &response, &remote);
        log.request_sent(&request(), hop, &remote);
        let requests = log.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[1].state, RequestState::Completed { status: 404 }, "the head does not undo the end");
        assert_eq!(
            requests[1].redirected_from().map(|from| &from.state),
            Some(&RequestState::Answering { status: 404 })
        );
    }
}
