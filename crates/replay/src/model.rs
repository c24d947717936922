use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use llm::{Adapter, ChunkStream, LlmError, LlmErrorCode, Model, Provider, Request, RetryPolicy};
use session::Chunk;
use tokio_util::sync::CancellationToken;

use crate::{Entry, ReplayError, Script};

/// How a [`ReplayModel`] answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayOptions {
    /// Wait before every chunk. Realism for people who look; nothing may depend on it.
    pub pace: Option<Duration>,
    /// Every new session gets the first script from its start once all scripts are bound, as `dsh web --replay` needs.
    pub reuse: bool,
}

/// A call that reached the model.
#[derive(Clone, Debug, PartialEq)]
pub struct CapturedRequest {
    /// The whole request.
    pub request: Request,
    /// The script position that answered it; `None` when the call was refused.
    pub answered_by: Option<Position>,
}

/// A place in the scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Script number in the order they were handed in, from 0.
    pub script: usize,
    /// Call number in the script, from 0.
    pub call: usize,
}

/// A model that answers from recorded scripts.
///
/// The first call of a new session binds it to the next script nobody has; each session moves its own cursor, at the
/// time of the call. So sessions must call for the first time in the order of the scripts.
pub struct ReplayModel {
    scripts: Vec<Script>,
    options: ReplayOptions,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    sessions: BTreeMap<String, Cursor>,
    bound: usize,
    calls: Vec<CapturedRequest>,
    refused: Vec<ReplayError>,
}

#[derive(Clone, Copy)]
struct Cursor {
    script: usize,
    next: usize,
}

impl ReplayModel {
    /// A model over these scripts: the main session's first, then those of delegated sessions in the order they start.
    pub fn new(scripts: Vec<Script>, options: ReplayOptions) -> Arc<Self> {
        Arc::new(Self { scripts, options, state: Mutex::default() })
    }

    /// A model for scenarios that must not call one: it is in the catalogue, but every call fails and
    /// [`Self::assert_consumed`] reports it.
    pub fn without_fixture() -> Arc<Self> {
        Self::new(Vec::new(), ReplayOptions::default())
    }

    /// The catalogue entry: one model with a window of 128k tokens, and retries without waiting long.
    pub fn provider() -> Provider {
        Provider {
            id: "replay".to_owned(),
            name: "Replay".to_owned(),
            models: vec![Model {
                id: "replay-128k".to_owned(),
                name: "Replay 128k".to_owned(),
                context_window: 128_000,
                max_output_tokens: None,
            }],
            retry: RetryPolicy { base_delay_ms: 10, max_delay_ms: 100, ..RetryPolicy::default() },
        }
    }

    /// Whole requests in the order they came, refused ones too.
    pub fn calls(&self) -> Vec<CapturedRequest> {
        self.state().calls.clone()
    }

    /// Passes when every script is bound and drained, and no call was refused.
    pub fn assert_consumed(&self) -> Result<(), ReplayError> {
        let state = self.state();
        let mut faults = state.refused.clone();
        for (session, cursor) in &state.sessions {
            let script = &self.scripts[cursor.script];
            if cursor.next < script.calls.len() {
                faults.push(ReplayError::NotConsumed {
                    session: session.clone(),
                    origin: script.origin.clone(),
                    made: cursor.next,
                    has: script.calls.len(),
                });
            }
        }
        // A script without calls has nobody to call for it.
        let unbound = self.scripts.iter().skip(state.bound).filter(|script| !script.calls.is_empty());
        faults.extend(
            unbound.map(|script| ReplayError::Unbound { origin: script.origin.clone(), calls: script.calls.len() }),
        );
        match faults.len() {
            0 => Ok(()),
            1 => Err(faults.remove(0)),
            _ => Err(ReplayError::Several(faults)),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is whole after every statement, so a panic elsewhere leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the cursor of the calling session and says what it gets.
    fn advance(&self, state: &mut State, request: &Request) -> Result<Position, ReplayError> {
        let session = &request.session_id;
        if self.scripts.is_empty() {
            return Err(ReplayError::NoFixture {
                session: session.clone(),
                model: format!("{}/{}", request.provider, request.model),
            });
        }
        if !state.sessions.contains_key(session) {
            let script = match state.bound {
                free if free < self.scripts.len() => free,
                _ if self.options.reuse => 0,
                scripts => return Err(ReplayError::NoScriptLeft { session: session.clone(), scripts }),
            };
            state.bound = (state.bound + 1).min(self.scripts.len());
            state.sessions.insert(session.clone(), Cursor { script, next: 0 });
        }
        let cursor = state.sessions.entry(session.clone()).or_insert(Cursor { script: 0, next: 0 });
        let script = &self.scripts[cursor.script];
        if cursor.next == script.calls.len() {
            return Err(ReplayError::Exhausted {
                session: session.clone(),
                origin: script.origin.clone(),
                asked: cursor.next + 1,
                has: script.calls.len(),
            });
        }
        let position = Position { script: cursor.script, call: cursor.next };
        cursor.next += 1;
        Ok(position)
    }
}

impl Adapter for ReplayModel {
    fn stream(&self, request: Request, cancel: CancellationToken) -> ChunkStream {
        let answer = {
            let mut state = self.state();
            let answer = self.advance(&mut state, &request);
            if let Err(error) = &answer {
                state.refused.push(error.clone());
            }
            state.calls.push(CapturedRequest { request, answered_by: answer.as_ref().ok().copied() });
            answer
        };
        match answer {
            Ok(Position { script, call }) => {
                let Entry::Chunks(chunks) = &self.scripts[script].calls[call];
                play(chunks.clone(), self.options.pace, cancel)
            }
            Err(error) => stream::iter([Err(LlmError::new(LlmErrorCode::Replay, error.to_string()))]).boxed(),
        }
    }
}

fn play(chunks: Vec<Chunk>, pace: Option<Duration>, cancel: CancellationToken) -> ChunkStream {
    let aborted = || LlmError::new(LlmErrorCode::Aborted, "the call was cancelled");
    stream::unfold(Some((chunks.into_iter(), cancel)), move |state| async move {
        let (mut chunks, cancel) = state?;
        match pace {
            Some(pace) => {
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => {}
                    () = tokio::time::sleep(pace) => {}
                }
            }
            // A burst must not starve the tasks beside it.
            None => tokio::task::consume_budget().await,
        }
        if cancel.is_cancelled() {
            return Some((Err(aborted()), None));
        }
        let chunk = chunks.next()?;
        Some((Ok(chunk), Some((chunks, cancel))))
    })
    .boxed()
}
