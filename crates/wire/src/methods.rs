use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use session::{Content, Event};

/// A unary method: its name on the wire, payload and value.
pub trait Method {
    /// Name, also the path under `/api/`.
    const NAME: &'static str;
    /// What the page sends.
    type Payload: Serialize + DeserializeOwned;
    /// What the host answers.
    type Value: Serialize + DeserializeOwned;
}

/// Every method name, for route tables and tests.
pub const METHODS: &[&str] = &[
    HostDescribe::NAME,
    SessionList::NAME,
    SessionCreate::NAME,
    SessionHistory::NAME,
    SessionPrompt::NAME,
    SessionCancel::NAME,
    WorkspaceList::NAME,
];

macro_rules! method {
    ($(#[$doc:meta])* $name:ident, $wire:literal, $payload:ty => $value:ty) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name {}
        impl Method for $name {
            const NAME: &'static str = $wire;
            type Payload = $payload;
            type Value = $value;
        }
    };
}

/// A payload with no fields: `{}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Empty {}

method!(/// Facts of the host.
    HostDescribe, "host.describe", Empty => HostDescription);
method!(/// Every session that has a turn, newest first.
    SessionList, "session.list", Empty => SessionPage);
method!(/// A new session in a workspace; idempotent on `sessionId` + workspace.
    SessionCreate, "session.create", CreatePayload => SessionCreated);
method!(/// One contiguous page of raw events. Never resumes an agent.
    SessionHistory, "session.history", HistoryPayload => HistoryPage);
method!(/// A prompt to queue or to steer with.
    SessionPrompt, "session.prompt", PromptPayload => Accepted);
method!(/// Cancel the running turn; harmless when idle.
    SessionCancel, "session.cancel", CancelPayload => Accepted);
method!(/// Registered workspaces in their order.
    WorkspaceList, "workspace.list", Empty => WorkspacePage);

/// Value of `host.describe`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HostDescription {
    /// Version of the program.
    pub version: String,
    /// Provider id of the default model, where one is configured.
    pub provider: Option<String>,
    /// Display name of the default model.
    pub model: Option<String>,
    /// Home directory the host was given, for shortening paths.
    pub home: Option<String>,
}

/// One row of `session.list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionSummary {
    /// Session id.
    pub session_id: String,
    /// Title, where one was given.
    pub title: Option<String>,
    /// Milliseconds since the Unix epoch of the last prompt, else of creation.
    pub updated_at: i64,
    /// A turn is open.
    pub running: bool,
    /// No turn has started yet; hidden from lists.
    pub blank: bool,
    /// Working directory.
    pub cwd: Option<String>,
}

/// Value of `session.list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionPage {
    /// Newest first.
    pub items: Vec<SessionSummary>,
}

/// Payload of `session.create`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreatePayload {
    /// Workspace to work in.
    pub workspace_id: String,
    /// Id wanted by the page; the host mints one otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

/// Value of `session.create`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionCreated {
    /// The session's id.
    pub session_id: String,
}

/// Payload of `session.history`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HistoryPayload {
    /// Session id.
    pub session_id: String,
    /// Only events before this sequence number; the tail page otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_seq: Option<u64>,
    /// Most messages (append-origin user and assistant messages) in the page; 50 otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_messages: Option<u32>,
}

/// Value of `session.history`: one contiguous raw range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HistoryPage {
    /// Events in order.
    pub events: Vec<Event>,
    /// There are events before the first.
    pub has_more: bool,
}

/// When a prompt is read by the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptMode {
    /// As the next turn.
    Queue,
    /// At the next step of the running turn.
    Steer,
}

/// Payload of `session.prompt`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PromptPayload {
    /// Session id.
    pub session_id: String,
    /// Queue or steer.
    pub mode: PromptMode,
    /// Parts of the prompt; at least one, text only for now.
    pub content: Vec<Content>,
}

/// Payload of `session.cancel`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelPayload {
    /// Session id.
    pub session_id: String,
}

/// `{accepted}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// The host took it.
    pub accepted: bool,
}

/// One row of `workspace.list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkspaceSummary {
    /// Workspace id.
    pub workspace_id: String,
    /// Absolute path.
    pub path: String,
    /// Name shown; the last part of the path unless renamed.
    pub title: String,
    /// Sessions of this workspace that have a turn, newest first.
    pub session_ids: Vec<String>,
}

/// Value of `workspace.list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkspacePage {
    /// In display order.
    pub items: Vec<WorkspaceSummary>,
}
