//! Requests as the browser tells of them.

use super::{Head, Headers, Response, bytes};
use crate::error::{Error, Result};
use crate::link::Link;
use crate::monitor::Location;
use bidi::command::network::{DataType, GetData};
use bidi::event::network::{Initiator, RequestData};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;

/// A request of a page, as far as it had come when it was asked for. Cheap to clone.
#[derive(Debug, Clone, serde::Serialize)]
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
    pub(crate) id: String,
    #[serde(skip)]
    pub(crate) order: u64,
    /// How many redirects led here: each hop is a request of its own with the same id.
    #[serde(skip)]
    pub(crate) hop: u64,
    /// Whether a route of the test gave the answer.
    #[serde(skip)]
    pub(crate) routed: bool,
    #[serde(skip)]
    headers: Headers,
    #[serde(skip)]
    pub(crate) response: Option<Arc<Head>>,
    #[serde(skip)]
    pub(crate) redirected_from: Option<Arc<Request>>,
    #[serde(skip)]
    pub(crate) exchange: Arc<Exchange>,
}

/// The same request in the same state.
impl PartialEq for Request {
    fn eq(&self, other: &Self) -> bool {
        (&self.id, self.hop, &self.state, &self.url) == (&other.id, other.hop, &other.state, &other.url)
    }
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
    /// Given up by the page itself (it navigated, closed or cancelled), or by a route of the test.
    Aborted,
    /// Failed below HTTP.
    Failed {
        /// For example `net::ERR_CONNECTION_REFUSED`.
        reason: String,
    },
}

/// The way back to the browser. Weak: what a test keeps of a page must not keep the browser.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remote {
    pub(crate) link: Weak<Link>,
    pub(crate) deadline: Duration,
}

impl Remote {
    pub(crate) fn link(&self, what: &str) -> Result<Arc<Link>> {
        let gone = || Error::BrowserGone { what: format!("{what}: the browser was dropped"), log: Vec::new() };
        self.link.upgrade().ok_or_else(gone)
    }
}

/// What does not change about a request, and its end.
#[derive(Debug, Default)]
pub(crate) struct Exchange {
    resource_type: String,
    post_data: Option<String>,
    body_size: u64,
    frame: Option<String>,
    pub(crate) navigation: Option<String>,
    initiator: Vec<Location>,
    pub(crate) remote: Remote,
    /// Shared with what was given out before all of this was known.
    pub(crate) finish: Arc<watch::Sender<Finish>>,
}

/// How a request ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Finish {
    /// It has not.
    #[default]
    Open,
    /// Well.
    Done,
    /// For the reason given.
    Failed(String),
}

impl Request {
    /// The record of a request that has just been told of.
    pub(crate) fn new(data: &RequestData, told: Told<'_>, remote: &Remote) -> Self {
        let chrome = data.goog_resource_type.as_deref().map(str::to_ascii_lowercase);
        let standard = || [&data.destination, &data.initiator_type].into_iter().flatten().find(|word| !word.is_empty());
        let exchange = Exchange {
            resource_type: chrome.or_else(|| standard().cloned()).unwrap_or_else(|| "other".to_owned()),
            post_data: data.goog_post_data.clone(),
            body_size: data.body_size.unwrap_or_default(),
            frame: told.frame.map(str::to_owned),
            navigation: told.navigation.map(str::to_owned),
            initiator: told
                .initiator
                .and_then(|initiator| initiator.stack_trace.as_ref())
                .map(crate::monitor::locations)
                .unwrap_or_default(),
            remote: remote.clone(),
            finish: Arc::default(),
        };
        Self {
            method: data.method.clone(),
            url: data.url.clone(),
            state: RequestState::Pending,
            timestamp: told.timestamp,
            id: data.request.clone(),
            order: 0,
            hop: told.hop,
            routed: false,
            headers: Headers::of(&data.headers),
            response: None,
            redirected_from: None,
            exchange: Arc::new(exchange),
        }
    }

    /// Its start, told after its answer: all that is known of the answer stays.
    pub(crate) fn started(self, mut start: Self) -> Self {
        if let Some(exchange) = Arc::get_mut(&mut start.exchange) {
            exchange.finish = self.exchange.finish.clone();
        }
        start.learn_headers(self.headers);
        Self {
            state: self.state,
            order: self.order,
            routed: self.routed,
            response: self.response,
            redirected_from: self.redirected_from,
            ..start
        }
    }

