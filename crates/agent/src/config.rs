use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use llm::Route;
use tools::Tool;

use crate::SessionLog;

/// Source of random numbers in 0..1, for the jitter of retries.
pub type Random = Arc<dyn Fn() -> f64 + Send + Sync>;

/// How the first title of a session is made from its first prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TitleRule {
    /// Words taken.
    pub words: usize,
    /// Most characters, for scripts that put no space between words.
    pub max_chars: usize,
}

/// Limits of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentLimits {
    /// Most steps (model calls that answered) of one turn.
    pub max_steps: u64,
    /// Most parallel-safe tools at once.
    pub parallel_tools: usize,
    /// How long a tool may take to return once its turn is cancelled; then its call is given up.
    pub cancel_grace: Duration,
}

/// What an agent works with.
#[derive(Clone)]
pub struct AgentConfig {
    /// The session.
    pub log: Arc<SessionLog>,
    /// The model it calls.
    pub route: Route,
    /// Tools on offer; names are unique.
    pub tools: Vec<Arc<dyn Tool>>,
    /// Working directory of the tools.
    pub cwd: PathBuf,
    /// System prompt of every request.
    pub system_prompt: String,
    /// Environment of the tools.
    pub env: BTreeMap<String, String>,
    /// For the jitter of retries.
    pub random: Random,
    /// How a session gets its first title; `None` gives none.
    pub title: Option<TitleRule>,
    /// Limits.
    pub limits: AgentLimits,
}
