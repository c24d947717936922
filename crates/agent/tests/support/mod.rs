//! A scripted model, scripted tools and a real store: what the domain tests replace is the provider and the clock.

#![allow(dead_code)]

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::{Agent, AgentConfig, AgentHandle, AgentLimits, Delivery, SessionLog, TitleRule};
use async_trait::async_trait;
use futures_util::{StreamExt, stream};
use llm::{Adapter, ChunkStream, LlmError, LlmErrorCode, Model, Provider, Request, RetryPolicy, Route, ToolSpec};
use serde_json::{Value, json};
use session::{Block, Chunk, Content, Event, FinishReason, Header};
use store::{Clock, LogStore};
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tools::{Invocation, Tool, ToolOutput};

/// What the model does next in a call.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    Chunk(Chunk),
    Fail(LlmError),
    /// Says nothing more until it is cancelled.
    Hang,
    /// Says nothing more until it is told to.
    Wait(Arc<Notify>),
    Panic,
}

/// One script a call, in order.
#[derive(Default)]
pub(crate) struct ScriptedModel {
    calls: Mutex<VecDeque<Vec<Act>>>,
    pub(crate) requests: Mutex<Vec<Request>>,
}

impl Adapter for ScriptedModel {
    fn stream(&self, request: Request, cancel: CancellationToken) -> ChunkStream {
        self.requests.lock().unwrap().push(request);
        let acts = self.calls.lock().unwrap().pop_front().expect("the script answers this call");
        stream::iter(acts)
            .filter_map(move |act| {
                let cancel = cancel.clone();
                async move {
                    match act {
                        Act::Chunk(chunk) => Some(Ok(chunk)),
                        Act::Fail(error) => Some(Err(error)),
                        Act::Hang => {
                            cancel.cancelled().await;
                            Some(Err(LlmError::new(LlmErrorCode::Aborted, "aborted")))
                        }
                        Act::Wait(gate) => {
                            gate.notified().await;
                            None
                        }
                        Act::Panic => panic!("the adapter broke"),
                    }
                }
            })
            .boxed()
    }
}

pub(crate) fn text(text: &str) -> Act {
    Act::Chunk(Chunk::TextDelta { index: 0, text: text.to_owned() })
}

pub(crate) fn call(index: u32, id: &str, name: &str, arguments: Value) -> Act {
    let block = Block::ToolCall { id: id.to_owned(), name: name.to_owned(), arguments: arguments.to_string() };
    Act::Chunk(Chunk::BlockEnd { index, block })
}

pub(crate) fn finish(reason: FinishReason) -> Act {
    Act::Chunk(Chunk::Finish { reason, replay_state: None })
}

pub(crate) fn stop() -> Act {
    finish(FinishReason::Stop)
}

pub(crate) fn fail(code: LlmErrorCode, message: &str) -> Act {
    Act::Fail(LlmError::new(code, message))
}

/// What a test tool does with a call.
#[derive(Clone)]
pub(crate) enum Behaviour {
    Answer(&'static str),
    Panic,
    /// Waits for the cancel, then answers.
    UntilCancel,
    /// Never returns.
    Deaf,
    /// Answers once as many calls as that are inside at the same time.
    Together(Arc<tokio::sync::Barrier>),
}

pub(crate) struct TestTool {
    pub(crate) name: &'static str,
    pub(crate) behaviour: Behaviour,
    /// Told when a call began.
    pub(crate) began: Arc<Notify>,
    pub(crate) calls: Mutex<Vec<Invocation>>,
}

impl TestTool {
    pub(crate) fn new(name: &'static str, behaviour: Behaviour) -> Arc<Self> {
        Arc::new(Self { name, behaviour, began: Arc::default(), calls: Mutex::default() })
    }
}

#[async_trait]
impl Tool for TestTool {
    fn spec(&self) -> ToolSpec {
        ToolSpec { name: self.name.to_owned(), description: String::new(), parameters: json!({"type": "object"}) }
    }

    fn parallel_safe(&self) -> bool {
        matches!(self.behaviour, Behaviour::Together(_))
    }

    async fn run(&self, invocation: Invocation) -> ToolOutput {
        let cancel = invocation.cancel.clone();
        let call_id = invocation.call_id.clone();
        self.calls.lock().unwrap().push(invocation);
        self.began.notify_one();
        let content = match &self.behaviour {
            Behaviour::Answer(text) => (*text).to_owned(),
            Behaviour::Panic => panic!("out of cheese"),
            Behaviour::UntilCancel => {
                cancel.cancelled().await;
                "stopped early".to_owned()
            }
            Behaviour::Deaf => std::future::pending().await,
            Behaviour::Together(barrier) => {
                barrier.wait().await;
                call_id
            }
        };
        ToolOutput { content, is_error: false, meta: None }
    }
}

pub(crate) struct World {
    pub(crate) folder: TempDir,
    pub(crate) store: LogStore,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) log: Arc<SessionLog>,
    pub(crate) agent: AgentHandle,
}

pub(crate) const SESSION: &str = "session-1";
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

