//! A host that holds one session and does what the test says: the log is real, the rest is scripted.

use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use futures_channel::mpsc;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use session::{
    Block, BlockType, Chunk, Content, Event, Message, MessageSource, Payload, Role, TurnEndReason, history_page,
};
use wire::{
    Accepted, Api, CancelPayload, CreatePayload, ErrorCode, HistoryPage, HistoryPayload, HostDescription, HostFrame,
    MuxFrame, PromptPayload, RpcError, SessionCreated, SessionPage, WorkspacePage, WorkspaceSummary,
};

/// The session's id.
pub(crate) const SESSION: &str = "s-1";

/// The host. Clones share everything.
#[derive(Clone, Default)]
pub(crate) struct Scripted(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    events: Vec<Event>,
    turns: u64,
    mux: Vec<mpsc::UnboundedSender<MuxFrame>>,
    host: Vec<mpsc::UnboundedSender<HostFrame>>,
}

/// What happens to the frame of an event on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Carried,
    Lost,
    Doubled,
}

impl Scripted {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no holder panics")
    }

    /// Last sequence number of the log.
    pub(crate) fn tail(&self) -> i64 {
        self.state().events.len() as i64 - 1
    }

    /// Appends to the log and tells every stream.
    pub(crate) fn append(&self, payload: Payload, fate: Fate) {
        let mut state = self.state();
        let seq = state.events.len() as u64;
        let event = payload.into_draft().at(seq, 1_000 + seq as i64);
        state.events.push(event.clone());
        let times = match fate {
            Fate::Carried => 1,
            Fate::Lost => 0,
            Fate::Doubled => 2,
        };
        for _ in 0..times {
            let frame = MuxFrame::Event { session_id: SESSION.to_owned(), event: event.clone() };
            state.mux.retain(|stream| stream.unbounded_send(frame.clone()).is_ok());
        }
    }

    /// A turn that answers `prompt`, as the payloads of its events.
    pub(crate) fn turn(&self, rpc_id: &str, prompt: &str) -> Vec<Payload> {
        let mut state = self.state();
        state.turns += 1;
        let (turn, step) = (state.turns, 1);
        let answer = format!("The answer to {prompt} — 答え 🦀.");
        let chunk = |chunk| Payload::AssistantChunk { turn, step, chunk };
        let message = |role, text: &str, source| Message {
            id: format!("m-{turn}"),
            role,
            content: vec![Content::text(text)],
            source,
        };
        let mut payloads = vec![
            Payload::TurnStart { turn, trigger: None },
            Payload::StepStart { turn, step },
            Payload::UserMessage(message(Role::User, prompt, MessageSource::new("user").with("rpcId", rpc_id))),
            chunk(Chunk::BlockStart { index: 0, block_type: BlockType::Text }),
        ];
        let pieces = answer.split_inclusive(' ').map(str::to_owned);
        payloads.extend(pieces.map(|text| chunk(Chunk::TextDelta { index: 0, text })));
        payloads.extend([
            chunk(Chunk::BlockEnd { index: 0, block: Block::Text { text: answer.clone() } }),
            Payload::AssistantMessage {
                turn,
                step,
                message: message(Role::Assistant, &answer, MessageSource::new("provider")),
                usage: None,
                interrupted: false,
            },
            Payload::StepEnd { turn, step },
            Payload::TurnEnd { turn, reason: TurnEndReason::Completed },
        ]);
        payloads
    }

    /// Runs a whole turn; every frame is carried.
    pub(crate) fn run_turn(&self, rpc_id: &str, prompt: &str) {
        for payload in self.turn(rpc_id, prompt) {
            self.append(payload, Fate::Carried);
        }
    }
}

#[async_trait]
impl Api for Scripted {
    async fn host_describe(&self) -> Result<HostDescription, RpcError> {
        Ok(HostDescription { version: "1".to_owned(), provider: None, model: None, home: None })
    }

    async fn session_list(&self) -> Result<SessionPage, RpcError> {
        Ok(SessionPage { items: Vec::new() })
    }

    async fn session_create(&self, payload: CreatePayload) -> Result<SessionCreated, RpcError> {
        if payload.workspace_id == "w-1" {
            return Ok(SessionCreated { session_id: SESSION.to_owned() });
        }
        Err(RpcError {
            code: ErrorCode::WorkspaceNotFound,
            message: format!("there is no workspace {}; choose another", payload.workspace_id),
            details: serde_json::json!({"workspaceId": payload.workspace_id}),
        })
    }

    async fn session_history(&self, payload: HistoryPayload) -> Result<HistoryPage, RpcError> {
        if payload.session_id != SESSION {
            return Err(RpcError::session_not_found(&payload.session_id));
        }
        let state = self.state();
        let (range, has_more) = history_page(&state.events, payload.before_seq, payload.max_messages.unwrap_or(50));
        Ok(HistoryPage { events: state.events[range].to_vec(), has_more })
    }

    async fn session_prompt(&self, rpc_id: &str, payload: PromptPayload) -> Result<Accepted, RpcError> {
        let [Content::Text { text }] = payload.content.as_slice() else {
            return Err(RpcError::bad_request(vec!["content: one text part was expected".to_owned()]));
        };
        self.run_turn(rpc_id, text);
        Ok(Accepted { accepted: true })
    }

    async fn session_cancel(&self, _: CancelPayload) -> Result<Accepted, RpcError> {
        panic!("this host panics on a cancel, on purpose")
    }

    async fn workspace_list(&self) -> Result<WorkspacePage, RpcError> {
        let row = WorkspaceSummary {
            workspace_id: "w-1".to_owned(),
            path: "/w".to_owned(),
            title: "w".to_owned(),
            session_ids: Vec::new(),
        };
        Ok(WorkspacePage { items: vec![row] })
    }

    fn mux(&self) -> BoxStream<'static, MuxFrame> {
        let (stream, frames) = mpsc::unbounded();
        let mut state = self.state();
        let last_seq = state.events.len() as i64 - 1;
        stream.unbounded_send(MuxFrame::Subscribed { session_id: SESSION.to_owned(), last_seq }).ok();
        state.mux.push(stream);
        frames.boxed()
    }

    fn host_events(&self) -> BoxStream<'static, HostFrame> {
        let (stream, frames) = mpsc::unbounded();
        self.state().host.push(stream);
        frames.boxed()
    }
}
