use std::time::Duration;

use host::Patch;

use crate::Fixture;

/// Who answers model calls.
#[derive(Clone, Debug, Default)]
pub enum Model {
    /// Nobody: the model is listed, a call fails loudly and fails [`Scaffold::close`](crate::Scaffold::close) too.
    #[default]
    None,
    /// The calls of a recorded log, in order.
    Replay(Fixture),
    /// The provider of the shipped composition, with a key: for recording.
    Provider(Provider),
}

/// A real provider.
#[derive(Clone)]
pub struct Provider {
    /// The key. Never printed.
    pub api_key: String,
    /// Another address than the shipped one.
    pub base_url: Option<String>,
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Provider").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// How long things may take. Each wait that runs out says what it waited for and what it saw last.
#[derive(Clone, Copy, Debug)]
pub struct Budgets {
    /// Boot of the composition until the port is bound.
    pub boot: Duration,
    /// One awaited event, such as the end of a turn.
    pub event: Duration,
    /// Drain at close.
    pub close: Duration,
}

impl Default for Budgets {
    fn default() -> Self {
        Self { boot: Duration::from_secs(20), event: Duration::from_secs(20), close: Duration::from_secs(10) }
    }
}

/// What to boot.
#[derive(Clone, Debug, Default)]
pub struct ScaffoldOptions {
    /// Who answers model calls.
    pub model: Model,
    /// Wait before each replayed chunk. Realism, never needed for a scenario to pass.
    pub pace: Option<Duration>,
    /// Changes of the shipped composition, by row id; after the scaffold's own.
    pub patches: Vec<Patch>,
    /// Deadlines.
    pub budgets: Budgets,
}