pub(crate) fn clock() -> Clock {
    let now = AtomicI64::new(1_790_000_000_000);
    Arc::new(move || now.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn config(log: Arc<SessionLog>, model: Arc<ScriptedModel>, tools: Vec<Arc<dyn Tool>>) -> AgentConfig {
    let chat = Model { id: "m1".to_owned(), name: "M1".to_owned(), context_window: 128_000, max_output_tokens: None };
    let retry = RetryPolicy { max_retries: 2, ..RetryPolicy::default() };
    let provider = Provider { id: "p1".to_owned(), name: "P1".to_owned(), models: vec![chat.clone()], retry };
    AgentConfig {
        log,
        route: Route { provider, model: chat, adapter: model },
        tools,
        cwd: PathBuf::from("/workspace"),
        system_prompt: "be brief".to_owned(),
        env: BTreeMap::from([("GIVEN".to_owned(), "1".to_owned())]),
        random: Arc::new(|| 0.5),
        title: Some(TitleRule { words: 5, max_chars: 60 }),
        limits: AgentLimits { max_steps: 5, parallel_tools: 10, cancel_grace: Duration::from_secs(5) },
    }
}

impl World {
    pub(crate) async fn new(script: Vec<Vec<Act>>, tools: Vec<Arc<dyn Tool>>) -> Self {
        Self::with_max_steps(5, script, tools).await
    }

    pub(crate) async fn with_max_steps(max_steps: u64, script: Vec<Vec<Act>>, tools: Vec<Arc<dyn Tool>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = LogStore::open(folder.path().join("sessions"), clock()).unwrap();
        let model = Arc::new(ScriptedModel { calls: Mutex::new(script.into()), requests: Mutex::default() });
        let header = Header::new(SESSION, 1_790_000_000_000, Some("/workspace".to_owned()));
        let writer = store.create(header.clone()).await.unwrap();
        let log = SessionLog::create(header, writer, clock());
        let mut config = config(Arc::clone(&log), Arc::clone(&model), tools);
        config.limits.max_steps = max_steps;
        let agent = Agent::spawn(config);
        Self { folder, store, model, log, agent }
    }

    pub(crate) fn prompt(&self, rpc_id: &str, text: &str) {
        self.agent.prompt(rpc_id, Delivery::Queue, vec![Content::text(text)]).unwrap();
    }

    pub(crate) async fn idle(&self) {
        self.agent.when_idle(DEADLINE).await.unwrap();
    }

    /// One prompt, run to its end.
    pub(crate) async fn turn(&self, text: &str) {
        self.prompt("rpc-1", text);
        self.idle().await;
    }

    /// Waits for the first event that `wanted` accepts.
    pub(crate) async fn event(&self, wanted: impl Fn(&Event) -> bool) -> Event {
        let (_, mut live) = self.log.subscribe();
        if let Some(event) = self.log.events().into_iter().find(&wanted) {
            return event;
        }
        let found = async {
            loop {
                let event = live.recv().await.expect("the log is open");
                if wanted(&event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(DEADLINE, found).await.unwrap_or_else(|_| panic!("not seen in {:#?}", self.shape()))
    }

    pub(crate) fn shape(&self) -> Vec<String> {
        shape(&self.log.events())
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.model.requests.lock().unwrap().clone()
    }
}

/// A log as one short line an event, the splices of the inbox left out.
pub(crate) fn shape(events: &[Event]) -> Vec<String> {
    events.iter().filter(|event| event.kind != "agent/inbox/spliced").map(line).collect()
}

fn line(event: &Event) -> String {
    let data = &event.data;
    let kind = event.kind.as_str();
    match kind {
        "turn/end" => {
            let reason = &data["reason"];
            let more = match reason["kind"].as_str() {
                Some("error") => format!(" {}", reason["error"]["code"].as_str().unwrap()),
                Some("aborted") => format!(" {}", reason["reason"]["kind"].as_str().unwrap()),
                _ => String::new(),
            };
            format!("{kind} {}{more}", reason["kind"].as_str().unwrap())
        }
        "turn/start" | "step/start" | "step/end" => {
            format!("{kind} {}", data["step"].as_u64().or(data["turn"].as_u64()).unwrap())
        }
        "user/message" => format!("{kind} {}", data["content"][0]["text"].as_str().unwrap()),
        "assistant/chunk" => format!("{kind} {}", data["chunk"]["type"].as_str().unwrap()),
        "assistant/message" => {
            let parts: Vec<_> = data["message"]["content"]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part["text"].as_str().or(part["id"].as_str()).unwrap().to_owned())
                .collect();
            let mark = if data["interrupted"] == json!(true) { " (interrupted)" } else { "" };
            format!("{kind} {}{mark}", parts.join("|"))
        }
        "tool/call" => format!("{kind} {}", data["callId"].as_str().unwrap()),
        "tool/result" => {
            let part = &data["message"]["content"][0];
            let mark = if part["isError"] == json!(true) { " (error)" } else { "" };
            let text = part["content"][0]["text"].as_str().unwrap();
            format!("{kind} {} {text}{mark}", part["toolCallId"].as_str().unwrap())
        }
        "session/title" => format!("{kind} {}", data["title"].as_str().unwrap()),
        "llm/retry" => format!("{kind} {} {}ms", data["retry"], data["delayMs"]),
        _ => kind.to_owned(),
    }
}