    /// Headers get complete only when the network stack has sent them.
    pub(crate) fn learn(&mut self, data: &RequestData) {
        self.learn_headers(Headers::of(&data.headers));
    }

    fn learn_headers(&mut self, headers: Headers) {
        if headers.iter().count() >= self.headers.iter().count() {
            self.headers = headers;
        }
    }

    /// Whether it has not ended yet.
    pub fn is_pending(&self) -> bool {
        matches!(self.state, RequestState::Pending | RequestState::Answering { .. })
    }

    /// The headers known so far; those the network stack adds (cookies, host) are there once the request has gone out.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// What it is for, in lower case: `document`, `stylesheet`, `script`, `image`, `font`, `fetch`, `xhr`,
    /// `eventsource`, `ping`, `other` …
    pub fn resource_type(&self) -> &str {
        &self.exchange.resource_type
    }

    /// Whether it loads a document.
    pub fn is_navigation(&self) -> bool {
        self.exchange.navigation.is_some()
    }

    /// Whether it belongs to the navigation of this id.
    pub(crate) fn is_of(&self, navigation: &str) -> bool {
        self.exchange.navigation.as_deref() == Some(navigation)
    }

    /// Browsing context id of the document it belongs to; `None` for workers.
    pub fn frame(&self) -> Option<&str> {
        self.exchange.frame.as_deref()
    }

    /// The calls that started it, innermost first; empty when no script did.
    pub fn initiator(&self) -> &[Location] {
        &self.exchange.initiator
    }

    /// Bytes of its body.
    pub fn body_size(&self) -> u64 {
        self.exchange.body_size
    }

    /// Its body when that is text and came with the news; [`post_body`](Self::post_body) always has it.
    pub fn post_data(&self) -> Option<&str> {
        self.exchange.post_data.as_deref()
    }

    /// Its body; empty when it has none. Files are given as the text the browser makes of them.
    ///
    /// # Errors
    /// [`Error::Body`] when the browser has it no more: its page is closed.
    pub async fn post_body(&self) -> Result<Vec<u8>> {
        match self.post_data() {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None if self.body_size() == 0 => Ok(Vec::new()),
            None => self.data(DataType::Request).await,
        }
    }

    /// The answer, when its head has come.
    pub fn response(&self) -> Option<Response> {
        Some(Response { head: self.response.clone()?, request: self.clone() })
    }

    /// The request whose answer redirected to this one.
    pub fn redirected_from(&self) -> Option<&Request> {
        self.redirected_from.as_deref()
    }

    /// Whether a route of the test answered or aborted it.
    pub fn is_routed(&self) -> bool {
        self.routed
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// [`Error::Body`] when it failed, or has not ended within the action deadline.
    pub async fn finished(&self) -> Result<()> {
        let mut finish = self.exchange.finish.subscribe();
        let ended = finish.wait_for(|finish| *finish != Finish::Open);
        match tokio::time::timeout(self.exchange.remote.deadline, ended).await {
            Ok(Ok(finish)) => match &*finish {
                Finish::Failed(reason) => Err(self.no_body(format!("the request failed: {reason}"))),
                Finish::Open | Finish::Done => Ok(()),
            },
            Ok(Err(_)) | Err(_) => {
                let deadline = self.exchange.remote.deadline;
                Err(self.no_body(format!("the answer has not ended within {deadline:?}")))
            }
        }
    }

    pub(super) async fn data(&self, data_type: DataType) -> Result<Vec<u8>> {
        let link = self.exchange.remote.link("reading a body")?;
        let data = link.call(&GetData { data_type, request: self.id.clone() }).await;
        match data {
            Ok(data) => Ok(bytes::decoded(&data.bytes)),
            Err(Error::Protocol(bidi::Error::Refused { message, .. })) => Err(self.no_body(message)),
            Err(other) => Err(other),
        }
    }

    pub(super) fn no_body(&self, reason: String) -> Error {
        Error::Body { method: self.method.clone(), url: self.url.clone(), reason }
    }

    #[cfg(test)]
    pub(crate) fn for_test(method: &str, url: &str) -> Self {
        let data = RequestData { method: method.to_owned(), url: url.to_owned(), ..RequestData::default() };
        Self::new(&data, Told::default(), &Remote::default())
    }
}

/// What an event tells of a request besides the request.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Told<'a> {
    pub(crate) timestamp: f64,
    pub(crate) frame: Option<&'a str>,
    pub(crate) hop: u64,
    pub(crate) navigation: Option<&'a str>,
    pub(crate) initiator: Option<&'a Initiator>,
}
