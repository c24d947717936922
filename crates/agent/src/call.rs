//! One model call: attempts until one answers, is cancelled, or fails for good.

use futures_util::StreamExt;
use llm::{LlmError, LlmErrorCode, Request};
use serde_json::json;
use session::{Chunk, Content, FinishReason, Message, MessageSource, Payload, Role};
use tokio_util::sync::CancellationToken;

use crate::answer::Answer;
use crate::handle::Shared;
use crate::turn::At;

/// A tool call in an answer.
pub(crate) struct ToolCall {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

/// How a call ended.
pub(crate) enum CallEnd {
    /// The answer is in the log.
    Answered { calls: Vec<ToolCall>, max_tokens: bool },
    /// Cancelled; what a reader had seen is in the log.
    Cancelled,
    /// Failed for good.
    Failed(LlmError),
}

enum Attempt {
    Finished(Answer, FinishReason),
    Cancelled(Answer),
    Failed(LlmError),
}

/// The request the log stands for.
pub(crate) fn request(shared: &Shared) -> Request {
    let config = &shared.config;
    Request {
        session_id: config.log.id().to_owned(),
        provider: config.route.provider.id.clone(),
        model: config.route.model.id.clone(),
        system: config.system_prompt.clone(),
        tools: config.tools.iter().map(|tool| tool.spec()).collect(),
        messages: config.log.read(session::surface),
        max_tokens: config.route.model.max_output_tokens,
    }
}

/// Makes the call. A failed attempt derives nothing; the provider's retry policy decides whether there is another.
pub(crate) async fn run(shared: &Shared, token: &CancellationToken, at: At, request: Request) -> CallEnd {
    let mut retry = 0;
    loop {
        match attempt(shared, token, at, request.clone()).await {
            Attempt::Finished(answer, reason) => return answered(shared, at, answer, &reason),
            Attempt::Cancelled(answer) => {
                interrupted(shared, at, answer);
                return CallEnd::Cancelled;
            }
            Attempt::Failed(error) => {
                retry += 1;
                match wait_for_retry(shared, token, at, retry, &error).await {
                    Wait::Over => {}
                    Wait::Cancelled => return CallEnd::Cancelled,
                    Wait::Never => return CallEnd::Failed(error),
                }
            }
        }
    }
}

async fn attempt(shared: &Shared, token: &CancellationToken, at: At, request: Request) -> Attempt {
    let At { turn, step } = at;
    let mut answer = Answer::default();
    let mut stream = shared.config.route.adapter.stream(request, token.child_token());
    loop {
        let next = tokio::select! {
            biased;
            () = token.cancelled() => return Attempt::Cancelled(answer),
            next = stream.next() => next,
        };
        match next {
            Some(Ok(chunk)) => {
                let draft = Payload::AssistantChunk { turn, step, chunk: chunk.clone() }.into_draft();
                let reason = match &chunk {
                    Chunk::Finish { reason, .. } => Some(reason.clone()),
                    _ => None,
                };
                if let [event] = shared.log().append(vec![draft]).as_slice() {
                    answer.push(event.seq, chunk);
                }
                if let Some(reason) = reason {
                    return finished(answer, reason);
                }
            }
            Some(Err(_)) if token.is_cancelled() => return Attempt::Cancelled(answer),
            Some(Err(error)) => return Attempt::Failed(error),
            None => {
                let message = "the model's answer ended without its end marker; send the prompt again";
                return Attempt::Failed(LlmError::new(LlmErrorCode::Transport, message));
            }
        }
    }
}

fn finished(answer: Answer, reason: FinishReason) -> Attempt {
    match reason {
        FinishReason::Error { message } => {
            let message = message.unwrap_or_else(|| "the provider gave up without saying why".to_owned());
            Attempt::Failed(LlmError::new(LlmErrorCode::Server, message))
        }
        FinishReason::Aborted => {
            let message = "the provider ended the answer early, though nobody cancelled it";
            Attempt::Failed(LlmError::new(LlmErrorCode::Transport, message))
        }
        FinishReason::Stop | FinishReason::ToolCalls | FinishReason::MaxTokens => Attempt::Finished(answer, reason),
    }
}

fn answered(shared: &Shared, at: At, answer: Answer, reason: &FinishReason) -> CallEnd {
    let content = answer.content();
    let calls = content
        .iter()
        .filter_map(|part| match part {
            Content::ToolCall { id, name, arguments } => {
                Some(ToolCall { id: id.clone(), name: name.clone(), arguments: arguments.clone() })
            }
            _ => None,
        })
        .collect();
    append_message(shared, at, content, answer, false);
    CallEnd::Answered { calls, max_tokens: *reason == FinishReason::MaxTokens }
}

/// The next request must show the model what the reader saw.
fn interrupted(shared: &Shared, at: At, answer: Answer) {
    let content = answer.prefix();
    if !content.is_empty() {
        append_message(shared, at, content, answer, true);
    }
}

fn append_message(shared: &Shared, at: At, content: Vec<Content>, answer: Answer, interrupted: bool) {
    let route = &shared.config.route;
    let source =
        MessageSource::new("model").with("provider", route.provider.id.as_str()).with("model", route.model.id.as_str());
    let message = Message { id: uuid::Uuid::new_v4().to_string(), role: Role::Assistant, content, source };
    let At { turn, step } = at;
    let usage = answer.usage();
    let draft = Payload::AssistantMessage { turn, step, message, usage, interrupted }.into_draft();
    shared.log().append(vec![draft.derived_from(answer.seqs)]);
}

enum Wait {
    Over,
    Cancelled,
    Never,
}

async fn wait_for_retry(shared: &Shared, token: &CancellationToken, at: At, retry: u32, error: &LlmError) -> Wait {
    let provider = &shared.config.route.provider;
    let Some(delay) = provider.retry.delay(error, retry, (shared.config.random)()) else { return Wait::Never };
    let retry_id = uuid::Uuid::new_v4().to_string();
    let At { turn, step } = at;
    let failure = session::Failure::from(error.clone());
    let planned = json!({
        "retryId": retry_id, "turn": turn, "step": step, "provider": provider.id, "mode": "normal", "retry": retry,
        "maxRetries": provider.retry.max_retries, "delayMs": delay.as_millis() as u64, "failure": failure,
    });
    shared.log().append(vec![Payload::LlmRetry(planned).into_draft()]);
    tokio::select! {
        biased;
        () = token.cancelled() => return Wait::Cancelled,
        () = tokio::time::sleep(delay) => {}
    }
    let started = json!({"retryId": retry_id, "turn": turn, "step": step, "retry": retry});
    shared.log().append(vec![Payload::LlmRetryStarted(started).into_draft()]);
    Wait::Over
}
