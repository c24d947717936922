//! One turn: steps until the model has nothing more to do.
//!
//! Event order: `turn/start`, then for each step `step/start`, the messages it reads, `request/header` when it changed,
//! chunks, `assistant/message`, `tool/call` and `tool/result` in the model's order, `step/end`; then `turn/end`.

use serde_json::{Value, json};
use session::{EventDraft, Failure, Message, Payload, TitleSource, TurnEndReason, TurnTrigger};
use store::StoreError;
use tokio_util::sync::CancellationToken;

use crate::call::{self, CallEnd};
use crate::dispatch;
use crate::handle::{Cause, Shared};
use crate::title;

/// Where a turn stands.
#[derive(Clone, Copy)]
pub(crate) struct At {
    pub(crate) turn: u64,
    pub(crate) step: u64,
}

/// How a step left the turn.
enum StepEnd {
    /// The model waits for what the tools gave.
    More,
    /// It has nothing more to do.
    Answered,
    /// The turn is over.
    Over(TurnEndReason),
}

/// Runs the turn that waits in the inbox.
pub(crate) async fn run(shared: &Shared, token: &CancellationToken) {
    let turn = shared.log().read(|events| {
        let last = events.iter().rev().find(|event| event.kind == "turn/start");
        last.and_then(|event| event.data["turn"].as_u64()).unwrap_or(0) + 1
    });
    let messages = {
        let mut state = shared.state();
        let (messages, claimed) = state.inbox.claim(true);
        let trigger = messages
            .first()
            .map(|message| TurnTrigger { kind: "message".to_owned(), source: Some(message.source.clone()) });
        let mut drafts = vec![Payload::TurnStart { turn, trigger }.into_draft()];
        drafts.extend(claimed);
        shared.log().append(drafts);
        messages
    };
    let reason = steps(shared, token, turn, messages).await;
    shared.log().append(vec![Payload::TurnEnd { turn, reason }.into_draft()]);
}

async fn steps(shared: &Shared, token: &CancellationToken, turn: u64, mut messages: Vec<Message>) -> TurnEndReason {
    let max_steps = shared.config.limits.max_steps;
    for step in 1..=max_steps {
        let at = At { turn, step };
        shared.log().append(vec![Payload::StepStart { turn, step }.into_draft()]);
        read_messages(shared, messages);
        let end = one_step(shared, token, at).await;
        shared.log().append(vec![Payload::StepEnd { turn, step }.into_draft()]);
        let answered = match end {
            StepEnd::Over(reason) => return reason,
            StepEnd::More => false,
            StepEnd::Answered => true,
        };
        let mut state = shared.state();
        // Only a step that will be taken may claim: what waits after the last one is for the next turn.
        let last = step == max_steps;
        if answered && (last || !state.inbox.has_steering()) {
            return TurnEndReason::Completed;
        }
        if last {
            break;
        }
        let (claimed, drafts) = state.inbox.claim(false);
        shared.log().append(drafts);
        messages = claimed;
    }
    TurnEndReason::Error {
        error: failure(
            "STEP_LIMIT",
            format!("the turn took {max_steps} steps, the most a turn may take; send a prompt to go on"),
        ),
    }
}

/// Puts the messages of a step before the model, and a title on a session that has none.
fn read_messages(shared: &Shared, messages: Vec<Message>) {
    for message in messages {
        let text = message.text();
        let from_user = message.source.kind == "user";
        let appended = shared.log().append(vec![Payload::UserMessage(message).into_draft()]);
        let Some(rule) = shared.config.title.filter(|_| from_user) else { continue };
        let titled = shared.log().read(|events| events.iter().any(|event| event.kind == "session/title"));
        if !titled && let Some(title) = title::fallback(&text, rule) {
            let message_seqs = appended.iter().map(|event| event.seq).collect();
            let source = TitleSource::Fallback;
            shared.log().append(vec![Payload::SessionTitle { title, message_seqs, source }.into_draft()]);
        }
    }
}

async fn one_step(shared: &Shared, token: &CancellationToken, at: At) -> StepEnd {
    if token.is_cancelled() {
        return StepEnd::Over(aborted(shared));
    }
    let request = call::request(shared);
    shared.log().append(header_if_changed(shared, &request).into_iter().collect());
    if let Some(failed) = checkpoint(shared).await {
        return StepEnd::Over(failed);
    }
    match call::run(shared, token, at, request).await {
        CallEnd::Answered { calls, max_tokens: true } => {
            // What a limit cut off may be half a call: none of them runs.
            dispatch::refuse(shared, at, &calls, dispatch::CUT_OFF);
            StepEnd::Over(TurnEndReason::MaxTokens)
        }
        CallEnd::Answered { calls, .. } if calls.is_empty() => StepEnd::Answered,
        CallEnd::Answered { calls, .. } => match dispatch::run(shared, token, at, calls).await {
            Err(failed) => StepEnd::Over(failed),
            Ok(()) if token.is_cancelled() => StepEnd::Over(aborted(shared)),
            Ok(()) => StepEnd::More,
        },
        CallEnd::Cancelled => StepEnd::Over(aborted(shared)),
        CallEnd::Failed(error) => StepEnd::Over(TurnEndReason::Error { error: error.into() }),
    }
}

/// Everything so far on disk, or the reason to end the turn: what the model or a tool does next must not be ahead of
/// what a restart would know.
pub(crate) async fn checkpoint(shared: &Shared) -> Option<TurnEndReason> {
    let error: StoreError = shared.log().flush().await.err()?;
    let message = format!("the session can't be written, so nothing more was done: {error}");
    Some(TurnEndReason::Error { error: failure("PERSISTENCE", message) })
}

fn failure(code: &str, message: String) -> Failure {
    Failure { message, code: code.to_owned(), status: None, provider_retry_after_ms: None, request_id: None }
}

fn aborted(shared: &Shared) -> TurnEndReason {
    let cause = shared.state().running.as_ref().and_then(|running| running.cause);
    let kind = match cause {
        Some(Cause::Disposed) => "disposed",
        Some(Cause::User) | None => "user",
    };
    TurnEndReason::Aborted { reason: Some(json!({"kind": kind})) }
}

/// The constant part of the requests, when it is not what the log says last.
fn header_if_changed(shared: &Shared, request: &llm::Request) -> Option<EventDraft> {
    let mut config = json!({"provider": request.provider, "model": request.model});
    if let Some(max_tokens) = request.max_tokens {
        config["maxTokens"] = json!(max_tokens);
    }
    let header = json!({"config": config, "system": request.system, "tools": request.tools});
    let last: Option<Value> = shared.log().read(|events| {
        let last = events.iter().rev().find(|event| event.kind == "request/header");
        last.map(|event| event.data["header"].clone())
    });
    let reason = match last {
        None => "initial",
        Some(last) if last == header => return None,
        Some(_) => "change",
    };
    Some(Payload::RequestHeader { header, reason: reason.to_owned() }.into_draft())
}
