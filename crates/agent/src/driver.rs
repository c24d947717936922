//! The agent's task: one turn after the other.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::json;
use session::{Failure, TurnEndReason};
use tokio_util::sync::CancellationToken;

use crate::handle::{Running, Shared, Status};
use crate::turn;

/// Runs until the agent is closed.
pub(crate) async fn run(shared: Arc<Shared>) {
    loop {
        let Some(token) = next(&shared).await else { return };
        // A panic in an adapter must not leave a turn open for ever.
        if let Err(panic) = AssertUnwindSafe(turn::run(&shared, &token)).catch_unwind().await {
            close_open_turn(&shared, &panic_text(panic.as_ref()));
        }
        finish(&shared);
    }
}

/// The token of the next turn, when there is one; `None` once closed.
async fn next(shared: &Shared) -> Option<CancellationToken> {
    loop {
        {
            let state = shared.state();
            if state.closed {
                return None;
            }
            if let Some(running) = &state.running {
                return Some(running.token.clone());
            }
        }
        shared.wake.notified().await;
    }
}

/// After a turn: on to the next one, or idle.
fn finish(shared: &Shared) {
    let mut state = shared.state();
    if !state.closed && !state.parked && !state.inbox.is_empty() {
        state.running = Some(Running::new());
    } else {
        state.running = None;
        shared.status.send_replace(Status::Idle);
    }
}

fn close_open_turn(shared: &Shared, panic: &str) {
    let mut drafts = shared.log().read(session::balance);
    if let Some(end) = drafts.last_mut() {
        let error = Failure {
            message: format!("the agent failed inside: {panic}; send the prompt again, and report it if it stays"),
            code: "INTERNAL".to_owned(),
            status: None,
            provider_retry_after_ms: None,
            request_id: None,
        };
        end.data["reason"] = json!(TurnEndReason::Error { error });
    }
    shared.log().append(drafts);
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned())
}
