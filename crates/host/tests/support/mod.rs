//! A booted host with a scripted model in the place of the provider; everything else is real.

#![allow(dead_code)] // Each test file uses its part.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream::BoxStream;
use futures_util::{StreamExt, stream};
use host::{Composition, Host, HostEnv, HostError, ModelSource, Patch};
use llm::{Adapter, ChunkStream, LlmError, LlmErrorCode, Model, Provider, Request, RetryPolicy};
use session::{Block, Chunk, Content, FinishReason, Header, Payload, TurnEndReason};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use wire::{Api, CreatePayload, HostFrame, MuxFrame, PromptMode, PromptPayload, RpcError};

pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// One call's answer: chunks, then the end of the stream; `None` hangs until it is cancelled.
pub(crate) type Answer = Vec<Option<Chunk>>;

#[derive(Default)]
pub(crate) struct ScriptedModel {
    answers: Mutex<VecDeque<Answer>>,
    pub(crate) requests: Mutex<Vec<Request>>,
}

impl Adapter for ScriptedModel {
    fn stream(&self, request: Request, cancel: CancellationToken) -> ChunkStream {
        self.requests.lock().unwrap().push(request);
        let answer = self.answers.lock().unwrap().pop_front().expect("the script answers this call");
        let next = move |chunk: Option<Chunk>| {
            let cancel = cancel.clone();
            async move {
                match chunk {
                    Some(chunk) => Ok(chunk),
                    None => {
                        cancel.cancelled().await;
                        Err(LlmError::new(LlmErrorCode::Aborted, "aborted"))
                    }
                }
            }
        };
        stream::iter(answer).then(next).boxed()
    }
}

pub(crate) fn says(text: &str) -> Answer {
    vec![
        Some(Chunk::TextDelta { index: 0, text: text.to_owned() }),
        Some(Chunk::Finish { reason: FinishReason::Stop, replay_state: None }),
    ]
}

pub(crate) fn runs(command: &str) -> Answer {
    let arguments = serde_json::json!({"command": command}).to_string();
    let block = Block::ToolCall { id: "c1".to_owned(), name: "bash".to_owned(), arguments };
    vec![
        Some(Chunk::BlockEnd { index: 0, block }),
        Some(Chunk::Finish { reason: FinishReason::ToolCalls, replay_state: None }),
    ]
}

/// Shows some text and then nothing until it is cancelled.
pub(crate) fn hangs() -> Answer {
    vec![Some(Chunk::TextDelta { index: 0, text: "so far".to_owned() }), None]
}

pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) workspace: PathBuf,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) host: Arc<Host>,
}

pub(crate) fn env(folder: &TempDir, model: ModelSource) -> HostEnv {
    let now = AtomicI64::new(1_790_000_000_000);
    HostEnv {
        home: folder.path().join("home"),
        state_root: folder.path().join("state"),
        tool_env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        clock: Arc::new(move || now.fetch_add(1, Ordering::Relaxed)),
        random: Arc::new(|| 0.5),
        api_key: None,
        model,
        workspaces: vec![folder.path().join("workspace")],
    }
}

pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["home", "state", "workspace"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    folder
}

pub(crate) fn injected(model: Arc<ScriptedModel>) -> ModelSource {
    let chat =
        Model { id: "m1".to_owned(), name: "Model One".to_owned(), context_window: 128_000, max_output_tokens: None };
    let provider =
        Provider { id: "p1".to_owned(), name: "P1".to_owned(), models: vec![chat], retry: RetryPolicy::default() };
    ModelSource::Injected { provider, adapter: model }
}

pub(crate) fn patched(text: &str) -> Composition {
    let mut composition = Composition::shipped();
    for patch in Patch::parse_toml(text, "test.toml").unwrap() {
        composition.patch(patch).unwrap();
    }
    composition
}

pub(crate) async fn boot_with(text: &str, source: ModelSource) -> (TempDir, Result<Arc<Host>, HostError>) {
    let folder = folder();
    let host = Host::boot(patched(text), env(&folder, source)).await;
    (folder, host)
}

impl World {
    pub(crate) async fn new(answers: Vec<Answer>) -> Self {
        let folder = folder();
        let model = Arc::new(ScriptedModel { answers: Mutex::new(answers.into()), ..ScriptedModel::default() });
        let host = Host::boot(Composition::shipped(), env(&folder, injected(Arc::clone(&model)))).await.unwrap();
        let workspace = folder.path().join("workspace").canonicalize().unwrap();
        Self { folder, workspace, model, host }
    }

    pub(crate) async fn workspace_id(&self) -> String {
        self.host.workspace_list().await.unwrap().items.remove(0).workspace_id
    }

    pub(crate) async fn create(&self, session_id: Option<&str>) -> Result<String, RpcError> {
        let session_id = session_id.map(str::to_owned);
        let payload = CreatePayload { workspace_id: self.workspace_id().await, session_id };
        self.host.session_create(payload).await.map(|created| created.session_id)
    }

    pub(crate) async fn prompt(&self, session_id: &str, rpc_id: &str, text: &str) -> Result<(), RpcError> {
        let content = vec![Content::text(text)];
        let payload = PromptPayload { session_id: session_id.to_owned(), mode: PromptMode::Queue, content };
        self.host.session_prompt(rpc_id, payload).await.map(|accepted| assert!(accepted.accepted))
    }

    /// A session with one finished turn.
    pub(crate) async fn session(&self, text: &str) -> String {
        let id = self.create(None).await.unwrap();
        self.prompt(&id, &format!("rpc-{text}"), text).await.unwrap();
        self.host.when_idle(&id, DEADLINE).await.unwrap();
        id
    }

    /// A stored session of `turns` short turns.
    pub(crate) async fn seed(&self, id: &str, turns: u64) {
        let mut drafts = Vec::new();
        for turn in 1..=turns {
            let message = session::Message {
                id: format!("m{turn}"),
                role: session::Role::User,
                content: vec![Content::text(format!("prompt {turn}"))],
                source: session::MessageSource::new("user").with("rpcId", format!("r{turn}")),
            };
            drafts.push(Payload::TurnStart { turn, trigger: None }.into_draft());
            drafts.push(Payload::UserMessage(message).into_draft());
            drafts.push(Payload::TurnEnd { turn, reason: TurnEndReason::Completed }.into_draft());
        }
        let events =
            drafts.into_iter().enumerate().map(|(seq, draft)| draft.at(seq as u64, 1_780_000_000_000)).collect();
        let cwd = self.workspace.to_string_lossy().into_owned();
        self.host.store().seed(Header::new(id, 1_780_000_000_000, Some(cwd)), events).await.unwrap();
    }
}

/// The next frame, within the deadline.
pub(crate) async fn next<F>(stream: &mut BoxStream<'static, F>) -> F {
    let next = tokio::time::timeout(DEADLINE, stream.next()).await;
    next.expect("a frame within the deadline").expect("the stream goes on")
}

/// Frames up to the first that `last` accepts, that one included.
pub(crate) async fn until<F>(stream: &mut BoxStream<'static, F>, last: impl Fn(&F) -> bool) -> Vec<F> {
    let mut frames = Vec::new();
    loop {
        frames.push(next(stream).await);
        if frames.last().is_some_and(&last) {
            return frames;
        }
    }
}

pub(crate) fn is_event(frame: &MuxFrame, kind: &str) -> bool {
    matches!(frame, MuxFrame::Event { event, .. } if event.kind == kind)
}

pub(crate) fn stopped_running(frame: &HostFrame) -> bool {
    matches!(frame, HostFrame::SessionChanged(row) if !row.running && !row.blank)
}
