/// What can go wrong between a recorded log and the calls that are answered from it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The log cannot be read.
    #[error("{origin}:{}: {}", error.line, error.problem)]
    Log {
        /// File of the log.
        origin: String,
        /// What is wrong there.
        error: session::LogError,
    },
    /// A recorded call has no finish chunk: it was cancelled or failed, so it cannot be replayed from the log alone.
    #[error(
        "{origin}:{line}: call {call} (turn {turn}, step {step}) ended without a finish chunk ({cause}); \
         give it an entry in an override, or record the fixture again"
    )]
    CallWithoutFinish {
        /// File of the log.
        origin: String,
        /// Line on which the call should have gone on.
        line: usize,
        /// Call number in the log, from 1.
        call: usize,
        /// Turn of the call.
        turn: u64,
        /// Step of the call.
        step: u64,
        /// What came instead of the finish.
        cause: String,
    },
    /// The log needs something that replay does not know.
    #[error("{origin}:{line}: {what} is not replayed yet; record the scenario without it")]
    Unsupported {
        /// File of the log.
        origin: String,
        /// Line of the event.
        line: usize,
        /// The event and what it stands for.
        what: String,
    },
    /// A session asked for more calls than its script has.
    #[error(
        "script exhausted: session {session} asked for call {asked}, {origin} has {has}; \
         record the fixture again, or find the extra model call"
    )]
    Exhausted {
        /// The session that called.
        session: String,
        /// File of the script.
        origin: String,
        /// Call number asked for, from 1.
        asked: usize,
        /// Calls in the script.
        has: usize,
    },
    /// A session called for which no script is left.
    #[error(
        "model call from an unrecorded session: {session} calls, but all {scripts} script(s) are bound to other \
         sessions; record one log a session, or find the extra session"
    )]
    NoScriptLeft {
        /// The session that called.
        session: String,
        /// Scripts there are.
        scripts: usize,
    },
    /// A call in a scenario that has no fixture.
    #[error(
        "stray model call: session {session} called {model}, but this scenario has no fixture; \
         give it one, or find what calls the model"
    )]
    NoFixture {
        /// The session that called.
        session: String,
        /// Provider and model that were called.
        model: String,
    },
    /// No session ever called for this script.
    #[error(
        "unbound script: no session called for {origin} ({calls} call(s)); drive the session it was recorded from, or remove it"
    )]
    Unbound {
        /// File of the script.
        origin: String,
        /// Calls in the script.
        calls: usize,
    },
    /// A session left calls of its script over.
    #[error(
        "script not consumed: session {session} made {made} of {has} call(s) of {origin}; \
         drive the scenario to its end, or record the fixture again"
    )]
    NotConsumed {
        /// The session bound to the script.
        session: String,
        /// File of the script.
        origin: String,
        /// Calls made.
        made: usize,
        /// Calls in the script.
        has: usize,
    },
    /// A recorded answer that the provider's protocol cannot carry.
    #[error(
        "{origin}: call {call} cannot be served as a chat completion: {detail}; serve it through the replay model instead"
    )]
    NotExpressible {
        /// File of the script.
        origin: String,
        /// Call number, from 1.
        call: usize,
        /// What does not fit.
        detail: String,
    },
    /// More than one of the above.
    #[error("{} replay faults:{}", .0.len(), .0.iter().map(|fault| format!("\n- {fault}")).collect::<String>())]
    Several(Vec<ReplayError>),
}
