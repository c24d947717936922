//! One request a route has caught.

use super::headers::command_header;
use super::{Fulfill, Request, bytes};
use crate::error::{Error, Result};
use bidi::Command;
use bidi::command::network::{ContinueRequest, FailRequest};
use tokio::sync::oneshot;

/// A request that waits for the test's word. Each way to answer takes it, so it is answered once. One that is dropped
/// without an answer goes on to the server, and is a [`Problem`](crate::Problem) of its page.
#[derive(Debug)]
pub struct Route {
    request: Request,
    decision: Option<oneshot::Sender<Decision>>,
    note_routed: Routed,
}

/// What a handler did with a request.
#[derive(Debug)]
pub(super) enum Decision {
    /// It told the browser itself.
    Answered,
    /// Nothing is to be changed, and no other handler asked.
    Continue,
    /// The next one decides.
    Fallback,
}

/// Notes in the page's record that the test gave the answer.
pub(super) type Routed = std::sync::Arc<dyn NoteRouted>;

pub(super) trait NoteRouted: std::fmt::Debug + Send + Sync {
    fn note(&self);
}

/// What to change about a request. The page does not see it.
#[derive(Debug, Clone, Default)]
pub struct RequestChanges {
    url: Option<String>,
    method: Option<String>,
    set: Vec<(String, String)>,
    removed: Vec<String>,
    body: Option<Vec<u8>>,
}

impl RequestChanges {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another address, of the same scheme.
    #[must_use]
    pub fn url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// Another method.
    #[must_use]
    pub fn method(mut self, method: impl Into<String>) -> Self {
        self.method = Some(method.into());
        self
    }

    /// Sets a header, in place of the one with this name.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.set.push((name.into(), value.into()));
        self
    }

    /// Takes a header away.
    #[must_use]
    pub fn without_header(mut self, name: impl Into<String>) -> Self {
        self.removed.push(name.into());
        self
    }

    /// Another body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    fn command(self, request: &Request) -> ContinueRequest {
        let changes_headers = !self.set.is_empty() || !self.removed.is_empty();
        let headers = changes_headers.then(|| {
            let goes = |name: &str| {
                self.removed.iter().chain(self.set.iter().map(|(name, _)| name)).any(|n| n.eq_ignore_ascii_case(name))
            };
            let kept = request.headers().iter().filter(|(name, _)| !goes(name));
            let kept = kept.map(|(name, value)| (name.to_owned(), value.to_owned()));
            kept.chain(self.set.iter().cloned()).map(|header| command_header(&header)).collect()
        });
        ContinueRequest {
            request: request.id.clone(),
            url: self.url,
            method: self.method,
            headers,
            body: self.body.map(|body| bytes::encoded(&body)),
        }
    }
}

impl Route {
    pub(super) fn new(request: Request, decision: oneshot::Sender<Decision>, note_routed: Routed) -> Self {
        Self { request, decision: Some(decision), note_routed }
    }

    /// What the page asks for.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Answers in the server's place.
    ///
    /// # Errors
    /// What the browser refuses about the answer. That the page is gone meanwhile is none.
    pub async fn fulfill(mut self, answer: Fulfill) -> Result<()> {
        self.note_routed.note();
        let command = answer.command(&self.request);
        self.answer(command).await
    }

    /// Lets it fail, as if there were no network. WebDriver BiDi has no choice of reasons.
    ///
    /// # Errors
    /// [`Error::BrowserGone`].
    pub async fn abort(mut self) -> Result<()> {
        self.note_routed.note();
        let command = FailRequest { request: self.request.id.clone() };
        self.answer(command).await
    }

    /// Lets it go to the server as it is; no other handler is asked.
    ///
    /// # Errors
    /// [`Error::BrowserGone`].
    pub async fn continue_request(self) -> Result<()> {
        self.continue_with(RequestChanges::new()).await
    }

    /// Lets it go to the server, changed.
    ///
    /// # Errors
    /// What the browser refuses about the changes. That the page is gone meanwhile is none.
    pub async fn continue_with(mut self, changes: RequestChanges) -> Result<()> {
        let command = changes.command(&self.request);
        self.answer(command).await
    }

    /// Leaves it to the handler that was set up before this one, and to the server when there is none.
    pub fn fallback(mut self) {
        self.decide(Decision::Fallback);
    }

    /// Lets it go on without the test waiting for that.
    pub(crate) fn let_go(mut self) {
        self.decide(Decision::Continue);
    }

    async fn answer<C: Command>(&mut self, command: C) -> Result<()> {
        let link = self.request.exchange.remote.link("answering a request")?;
        let answered = link.call(&command).await;
        // Whatever came of it, the word was given: nobody else must give another.
        self.decide(Decision::Answered);
        match answered {
            Err(Error::Protocol(bidi::Error::Refused { code, message, .. })) if is_gone(&code, &message) => Ok(()),
            other => other.map(|_| ()),
        }
    }

    fn decide(&mut self, decision: Decision) {
        if let Some(sender) = self.decision.take() {
            // Nobody listens once the deadline of the handler has passed.
            let _ = sender.send(decision);
        }
    }
}

/// Whether a refusal means that nobody waits for the request any more: its page navigated or closed.
pub(super) fn is_gone(code: &str, message: &str) -> bool {
    let marks = ["Invalid InterceptionId", "Session with given id not found", "Target closed"];
    code == "no such request" || marks.iter().any(|mark| message.contains(mark))
}
