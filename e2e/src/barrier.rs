use std::time::Duration;

use anyhow::Context as _;
use client::Diagnostics;
use scaffold::Settled;
use serde::Deserialize;

use crate::Stage;

/// Waits in the page, frame by frame, until `accept(state)` holds, then for one more frame in which nothing changed.
/// One call, no polling over the wire. Resolves to `{ok, state}`.
const WAIT: &str = r"async (accept, deadlineMs) => {
    const accepts = new Function('state', `return (${accept});`);
    const frame = () => new Promise(done => requestAnimationFrame(() => done()));
    const read = () => globalThis.__dsh ? globalThis.__dsh.state() : 'null';
    const until = performance.now() + deadlineMs;
    let text = read();
    for (;;) {
        const state = JSON.parse(text);
        if (state && accepts(state)) {
            await frame();
            const next = read();
            if (next === text) return { ok: true, state };
            text = next;
        } else {
            if (performance.now() > until) return { ok: false, state };
            await frame();
            text = read();
        }
        if (performance.now() > until) return { ok: false, state: JSON.parse(text) };
    }
}";

#[derive(Deserialize)]
struct Answer {
    ok: bool,
    state: serde_json::Value,
}

impl Stage {
    /// The page half of the barrier: the page has applied the log up to the host's tail and shown it.
    pub async fn caught_up(&self, settled: &Settled) -> anyhow::Result<Diagnostics> {
        let id = serde_json::json!(settled.session_id);
        let accept = format!(
            "state.sessions[{id}] && state.sessions[{id}].appliedSeq >= {} && !state.sessions[{id}].running \
             && !state.publicationPending && state.pendingCalls === 0",
            settled.tail_seq
        );
        self.when_page(&accept, &format!("the page to apply {} up to {}", settled.session_id, settled.tail_seq)).await
    }

    /// The page is connected and nothing is under way.
    pub async fn connected(&self) -> anyhow::Result<Diagnostics> {
        self.when_page(
            "state.connection === 'connected' && !state.publicationPending && state.pendingCalls === 0",
            "the page to be connected and at rest",
        )
        .await
    }

    /// Waits until the page's own state satisfies the JavaScript expression `accept` over `state`; `what` is named
    /// when the budget runs out, with the state seen last.
    pub async fn when_page(&self, accept: &str, what: &str) -> anyhow::Result<Diagnostics> {
        let budget = self.event_budget();
        let args = [serde_json::json!(accept), serde_json::json!(budget.as_millis() as u64)];
        // The page gives up by itself; the call's own deadline only catches a page that does not run at all.
        let deadline = budget + Duration::from_secs(5);
        let answer: Answer =
            self.page().evaluate_within(WAIT, &args, deadline).await.with_context(|| format!("waiting for {what}"))?;
        if !answer.ok {
            let state = serde_json::to_string_pretty(&answer.state)?;
            anyhow::bail!("waited {budget:?} for {what}; the page's state then:\n{state}");
        }
        serde_json::from_value(answer.state).context("the page's state has another shape than the lane expects")
    }
}
