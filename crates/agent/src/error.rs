use std::time::Duration;

/// Why an agent could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The agent was closed.
    #[error("the agent of session {session_id} is closed; open the session again")]
    Closed {
        /// Session id.
        session_id: String,
    },
    /// The agent did not stop in time and was given up.
    #[error("the agent of session {session_id} did not stop within {waited:?} and was given up; {state}")]
    CloseTimeout {
        /// Session id.
        session_id: String,
        /// The deadline.
        waited: Duration,
        /// Where it stood.
        state: String,
    },
    /// The agent is not idle in time.
    #[error(transparent)]
    Busy(#[from] Box<IdleTimeout>),
    /// The log could not be written.
    #[error(transparent)]
    Store(#[from] store::StoreError),
}

/// A wait for an idle agent that ran out of time, with what explains it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "session {session_id} is not idle after {waited:?}: {state}; last events:{}",
    last_events.iter().map(|line| format!("\n  {line}")).collect::<String>()
)]
pub struct IdleTimeout {
    /// Session id.
    pub session_id: String,
    /// The deadline.
    pub waited: Duration,
    /// What the agent does and what waits for it.
    pub state: String,
    /// The last events, one line each.
    pub last_events: Vec<String>,
}
