//! The in-process transport: a client's platform whose calls go straight into a server's router. Real envelopes, real
//! validation, real SSE framing; no sockets.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use client::{ByteStream, Client, ConnectionState, Platform, TransportError};
use futures_util::future::LocalBoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use server::Traffic;
use tokio::sync::Notify;
use tower::ServiceExt;

use crate::host::{SESSION, Scripted};

/// How long anything may take, in paused time.
const DEADLINE: Duration = Duration::from_secs(120);

/// A host, its router, and what ends its streams.
#[derive(Clone)]
pub(crate) struct InProcess {
    pub(crate) host: Scripted,
    pub(crate) traffic: Traffic,
    router: Router,
    /// Streams arrive in pieces of this many bytes.
    piece: usize,
}

impl InProcess {
    pub(crate) fn new(piece: usize) -> Self {
        let (host, traffic) = (Scripted::default(), Traffic::new());
        let router = server::router(Arc::new(host.clone()), &traffic);
        Self { host, traffic, router, piece }
    }

    pub(crate) fn client(&self) -> Watched {
        let client = Client::new(Rc::new(self.clone()));
        let changed = Rc::new(Notify::new());
        let tell = Rc::clone(&changed);
        let subscription = client.subscribe(move |_| tell.notify_waiters());
        Watched { client, changed, _subscription: subscription }
    }

    /// A client that follows the session and has reached the host's tail.
    pub(crate) async fn following(&self) -> Watched {
        let watched = self.client();
        watched.client.start();
        watched.client.select(Some(SESSION));
        watched.reaches(self.host.tail()).await;
        watched
    }
}

impl Platform for InProcess {
    fn unary(&self, path: &str, body: String) -> LocalBoxFuture<'static, Result<(u16, String), TransportError>> {
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/json").body(Body::from(body));
        let (request, router) = (request.expect("a valid request"), self.router.clone());
        let answer = async move {
            let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
            let status = response.status().as_u16();
            let body = to_bytes(response.into_body(), usize::MAX).await.map_err(failed)?;
            Ok((status, String::from_utf8(body.to_vec()).map_err(failed)?))
        };
        answer.boxed_local()
    }

    fn open_stream(&self, path: &str) -> LocalBoxFuture<'static, Result<ByteStream, TransportError>> {
        let request = Request::get(path).body(Body::empty()).expect("a valid request");
        let (router, piece) = (self.router.clone(), self.piece);
        let open = async move {
            let response = router.oneshot(request).await.unwrap_or_else(|never| match never {});
            if response.status() != 200 {
                return Err(TransportError(format!("HTTP {}", response.status().as_u16())));
            }
            let pieces = response.into_body().into_data_stream().flat_map(move |bytes| {
                let pieces = match bytes {
                    Ok(bytes) => bytes.chunks(piece).map(|bytes| Ok(bytes.to_vec())).collect(),
                    Err(error) => vec![Err(failed(error))],
                };
                stream::iter(pieces)
            });
            Ok(pieces.boxed_local())
        };
        open.boxed_local()
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        tokio::task::spawn_local(task);
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        tokio::time::sleep(duration).boxed_local()
    }

    fn frame(&self) -> LocalBoxFuture<'static, ()> {
        self.sleep(Duration::from_millis(16))
    }

    fn random(&self) -> f64 {
        0.5
    }

    fn now(&self) -> i64 {
        0
    }
}

fn failed(error: impl std::fmt::Display) -> TransportError {
    TransportError(error.to_string())
}

/// A client whose changes can be waited for.
pub(crate) struct Watched {
    pub(crate) client: Client,
    changed: Rc<Notify>,
    _subscription: client::Subscription,
}

impl Watched {
    /// Waits until something holds; on the deadline says what was waited for and what was there.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Client) -> bool) {
        let wait = async {
            loop {
                let changed = self.changed.notified();
                if holds(&self.client) {
                    return;
                }
                changed.await;
            }
        };
        if tokio::time::timeout(DEADLINE, wait).await.is_err() {
            let phase = self.client.session(SESSION).map(|view| view.phase.clone());
            panic!("waited {DEADLINE:?} for: {what}; session: {phase:?}; {:#?}", self.client.diagnostics());
        }
    }

    pub(crate) async fn reaches(&self, seq: i64) {
        let reached = |client: &Client| client.session(SESSION).is_some_and(|view| view.applied_seq == seq);
        self.until(&format!("event {seq} applied"), reached).await;
    }

    pub(crate) async fn is_connected(&self) {
        self.until("a connection", |client| client.connection() == ConnectionState::Connected).await;
    }
}
