//! A platform whose calls, streams and frames the test answers one by one, in paused time.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use futures_channel::{mpsc, oneshot};
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use serde::Serialize;
use serde_json::json;
use wire::{ClientRequest, EnvelopeKind, HOST_STREAM_PATH, HostFrame, MUX_STREAM_PATH, MuxFrame, RpcResult};

use crate::{ByteStream, Client, ConnectionState, Platform, TransportError};

type Answer = Result<(u16, String), TransportError>;
type Bytes = Result<Vec<u8>, TransportError>;

/// A call that waits for the test's answer.
pub(crate) struct Call {
    pub(crate) request: ClientRequest,
    answer: oneshot::Sender<Answer>,
}

impl Call {
    pub(crate) fn value(self, value: impl Serialize) {
        let result = RpcResult::Ok(serde_json::to_value(value).unwrap());
        self.result(&result);
    }

    pub(crate) fn refuse(self, error: wire::RpcError) {
        self.result(&RpcResult::Err(error));
    }

    pub(crate) fn raw(self, answer: Answer) {
        self.answer.send(answer).ok();
    }

    fn result(self, result: &RpcResult) {
        let answer = wire::ServerResponse {
            kind: EnvelopeKind::ServerResponse,
            rpc_id: self.request.rpc_id.clone(),
            result: result.clone(),
        };
        self.raw(Ok((200, serde_json::to_string(&answer).unwrap())));
    }
}

/// The platform. Streams open at once unless told otherwise; calls and frames wait for the test.
#[derive(Clone, Default)]
pub(crate) struct Fake {
    calls: Rc<RefCell<VecDeque<Call>>>,
    streams: Rc<RefCell<HashMap<String, mpsc::UnboundedSender<Bytes>>>>,
    pub(crate) opened: Rc<Cell<usize>>,
    /// What opening a stream gives, in order, before it works again. `None` never resolves.
    pub(crate) openings: Rc<RefCell<VecDeque<Option<TransportError>>>>,
    frames: Rc<RefCell<Vec<oneshot::Sender<()>>>>,
    pub(crate) chance: Rc<Cell<f64>>,
    arrived: Rc<tokio::sync::Notify>,
}

impl Platform for Fake {
    fn unary(&self, path: &str, body: String) -> LocalBoxFuture<'static, Answer> {
        let request: ClientRequest = serde_json::from_str(&body).expect("the client sends envelopes");
        assert_eq!(path, format!("/api/{}", request.method), "the path names the method");
        let (answer, answered) = oneshot::channel();
        self.calls.borrow_mut().push_back(Call { request, answer });
        self.arrived.notify_one();
        let dropped = || Err(TransportError("the test dropped the call".to_owned()));
        answered.map(move |answer| answer.unwrap_or_else(|_| dropped())).boxed_local()
    }

    fn open_stream(&self, path: &str) -> LocalBoxFuture<'static, Result<ByteStream, TransportError>> {
        self.opened.set(self.opened.get() + 1);
        match self.openings.borrow_mut().pop_front() {
            Some(Some(error)) => return std::future::ready(Err(error)).boxed_local(),
            Some(None) => return std::future::pending().boxed_local(),
            None => {}
        }
        let (sender, bytes) = mpsc::unbounded();
        self.streams.borrow_mut().insert(path.to_owned(), sender);
        std::future::ready(Ok(Box::pin(bytes) as ByteStream)).boxed_local()
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        tokio::task::spawn_local(task);
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        tokio::time::sleep(duration).boxed_local()
    }

    fn frame(&self) -> LocalBoxFuture<'static, ()> {
        let (tick, ticked) = oneshot::channel();
        self.frames.borrow_mut().push(tick);
        ticked.map(drop).boxed_local()
    }

    fn random(&self) -> f64 {
        self.chance.get()
    }

    fn now(&self) -> i64 {
        7
    }
}

impl Fake {
    pub(crate) fn client(&self) -> Client {
        Client::new(Rc::new(self.clone()))
    }

    /// A client that is connected to a host with nothing in it.
    pub(crate) async fn connected(&self) -> Client {
        let client = self.client();
        client.start();
        self.shake_hands(json!({"items": []}), json!({"items": []})).await;
        assert_eq!(client.connection(), ConnectionState::Connected);
        client
    }

    /// Answers the calls of a handshake.
    pub(crate) async fn shake_hands(&self, sessions: serde_json::Value, workspaces: serde_json::Value) {
        settle().await;
        self.take("host.describe").value(json!({"version": "1", "provider": null, "model": null, "home": null}));
        settle().await;
        self.take("session.list").value(sessions);
        self.take("workspace.list").value(workspaces);
        settle().await;
    }

    /// The oldest call of a method that has no answer yet.
    pub(crate) fn take(&self, method: &str) -> Call {
        let mut calls = self.calls.borrow_mut();
        let waiting: Vec<_> = calls.iter().map(|call| call.request.method.clone()).collect();
        let at = waiting.iter().position(|name| name == method);
        let at = at.unwrap_or_else(|| panic!("no call of {method} waits; these do: {waiting:?}"));
        calls.remove(at).unwrap()
    }

    /// Methods of the calls that have no answer yet.
    pub(crate) fn waiting(&self) -> Vec<String> {
        self.calls.borrow().iter().map(|call| call.request.method.clone()).collect()
    }

    /// Lets time pass until a method is called, a minute at most. How long that took.
    pub(crate) async fn next(&self, method: &str) -> Duration {
        let from = tokio::time::Instant::now();
        let called = async {
            while !self.waiting().iter().any(|name| name == method) {
                self.arrived.notified().await;
            }
        };
        let called = tokio::time::timeout(Duration::from_secs(60), called).await;
        called.unwrap_or_else(|_| panic!("no call of {method} within a minute; these wait: {:?}", self.waiting()));
        from.elapsed()
    }

    pub(crate) fn mux(&self, frame: MuxFrame) {
        self.send(MUX_STREAM_PATH, &frame.into_envelope());
    }

    pub(crate) fn host(&self, frame: HostFrame) {
        self.send(HOST_STREAM_PATH, &frame.into_envelope());
    }

    /// Raw bytes into a stream.
    pub(crate) fn bytes(&self, path: &str, bytes: Bytes) {
        self.streams.borrow()[path].unbounded_send(bytes).expect("the client reads the stream");
    }

    /// Ends a stream.
    pub(crate) fn end(&self, path: &str) {
        self.streams.borrow_mut().remove(path);
    }

    /// Whether the client still reads a stream.
    pub(crate) fn reads(&self, path: &str) -> bool {
        self.streams.borrow().get(path).is_some_and(|stream| !stream.is_closed())
    }

    /// Lets the animation frame come.
    pub(crate) async fn tick(&self) {
        for frame in self.frames.take() {
            frame.send(()).ok();
        }
        settle().await;
    }

    /// Frames asked for since the last one.
    pub(crate) fn asked_frames(&self) -> usize {
        self.frames.borrow().len()
    }

    fn send(&self, path: &str, envelope: &wire::ServerRequest) {
        let text = serde_json::to_string(envelope).unwrap();
        self.bytes(path, Ok(format!("data: {text}\n\n").into_bytes()));
    }
}

/// Runs a test on one thread, in paused time.
pub(crate) fn run(test: impl Future<Output = ()> + 'static) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, test);
}

/// Lets every task go as far as it can without an answer or the passing of time.
pub(crate) async fn settle() {
    for _ in 0..64 {
        tokio::task::yield_now().await;
    }
}
