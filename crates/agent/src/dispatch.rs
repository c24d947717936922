//! Tool calls of one answer: recorded before they run, answered in the model's order.

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use serde_json::json;
use session::{Content, Message, MessageSource, Payload, Role, TurnEndReason};
use tokio_util::sync::CancellationToken;
use tools::{Invocation, Tool, ToolOutput};

use crate::call::ToolCall;
use crate::driver::panic_text;
use crate::handle::Shared;
use crate::turn::{At, checkpoint};

/// Why a call was answered without being run: an error code for readers, words for the model.
#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    code: &'static str,
    text: &'static str,
}

const ABORTED: Refusal = Refusal {
    code: "ABORTED_BEFORE_DISPATCH",
    text: "The turn was cancelled before this tool started; it was not run.",
};
const NOT_WRITTEN: Refusal = Refusal {
    code: "PERSISTENCE",
    text: "The session could not be written before this tool started, so it was not run.",
};
/// The answer hit the output limit.
pub(crate) const CUT_OFF: Refusal = Refusal {
    code: "MAX_TOKENS",
    text: "The answer reached the output limit, so this call may be incomplete; it was not run.",
};

/// Runs the calls: neighbours that are parallel-safe side by side, every other one alone. `Err` ends the turn; every
/// call has its result in any case.
pub(crate) async fn run(
    shared: &Shared,
    token: &CancellationToken,
    at: At,
    calls: Vec<ToolCall>,
) -> Result<(), TurnEndReason> {
    let mut rest = calls.as_slice();
    while !rest.is_empty() {
        if token.is_cancelled() {
            refuse(shared, at, rest, ABORTED);
            return Ok(());
        }
        let parallel = rest.iter().take_while(|call| is_parallel_safe(shared, call)).count();
        let (group, after) = rest.split_at(parallel.max(1));
        let seqs: Vec<_> = group.iter().map(|call| record_call(shared, at, call)).collect();
        if let Some(failed) = checkpoint(shared).await {
            for (call, seq) in group.iter().zip(seqs) {
                record_refusal(shared, at, call, seq, NOT_WRITTEN);
            }
            refuse(shared, at, after, NOT_WRITTEN);
            return Err(failed);
        }
        let runs: Vec<_> = group.iter().map(|call| run_one(shared, token, call)).collect();
        let mut outputs = stream::iter(runs).buffered(shared.config.limits.parallel_tools.max(1));
        for (call, seq) in group.iter().zip(seqs) {
            // As many outputs as calls.
            let Some(output) = outputs.next().await else { break };
            record_result(shared, at, call, seq, output);
        }
        rest = after;
    }
    Ok(())
}

/// Records the calls with a result that says why they were not run.
pub(crate) fn refuse(shared: &Shared, at: At, calls: &[ToolCall], refusal: Refusal) {
    for call in calls {
        let seq = record_call(shared, at, call);
        record_refusal(shared, at, call, seq, refusal);
    }
}

fn find<'a>(shared: &'a Shared, call: &ToolCall) -> Option<&'a Arc<dyn Tool>> {
    shared.config.tools.iter().find(|tool| tool.spec().name == call.name)
}

fn is_parallel_safe(shared: &Shared, call: &ToolCall) -> bool {
    find(shared, call).is_some_and(|tool| tool.parallel_safe())
}

/// One call in a task of its own, so that its panic stays there.
async fn run_one(shared: &Shared, token: &CancellationToken, call: &ToolCall) -> ToolOutput {
    let config = &shared.config;
    let Some(tool) = find(shared, call).cloned() else {
        let names: Vec<_> = config.tools.iter().map(|tool| tool.spec().name).collect();
        return ToolOutput::error(format!("there is no tool {}; there are: {}.", call.name, names.join(", ")));
    };
    let invocation = Invocation {
        call_id: call.id.clone(),
        arguments: call.arguments.clone(),
        cwd: config.cwd.clone(),
        env: config.env.clone(),
        cancel: token.child_token(),
    };
    let mut task = AbortOnDrop(tokio::spawn(async move { tool.run(invocation).await }));
    let given_up = async {
        token.cancelled().await;
        tokio::time::sleep(config.limits.cancel_grace).await;
    };
    tokio::select! {
        biased;
        outcome = &mut task.0 => match outcome {
            Ok(output) => output,
            Err(error) => {
                let text = error.try_into_panic().map_or_else(|error| error.to_string(), |panic| panic_text(&*panic));
                ToolOutput::error(format!("the tool {} failed inside: {text}. Try another way.", call.name))
            }
        },
        () = given_up => ToolOutput::error(format!(
            "the tool {} did not stop within {:?} of the cancel and was given up; what it did is unknown.",
            call.name, config.limits.cancel_grace
        )),
    }
}

/// A call that is dropped or given up takes its task along.
struct AbortOnDrop(tokio::task::JoinHandle<ToolOutput>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn record_call(shared: &Shared, At { turn, step }: At, call: &ToolCall) -> u64 {
    let ToolCall { id, name, arguments } = call;
    let (call_id, name, arguments) = (id.clone(), name.clone(), arguments.clone());
    let draft = Payload::ToolCall { turn, step, call_id, name, arguments }.into_draft();
    // One draft gives one event.
    shared.log().append(vec![draft]).first().map_or(0, |event| event.seq)
}

fn record_result(shared: &Shared, at: At, call: &ToolCall, call_seq: u64, output: ToolOutput) {
    shared.log().append(vec![result(at, call, output).derived_from(vec![call_seq])]);
}

fn record_refusal(shared: &Shared, at: At, call: &ToolCall, call_seq: u64, refusal: Refusal) {
    let mut draft = result(at, call, ToolOutput::error(refusal.text)).derived_from(vec![call_seq]);
    draft.data["error"] = json!({"name": "NotRunError", "code": refusal.code});
    shared.log().append(vec![draft]);
}

fn result(At { turn, step }: At, call: &ToolCall, output: ToolOutput) -> session::EventDraft {
    let ToolOutput { content, is_error, meta } = output;
    let content = vec![Content::text(content)];
    let message = Message {
        id: uuid::Uuid::new_v4().to_string(),
        role: Role::Tool,
        content: vec![Content::ToolResult { tool_call_id: call.id.clone(), content: content.clone(), is_error }],
        source: MessageSource::new("tool").with("callId", call.id.as_str()),
    };
    Payload::ToolResult { turn, step, call_id: call.id.clone(), content, is_error, message, meta }.into_draft()
}
