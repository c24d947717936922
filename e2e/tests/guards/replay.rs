//! What goes wrong between script and calls.

use e2e::{Scenario, Stage};

use crate::bite::Suite;
use crate::logs;

pub(crate) fn guards(suite: &mut Suite) {
    suite.must_pass(Scenario::new("whole_script_passes", recorded_prompt).log(logs::whole()));
    suite.must_fail(Scenario::new("stray_model_call", any_prompt), &["without a fixture"]);
    suite.must_fail(
        Scenario::new("script_left_over", recorded_prompt).log(logs::one_turn_more()),
        &["one-turn-more.jsonl", "not", "consumed"],
    );
    suite.must_fail(
        Scenario::new("script_too_short", recorded_prompt).log(logs::first_call_only()),
        &["first-call-only.jsonl", "exhausted"],
    );
    suite.must_fail(
        Scenario::new("wrong_prompt", any_prompt).log(logs::whole()),
        &["prompt", "something else entirely", "echo the lane works"],
    );
}

async fn recorded_prompt(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    let turn = stage.host().next_turn();
    stage.send_recorded_prompt(0).await?;
    stage.caught_up(&turn.settled().await?).await?;
    Ok(())
}

async fn any_prompt(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    let turn = stage.host().next_turn();
    stage.send("something else entirely").await?;
    stage.caught_up(&turn.settled().await?).await?;
    Ok(())
}
