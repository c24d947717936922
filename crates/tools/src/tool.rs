use std::collections::BTreeMap;
use std::path::PathBuf;

use async_trait::async_trait;
use llm::ToolSpec;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// One call of a tool.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Id the model gave the call.
    pub call_id: String,
    /// Raw JSON argument text, as the model wrote it.
    pub arguments: String,
    /// Working directory of the session.
    pub cwd: PathBuf,
    /// The whole environment of whatever the tool starts.
    pub env: BTreeMap<String, String>,
    /// Ends the call; the tool then returns soon, with nothing of it still running.
    pub cancel: CancellationToken,
}

/// What a call gave back.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolOutput {
    /// Text for the model.
    pub content: String,
    /// The call failed.
    pub is_error: bool,
    /// Facts for the reader (exit code, omitted bytes), not for the model.
    pub meta: Option<Value>,
}

impl ToolOutput {
    /// A failed call in words.
    pub fn error(content: impl Into<String>) -> Self {
        Self { content: content.into(), is_error: true, meta: None }
    }
}

/// Something the model can call.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// How the model is told of it.
    fn spec(&self) -> ToolSpec;

    /// Calls of it may run beside other parallel-safe calls. Others are barriers.
    fn parallel_safe(&self) -> bool {
        false
    }

    /// Runs one call to its end.
    async fn run(&self, invocation: Invocation) -> ToolOutput;
}
