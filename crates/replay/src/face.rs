//! A provider over HTTP that answers from a script: `POST /chat/completions` in the shape of the DeepSeek API.
//!
//! It stands in for the real provider where the whole path counts: adapter tests, a program in another process. Answers
//! are given in order, whoever calls. Beside recorded answers it gives the ones no log holds: refusals, streams cut
//! anywhere, broken off or left hanging.

mod completion;

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::post;
use axum::serve::ListenerExt as _;
use bytes::Bytes;
use futures_util::stream;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::{Entry, ReplayError, Script};

/// One answer of the face.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers, `content-type` included.
    pub headers: Vec<(String, String)>,
    /// The body, written piece by piece.
    pub pieces: Vec<Bytes>,
    /// What follows the last piece.
    pub ending: Ending,
}

/// What follows the last piece of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The body ends as HTTP says.
    Close,
    /// The connection breaks off.
    Break,
    /// Nothing more comes, and the connection stays open until the client leaves.
    Hang,
}

impl Answer {
    /// An event stream of these pieces.
    pub fn stream<P: Into<Bytes>>(pieces: impl IntoIterator<Item = P>, ending: Ending) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
            pieces: pieces.into_iter().map(Into::into).collect(),
            ending,
        }
    }

    /// A refusal with a JSON body in the provider's shape.
    pub fn refusal(status: u16, message: &str) -> Self {
        let body = json!({"error": {"message": message, "type": "invalid_request_error", "param": null, "code": null}});
        Self {
            status,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            pieces: vec![body.to_string().into()],
            ending: Ending::Close,
        }
    }

    /// The same with one more header.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// The answers of a script: one event stream a call, one piece an event.
pub fn answers(script: &Script) -> Result<Vec<Answer>, ReplayError> {
    let answer = |(at, Entry::Chunks(chunks)): (usize, &Entry)| {
        completion::events(chunks)
            .map(|events| Answer::stream(events, Ending::Close))
            .map_err(|detail| ReplayError::NotExpressible { origin: script.origin.clone(), call: at + 1, detail })
    };
    script.calls.iter().enumerate().map(answer).collect()
}

/// A request that reached the face.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceRequest {
    /// Headers by lower-case name; of a repeated one the last.
    pub headers: BTreeMap<String, String>,
    /// The JSON body; a string when it was not JSON.
    pub body: Value,
}

/// A running face. Dropping it stops it.
pub struct Face {
    address: SocketAddr,
    shared: Arc<Shared>,
    _stop: DropGuard,
}

struct Shared {
    origin: String,
    total: usize,
    state: Mutex<Progress>,
    hangups: watch::Sender<usize>,
    stop: CancellationToken,
}

struct Progress {
    left: VecDeque<Answer>,
    requests: Vec<FaceRequest>,
    refused: Vec<ReplayError>,
}

impl Shared {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves `answers` in order. `origin` names where they come from in errors.
pub fn serve(listener: TcpListener, origin: &str, answers: Vec<Answer>) -> io::Result<Face> {
    let address = listener.local_addr()?;
    let stop = CancellationToken::new();
    let shared = Arc::new(Shared {
        origin: origin.to_owned(),
        total: answers.len(),
        state: Mutex::new(Progress { left: answers.into(), requests: Vec::new(), refused: Vec::new() }),
        hangups: watch::Sender::new(0),
        stop: stop.clone(),
    });
    let router = Router::new().route("/chat/completions", post(complete)).with_state(Arc::clone(&shared));
    // Pieces must leave one by one: that is what the answers are cut for.
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let stopped = stop.clone();
    tokio::spawn(async move {
        tokio::select! {
            () = stopped.cancelled() => {}
            // axum's accept loop does not end by itself.
            _ = std::future::IntoFuture::into_future(axum::serve(listener, router)) => {}
        }
    });
    Ok(Face { address, shared, _stop: stop.drop_guard() })
}

impl Face {
    /// What to set as the provider's base URL.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests in the order they came.
    pub fn requests(&self) -> Vec<FaceRequest> {
        self.shared.progress().requests.clone()
    }

    /// Resolves when `count` answers were left by their client before they were written to the end.
    pub async fn hung_up(&self, count: usize) {
        let mut hangups = self.shared.hangups.subscribe();
        // The sender lives in `self`, so the wait cannot fail.
        let _ = hangups.wait_for(|seen| *seen >= count).await;
    }

    /// Passes when every answer was asked for and none was missing.
    pub fn assert_consumed(&self) -> Result<(), ReplayError> {
        let progress = self.shared.progress();
        let mut faults = progress.refused.clone();
        if !progress.left.is_empty() {
            faults.push(ReplayError::NotConsumed {
                session: CLIENT.to_owned(),
                origin: self.shared.origin.clone(),
                made: self.shared.total - progress.left.len(),
                has: self.shared.total,
            });
        }
        match faults.len() {
            0 => Ok(()),
            1 => Err(faults.remove(0)),
            _ => Err(ReplayError::Several(faults)),
        }
    }
}

/// Chat completions carry no session; errors name the caller so.
const CLIENT: &str = "(over HTTP)";

async fn complete(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let headers =
        headers.iter().map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    let body = serde_json::from_slice(&body).unwrap_or_else(|_| String::from_utf8_lossy(&body).into());
    let answer = {
        let mut progress = shared.progress();
        progress.requests.push(FaceRequest { headers: headers.collect(), body });
        progress.left.pop_front().unwrap_or_else(|| {
            let error = ReplayError::Exhausted {
                session: CLIENT.to_owned(),
                origin: shared.origin.clone(),
                asked: shared.total + 1,
                has: shared.total,
            };
            let answer = Answer::refusal(400, &error.to_string());
            progress.refused.push(error);
            answer
        })
    };
    write(answer, shared)
}

/// Counts a hang-up unless the answer was written to its end.
struct Watched {
    shared: Arc<Shared>,
    complete: bool,
}

impl Watched {
    fn completed(&mut self) {
        self.complete = true;
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if !self.complete {
            self.shared.hangups.send_modify(|seen| *seen += 1);
        }
    }
}

fn write(answer: Answer, shared: Arc<Shared>) -> Response {
    let Answer { status, headers, pieces, ending } = answer;
    let watched = Watched { shared, complete: false };
    let body = stream::unfold((pieces.into_iter(), watched), move |(mut pieces, mut watched)| async move {
        // The server writes out what it has whenever the body pauses; without a pause the pieces would leave together,
        // or not at all before a break.
        tokio::task::yield_now().await;
        if let Some(piece) = pieces.next() {
            return Some((Ok(piece), (pieces, watched)));
        }
        match ending {
            Ending::Close => {
                watched.completed();
                None
            }
            Ending::Break => {
                watched.completed();
                Some((Err(io::Error::from(io::ErrorKind::ConnectionAborted)), (pieces, watched)))
            }
            Ending::Hang => {
                watched.shared.stop.clone().cancelled().await;
                None
            }
        }
    });
    let mut response = Response::builder().status(StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY));
    for (name, value) in headers {
        response = response.header(name, value);
    }
    let bad = |error: axum::http::Error| {
        let mut response = Response::new(Body::from(format!("the scripted answer has a bad header: {error}")));
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        Ok::<_, Infallible>(response)
    };
    response.body(Body::from_stream(body)).or_else(bad).unwrap_or_else(|never| match never {})
}
