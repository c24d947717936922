use std::collections::VecDeque;
use std::error::Error;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use session::Chunk;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::connection::Connection;
use super::sse::EventDecoder;
use super::{refusal, request};
use crate::{LlmError, LlmErrorCode, Request};

/// One attempt: sends the request, then turns what comes back into chunks.
pub(super) struct Call {
    connection: Arc<Connection>,
    cancel: CancellationToken,
    request: Bytes,
    body: Option<Incoming>,
    request_id: Option<String>,
    decoder: EventDecoder,
    answer: Answer,
    /// Chunks that are decoded but not handed out yet.
    ready: VecDeque<Chunk>,
    /// Comes after the chunks that are ready.
    failure: Option<LlmError>,
}

/// A refusal longer than this is not worth showing.
const LONGEST_REFUSAL: usize = 64 * 1024;

impl Call {
    pub(super) fn new(connection: Arc<Connection>, request: &Request, cancel: CancellationToken) -> Self {
        Self {
            connection,
            cancel,
            request: request::body(request).to_string().into(),
            body: None,
            request_id: None,
            decoder: EventDecoder::default(),
            answer: Answer::default(),
            ready: VecDeque::new(),
            failure: None,
        }
    }

    /// The next chunk. Nothing follows a finish chunk or an error.
    pub(super) async fn next(&mut self) -> Result<Chunk, LlmError> {
        // The one way out for errors, so that none can carry the key.
        self.advance().await.map_err(|mut error| {
            let key = &self.connection.api_key;
            error.message = key.scrub(&error.message);
            error.request_id = error.request_id.or_else(|| self.request_id.take()).map(|id| key.scrub(&id));
            error
        })
    }

    async fn advance(&mut self) -> Result<Chunk, LlmError> {
        loop {
            if self.cancel.is_cancelled() {
                return Err(aborted());
            }
            if let Some(chunk) = self.ready.pop_front() {
                return Ok(chunk);
            }
            if let Some(failure) = self.failure.take() {
                return Err(failure);
            }
            let bytes = match &mut self.body {
                None => {
                    self.body = Some(self.open().await?);
                    continue;
                }
                Some(body) => read(&self.connection, &self.cancel, body).await?,
            };
            let Some(bytes) = bytes else {
                return Err(transport("the provider's stream ended before its terminator; try again"));
            };
            self.failure = self.decode(&bytes).err();
        }
    }

    fn decode(&mut self, bytes: &[u8]) -> Result<(), LlmError> {
        let mut events = Vec::new();
        let pushed = self.decoder.push(bytes, &mut events);
        for event in events {
            self.answer.event(&event, &mut self.ready)?;
        }
        pushed.map_err(|error| transport(format!("the provider's stream is not readable: {error}; try again")))
    }

    async fn open(&mut self) -> Result<Incoming, LlmError> {
        let response = self.send().await?;
        self.request_id = refusal::request_id(response.headers());
        let (parts, mut body) = response.into_parts();
        if parts.status != StatusCode::OK {
            let mut text = Vec::new();
            // A refusal whose body breaks off is still that refusal.
            while text.len() < LONGEST_REFUSAL {
                match read(&self.connection, &self.cancel, &mut body).await {
                    Ok(Some(bytes)) => text.extend_from_slice(&bytes),
                    Err(error) if error.code == LlmErrorCode::Aborted => return Err(error),
                    Ok(None) | Err(_) => break,
                }
            }
            return Err(refusal::from_response(parts.status, &parts.headers, &text));
        }
        let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("nothing");
        if !media_type.starts_with("text/event-stream") {
            return Err(transport(format!(
                "the provider answered with {media_type} instead of an event stream; check the base URL"
            )));
        }
        Ok(body)
    }

    async fn send(&self) -> Result<Response<Incoming>, LlmError> {
        let key = self.connection.api_key.expose();
        if key.is_empty() {
            return Err(LlmError::new(LlmErrorCode::Auth, "there is no API key; set one and try again"));
        }
        let mut bearer = HeaderValue::from_str(&format!("Bearer {key}")).map_err(|_| {
            LlmError::new(LlmErrorCode::Auth, "the API key holds characters that no key has; set it again")
        })?;
        bearer.set_sensitive(true);
        let request = hyper::Request::post(self.connection.endpoint.clone())
            .header(AUTHORIZATION, bearer)
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream")
            .body(Full::new(self.request.clone()))
            .map_err(|error| transport(format!("the request cannot be built: {error}; check the base URL")))?;
        wait(&self.connection, &self.cancel, self.connection.client.request(request)).await?.map_err(|error| {
            let endpoint = &self.connection.endpoint;
            transport(format!("cannot reach the provider at {endpoint}: {}; check the network", causes(&error)))
        })
    }
}

/// More bytes of the body; `None` at its end.
async fn read(
    connection: &Connection,
    cancel: &CancellationToken,
    body: &mut Incoming,
) -> Result<Option<Bytes>, LlmError> {
    match wait(connection, cancel, body.frame()).await? {
        None => Ok(None),
        // Trailers carry nothing here.
        Some(Ok(frame)) => Ok(Some(frame.into_data().unwrap_or_default())),
        Some(Err(error)) => {
            Err(transport(format!("the connection to the provider broke: {}; try again", causes(&error))))
        }
    }
}

/// Waits no longer than a byte may take, and not at all once cancelled.
async fn wait<F: Future>(
    connection: &Connection,
    cancel: &CancellationToken,
    future: F,
) -> Result<F::Output, LlmError> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(aborted()),
        output = tokio::time::timeout(connection.idle_timeout, future) => output.map_err(|_| {
            let message = format!("no byte from the provider for {:?}; try again", connection.idle_timeout);
            LlmError::new(LlmErrorCode::Timeout, message)
        }),
    }
}

fn aborted() -> LlmError {
    LlmError::new(LlmErrorCode::Aborted, "the call was cancelled")
}

pub(super) fn transport(message: impl Into<String>) -> LlmError {
    LlmError::new(LlmErrorCode::Transport, message)
}

/// An error with its causes: the outermost alone often says only that something failed.
fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
