use async_trait::async_trait;
use futures_util::stream::BoxStream;
use session::{Content, Event, history_page};
use wire::{
    Accepted, Api, CancelPayload, CreatePayload, ErrorCode, HistoryPage, HistoryPayload, HostDescription, HostFrame,
    MuxFrame, PromptMode, PromptPayload, RpcError, SessionCreated, SessionPage, WorkspacePage,
};

use crate::Host;
use crate::sessions::store_error;

/// Messages of a page when the caller asks for no number.
const PAGE_MESSAGES: u32 = 50;

#[async_trait]
impl Api for Host {
    async fn host_describe(&self) -> Result<HostDescription, RpcError> {
        Ok(HostDescription {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            provider: self.route.as_ref().map(|route| route.provider.id.clone()),
            model: self.route.as_ref().map(|route| route.model.name.clone()),
            home: Some(self.env.home.to_string_lossy().into_owned()),
        })
    }

    async fn session_list(&self) -> Result<SessionPage, RpcError> {
        self.learn().await?;
        Ok(SessionPage { items: self.outlets.listed() })
    }

    async fn session_create(&self, payload: CreatePayload) -> Result<SessionCreated, RpcError> {
        let CreatePayload { workspace_id, session_id } = payload;
        let workspace = self.workspaces.get(&workspace_id).map_err(|error| RpcError::internal(error.to_string()))?;
        let Some(workspace) = workspace else {
            return Err(RpcError {
                code: ErrorCode::WorkspaceNotFound,
                message: format!("there is no workspace {workspace_id}; reload the list"),
                details: serde_json::json!({"workspaceId": workspace_id}),
            });
        };
        Ok(SessionCreated { session_id: self.create(&workspace, session_id).await? })
    }

    async fn session_history(&self, payload: HistoryPayload) -> Result<HistoryPage, RpcError> {
        let HistoryPayload { session_id, before_seq, max_messages } = payload;
        let page = |events: &[Event]| {
            let (range, has_more) = history_page(events, before_seq, max_messages.unwrap_or(PAGE_MESSAGES));
            HistoryPage { events: events[range].to_vec(), has_more }
        };
        if let Some(live) = self.live(&session_id) {
            return Ok(live.log.read(page));
        }
        let stored = self.store.read(&session_id).await.map_err(|error| store_error(&session_id, &error))?;
        Ok(page(&stored.events))
    }

    async fn session_prompt(&self, rpc_id: &str, payload: PromptPayload) -> Result<Accepted, RpcError> {
        let PromptPayload { session_id, mode, content } = payload;
        let mut issues = Vec::new();
        if !content.iter().all(|part| matches!(part, Content::Text { .. })) {
            issues.push("content: a prompt holds text parts only".to_owned());
        } else if !content.iter().any(|part| matches!(part, Content::Text { text } if !text.trim().is_empty())) {
            issues.push("content: the prompt is empty, write something".to_owned());
        }
        if !issues.is_empty() {
            return Err(RpcError::bad_request(issues));
        }
        let delivery = match mode {
            PromptMode::Queue => agent::Delivery::Queue,
            PromptMode::Steer => agent::Delivery::Steer,
        };
        let live = self.open(&session_id).await?;
        live.agent.prompt(rpc_id, delivery, content).map_err(|error| RpcError::internal(error.to_string()))?;
        Ok(Accepted { accepted: true })
    }

    async fn session_cancel(&self, payload: CancelPayload) -> Result<Accepted, RpcError> {
        match self.live(&payload.session_id) {
            Some(live) => live.agent.cancel(),
            // A stored session is idle, so there is nothing to cancel; an unknown one is an error.
            None if self.header(&payload.session_id).await?.is_none() => {
                return Err(RpcError::session_not_found(&payload.session_id));
            }
            None => {}
        }
        Ok(Accepted { accepted: true })
    }

    async fn workspace_list(&self) -> Result<WorkspacePage, RpcError> {
        self.learn().await?;
        let workspaces = self.workspaces.list().map_err(|error| RpcError::internal(error.to_string()))?;
        Ok(WorkspacePage {
            items: workspaces.into_iter().map(|workspace| self.outlets.workspace_row(workspace)).collect(),
        })
    }

    fn mux(&self) -> BoxStream<'static, MuxFrame> {
        self.outlets.mux.read()
    }

    fn host_events(&self) -> BoxStream<'static, HostFrame> {
        self.outlets.host.read()
    }
}

impl Host {
    /// Brings the list of known sessions up to what is stored and open.
    async fn learn(&self) -> Result<(), RpcError> {
        let stored = self.store.list().await.map_err(|error| RpcError::internal(error.to_string()))?;
        let live = self.all_live().iter().map(|live| live.summary()).collect();
        self.outlets.learn(stored, live);
        Ok(())
    }
}
