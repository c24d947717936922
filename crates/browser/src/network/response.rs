//! Responses as the browser tells of them.

use super::{Headers, Request, RequestState};
use crate::error::Result;
use bidi::command::network::DataType;
use bidi::event::network::{ResponseData, Timings};
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;

/// An answer to a request. Its body may still be on the way. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Response {
    pub(super) request: Request,
    pub(super) head: Arc<Head>,
}

/// What comes before the body.
#[derive(Debug)]
pub(crate) struct Head {
    url: String,
    status: u16,
    status_text: String,
    mime_type: String,
    protocol: String,
    from_cache: bool,
    headers: Headers,
    timings: Timings,
}

impl Head {
    pub(crate) fn new(data: &ResponseData, timings: Timings) -> Self {
        Self {
            url: data.url.clone(),
            status: data.status,
            status_text: data.status_text.clone(),
            mime_type: data.mime_type.clone(),
            protocol: data.protocol.clone(),
            from_cache: data.from_cache,
            headers: Headers::of(&data.headers),
            timings,
        }
    }
}

/// When the parts of an exchange happened, counted from its start. `None`: not told, or it took no part (a connection
/// that was open already).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timing {
    /// Milliseconds since the epoch.
    pub start: f64,
    /// The name has been resolved.
    pub dns_end: Option<Duration>,
    /// The connection is there, TLS included.
    pub connect_end: Option<Duration>,
    /// The first byte goes out.
    pub request_start: Option<Duration>,
    /// The first byte of the answer comes in.
    pub response_start: Option<Duration>,
    /// The answer has come in; as far as Chromium tells, that is its head.
    pub response_end: Option<Duration>,
}

impl Response {
    /// Address the answer came from.
    pub fn url(&self) -> &str {
        &self.head.url
    }

    /// HTTP status.
    pub fn status(&self) -> u16 {
        self.head.status
    }

    /// HTTP reason phrase; empty with HTTP/2.
    pub fn status_text(&self) -> &str {
        &self.head.status_text
    }

    /// Whether the status is from 200 to 299.
    pub fn is_ok(&self) -> bool {
        (200..300).contains(&self.head.status)
    }

    /// The headers.
    pub fn headers(&self) -> &Headers {
        &self.head.headers
    }

    /// The value of the first header with this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.headers.get(name)
    }

    /// MIME type without parameters.
    pub fn mime_type(&self) -> &str {
        &self.head.mime_type
    }

    /// For example `http/1.1` or `h2`.
    pub fn protocol(&self) -> &str {
        &self.head.protocol
    }

    /// Whether the browser's cache gave it.
    pub fn from_cache(&self) -> bool {
        self.head.from_cache
    }

    /// What was asked, as far as that had come when this response was told of.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// When the parts happened.
    pub fn timing(&self) -> Timing {
        let Timings { time_origin, dns_end, connect_end, request_start, response_start, response_end, .. } =
            self.head.timings;
        let after = |at: f64| (at > 0.0).then(|| Duration::from_secs_f64(at / 1000.0));
        Timing {
            start: time_origin,
            dns_end: after(dns_end),
            connect_end: after(connect_end),
            request_start: after(request_start),
            response_start: after(response_start),
            response_end: after(response_end),
        }
    }

    /// Waits until the body has come to its end.
    ///
    /// # Errors
    /// As for [`Request::finished`].
    pub async fn finished(&self) -> Result<()> {
        self.request.finished().await
    }

    /// The body, decompressed, once it has come to its end.
    ///
    /// # Errors
    /// [`Error::Body`](crate::Error::Body) when it does not end within the action deadline (an event stream), the
    /// request failed, it is a redirect, it has more than 64 MB, or its page is closed.
    pub async fn body(&self) -> Result<Vec<u8>> {
        if (300..400).contains(&self.status()) && self.header("location").is_some() {
            return Err(self.request.no_body(format!("it is a redirect ({}), which has none", self.status())));
        }
        self.finished().await?;
        self.request.data(DataType::Response).await
    }

    /// The body as text; bytes that are no UTF-8 become `U+FFFD`.
    ///
    /// # Errors
    /// As for [`body`](Self::body).
    pub async fn text(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.body().await?).into_owned())
    }

    /// The body read as JSON.
    ///
    /// # Errors
    /// As for [`body`](Self::body), or when it is no JSON of this shape.
    pub async fn json<T: DeserializeOwned>(&self) -> Result<T> {
        let body = self.body().await?;
        serde_json::from_slice(&body).map_err(|error| {
            let start: String = String::from_utf8_lossy(&body).chars().take(200).collect();
            self.request.no_body(format!("it is not of the type asked for: {error}; it begins with {start:?}"))
        })
    }
}

/// One line: `GET http://… answered 200`.
impl std::fmt::Display for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} answered {}", self.request.method, self.url(), self.status())
    }
}

/// One line: `GET http://…`, and what became of it.
impl std::fmt::Display for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.method, self.url)?;
        match &self.state {
            RequestState::Pending => Ok(()),
            RequestState::Answering { status } | RequestState::Completed { status } => write!(f, " answered {status}"),
            RequestState::Aborted => f.write_str(" was given up"),
            RequestState::Failed { reason } => write!(f, " failed: {reason}"),
        }
    }
}
