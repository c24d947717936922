use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use tokio::sync::{mpsc, watch};
use wire::{
    Accepted, Api, CancelPayload, CreatePayload, HistoryPage, HistoryPayload, HostDescription, HostFrame, MuxFrame,
    PromptPayload, RpcError, SessionCreated, SessionPage, WorkspacePage,
};

/// Cancelling this session panics.
pub(crate) const PANICS: &str = "panics";
/// Cancelling this session is answered when the test says so.
pub(crate) const HELD: &str = "held";

/// A scripted host: answers are fixed, frames come when the test emits them, and every open stream is counted.
pub(crate) struct TestApi {
    mux: Mutex<Vec<mpsc::UnboundedSender<MuxFrame>>>,
    open: watch::Sender<usize>,
    taken: Arc<AtomicUsize>,
    prompts: Mutex<Vec<String>>,
    /// How often a held call came in.
    pub(crate) held: watch::Sender<usize>,
    /// How often a held call was answered.
    pub(crate) answered: watch::Sender<usize>,
    release: watch::Sender<bool>,
}

impl Default for TestApi {
    fn default() -> Self {
        Self {
            mux: Mutex::default(),
            open: watch::Sender::new(0),
            taken: Arc::default(),
            prompts: Mutex::default(),
            held: watch::Sender::new(0),
            answered: watch::Sender::new(0),
            release: watch::Sender::new(false),
        }
    }
}

struct Open(watch::Sender<usize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

impl TestApi {
    pub(crate) fn emit(&self, frame: &MuxFrame) {
        self.mux.lock().unwrap().retain(|sender| sender.send(frame.clone()).is_ok());
    }

    /// The host ends its streams.
    pub(crate) fn end(&self) {
        self.mux.lock().unwrap().clear();
    }

    pub(crate) async fn until_open_streams(&self, count: usize) {
        let mut open = self.open.subscribe();
        super::soon(&format!("{count} open streams"), open.wait_for(|open| *open == count)).await.unwrap();
    }

    pub(crate) async fn until_held(&self, count: usize) {
        super::soon("a held call", self.held.subscribe().wait_for(|held| *held == count)).await.unwrap();
    }

    pub(crate) async fn until_answered(&self, count: usize) {
        let mut answered = self.answered.subscribe();
        super::soon("the answer of a held call", answered.wait_for(|answered| *answered == count)).await.unwrap();
    }

    pub(crate) fn release(&self) {
        self.release.send_replace(true);
    }

    /// How many frames were taken out of all streams of sessions.
    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Request ids of the prompts.
    pub(crate) fn prompts(&self) -> Vec<String> {
        self.prompts.lock().unwrap().clone()
    }

    fn guard(&self) -> Open {
        self.open.send_modify(|count| *count += 1);
        Open(self.open.clone())
    }
}

#[async_trait]
impl Api for TestApi {
    async fn host_describe(&self) -> Result<HostDescription, RpcError> {
        Ok(HostDescription { version: "0.0.0-test".to_owned(), provider: None, model: None, home: None })
    }

    async fn session_list(&self) -> Result<SessionPage, RpcError> {
        Ok(SessionPage { items: Vec::new() })
    }

    async fn session_create(&self, payload: CreatePayload) -> Result<SessionCreated, RpcError> {
        Ok(SessionCreated { session_id: payload.session_id.unwrap_or("minted".to_owned()) })
    }

    async fn session_history(&self, payload: HistoryPayload) -> Result<HistoryPage, RpcError> {
        Err(RpcError::session_not_found(&payload.session_id))
    }

    async fn session_prompt(&self, rpc_id: &str, _: PromptPayload) -> Result<Accepted, RpcError> {
        self.prompts.lock().unwrap().push(rpc_id.to_owned());
        Ok(Accepted { accepted: true })
    }

    async fn session_cancel(&self, payload: CancelPayload) -> Result<Accepted, RpcError> {
        match payload.session_id.as_str() {
            PANICS => panic!("told to"),
            HELD => {
                self.held.send_modify(|count| *count += 1);
                self.release.subscribe().wait_for(|release| *release).await.unwrap();
                self.answered.send_modify(|count| *count += 1);
            }
            _ => {}
        }
        Ok(Accepted { accepted: true })
    }

    async fn workspace_list(&self) -> Result<WorkspacePage, RpcError> {
        Ok(WorkspacePage { items: Vec::new() })
    }

    fn mux(&self) -> BoxStream<'static, MuxFrame> {
        let (sender, mut receiver) = mpsc::unbounded_channel();
        self.mux.lock().unwrap().push(sender);
        let (open, taken) = (self.guard(), Arc::clone(&self.taken));
        stream::poll_fn(move |context| receiver.poll_recv(context))
            .inspect(move |_| {
                let _ = &open;
                taken.fetch_add(1, Ordering::Relaxed);
            })
            .boxed()
    }

    fn host_events(&self) -> BoxStream<'static, HostFrame> {
        let open = self.guard();
        let first =
            stream::once(std::future::ready(HostFrame::SessionStatus { session_id: "s-1".to_owned(), running: true }));
        first
            .chain(stream::pending())
            .inspect(move |_| {
                let _ = &open;
            })
            .boxed()
    }
}
