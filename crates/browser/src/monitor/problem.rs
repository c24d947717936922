//! What a test should not have to look for: things that went wrong in a page.

use super::{ConsoleEntry, Location};
use crate::network::{Request, RequestState};
use std::fmt;

/// Something that went wrong in a page.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// What kind.
    pub kind: ProblemKind,
    /// The message; for requests the method and what happened.
    pub text: String,
    /// The script it comes from, or the request's address.
    pub url: String,
    /// Where, innermost first; may be empty.
    pub stack: Vec<Location>,
}

/// Kinds of problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
pub enum ProblemKind {
    /// An exception nobody caught.
    PageError,
    /// A promise rejection nobody handled.
    UnhandledRejection,
    /// `console.error`, or a failed `console.assert`.
    ConsoleError,
    /// A request that failed below HTTP: refused, reset, blocked.
    RequestFailed,
    /// An answer with status 400 or above.
    HttpError,
    /// The page's process died.
    Crash,
    /// A route of the test gave no answer, or failed.
    Route,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            ProblemKind::PageError => "page error",
            ProblemKind::UnhandledRejection => "unhandled rejection",
            ProblemKind::ConsoleError => "console error",
            ProblemKind::RequestFailed => "failed request",
            ProblemKind::HttpError => "HTTP error",
            ProblemKind::Crash => "crash",
            ProblemKind::Route => "route",
        };
        write!(f, "{kind}: {}", self.text)?;
        match self.stack.first() {
            Some(location) => write!(f, " at {location}"),
            None if self.url.is_empty() => Ok(()),
            None => write!(f, " at {}", self.url),
        }
    }
}

/// The problems among a page's records, in the order they happened.
pub(super) fn among(console: &[ConsoleEntry], requests: &[Request], noted: &[(u64, Problem)]) -> Vec<Problem> {
    let entries = console.iter().filter_map(|entry| Some((entry.order, of_entry(entry)?)));
    let requests = requests.iter().filter_map(|request| Some((request.order, of_request(request)?)));
    let mut problems: Vec<(u64, Problem)> = entries.chain(requests).chain(noted.iter().cloned()).collect();
    problems.sort_by_key(|(order, _)| *order);
    problems.into_iter().map(|(_, problem)| problem).collect()
}

fn of_entry(entry: &ConsoleEntry) -> Option<Problem> {
    let kind = match entry.kind.as_str() {
        _ if entry.level != "error" => return None,
        "javascript" if entry.rejection => ProblemKind::UnhandledRejection,
        "javascript" => ProblemKind::PageError,
        _ => ProblemKind::ConsoleError,
    };
    Some(Problem {
        kind,
        text: entry.text.clone(),
        url: entry.stack.first().map(|location| location.url.clone()).unwrap_or_default(),
        stack: entry.stack.clone(),
    })
}

fn of_request(request: &Request) -> Option<Problem> {
    // What the test answered itself is no news to it.
    if request.routed {
        return None;
    }
    // A bad status stays one when the page did not wait for the rest.
    let status = request.response().map(|response| response.status());
    let (kind, text) = match &request.state {
        RequestState::Aborted if status.is_some_and(|status| status >= 400) => {
            (ProblemKind::HttpError, format!("{} answered {}", request.method, status.unwrap_or_default()))
        }
        RequestState::Answering { status } | RequestState::Completed { status } if *status >= 400 => {
            (ProblemKind::HttpError, format!("{} answered {status}", request.method))
        }
        RequestState::Failed { reason } => (ProblemKind::RequestFailed, format!("{} failed: {reason}", request.method)),
        RequestState::Answering { .. }
        | RequestState::Completed { .. }
        | RequestState::Aborted
        | RequestState::Pending => return None,
    };
    Some(Problem { kind, text, url: request.url.clone(), stack: Vec::new() })
}
