//! What goes wrong on the host's side.

use std::time::Duration;

use e2e::{Budget, Scenario, Stage};
use host::Patch;

use crate::bite::{Suite, recorded_prompt};
use crate::logs;

pub(crate) fn guards(suite: &mut Suite) {
    // A broken stream, the other one unless the client gave it up first, and the client that healed itself.
    let says = &["failed request", "/api/events.", "client counters differ", "reconnects: 1, declared 0"];
    suite.must_fail_with(2..=3, cut("dead_stream"), says);
    suite.must_pass(cut("dead_stream_that_was_declared").budget(Budget { reconnects: 1, gap_repairs: 0 }));
    suite.must_fail(
        Scenario::new("unknown_patch_id", opened).patch(patch("[[patch]]\nid = \"web.sever\"\nport = 1\n")),
        &["web.sever", "web.server"],
    );
    suite.must_fail(
        Scenario::new("leaked_child", recorded_prompt).log(logs::with_command(
            // The pipe: what leaves the tool's process group must have left it before the tool ends.
            "mkfifo left; setsid sh -c 'echo > left; exec sleep 321' >/dev/null 2>&1 & read < left; echo the lane works",
        )),
        &["leaked process", "sleep 321"],
    );
}

fn patch(text: &str) -> Patch {
    Patch::parse_toml(text, "a throwaway scenario").expect("a patch").remove(0)
}

/// Paced, so that there is a middle to cut in; the cut waits for the first streamed row, not for a time.
fn cut(name: &'static str) -> Scenario {
    Scenario::new(name, cut_in_mid_turn).log(logs::whole()).pace(Duration::from_millis(12))
}

async fn opened(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    Ok(())
}

async fn cut_in_mid_turn(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    let turn = stage.host().next_turn();
    stage.send_recorded_prompt(0).await?;
    stage.page().locator("[data-streaming]").first().expect().to_be_attached().await?;
    stage.host().server().cut_streams();
    let settled = turn.settled().await?;
    stage.connected().await?;
    stage.caught_up(&settled).await?;
    Ok(())
}
