//! What goes wrong between script and calls.

use anyhow::{Context as _, bail, ensure};
use e2e::{Lane, Scenario, Stage};

use crate::bite::{Suite, recorded_prompt};
use crate::logs;

pub(crate) fn guards(suite: &mut Suite) {
    suite.must_pass(Scenario::new("whole_script_passes", recorded_prompt).log(logs::whole()));
    suite.must_fail(Scenario::new("stray_model_call", any_prompt), &["stray model call", "has no fixture"]);
    suite.must_fail(
        Scenario::new("script_left_over", recorded_prompt).log(logs::one_turn_more()),
        &["one-turn-more.jsonl", "not", "consumed"],
    );
    suite.must_fail(
        Scenario::new("script_too_short", recorded_prompt).log(logs::first_call_only()),
        &["first-call-only.jsonl", "exhausted"],
    );
    suite.judge("evidence_of_a_turn", evidence_of_a_turn);
    suite.must_fail(
        Scenario::new("wrong_prompt", any_prompt).log(logs::whole()),
        &["prompt", "something else entirely", "echo the lane works"],
    );
}

/// The evidence of a failed turn holds the turn.
fn evidence_of_a_turn(lane: &Lane) -> anyhow::Result<()> {
    let scenario = Scenario::new("evidence_of_a_turn", any_prompt).log(logs::whole());
    let Err(failure) = lane.run(&scenario) else { bail!("the guard did not bite") };
    let folder = failure.evidence.context("evidence")?;
    for (file, holds) in [
        ("host-events.jsonl", "something else entirely"),
        ("frames.jsonl", "session/subscribed"),
        ("model-calls.txt", "something else entirely"),
        ("requests.txt", "/api/session.prompt"),
        ("snapshot.yaml", "It printed"),
        ("page-state.json", "appliedSeq"),
        ("index.html", "something else entirely"),
        ("index.html", "href=trace.html"),
        ("trace.html", "It printed"),
    ] {
        let text = std::fs::read_to_string(folder.join(file)).with_context(|| format!("evidence {file}"))?;
        ensure!(text.contains(holds), "evidence {file} lacks {holds:?}:\n{text}");
    }
    Ok(())
}

async fn any_prompt(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    let turn = stage.host().next_turn();
    stage.send("something else entirely").await?;
    stage.caught_up(&turn.settled().await?).await?;
    Ok(())
}
