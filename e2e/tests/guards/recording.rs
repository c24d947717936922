//! `DSH_SNAPSHOT=record` against a provider on loopback: what it writes is a fixture, and replays.

use anyhow::{Context as _, ensure};
use e2e::recorded::Conversation;
use e2e::{Lane, Scenario, Settings, SnapshotMode, Stage};
use replay::Script;
use scaffold::{Fixture, Provider};

use crate::bite::Suite;
use crate::logs;

const KEY: &str = "sk-0123456789abcdef-recording";

pub(crate) fn guards(suite: &mut Suite) {
    suite.judge("record_writes_a_fixture_that_replays", record_and_replay);
}

fn record_and_replay(lane: &Lane) -> anyhow::Result<()> {
    let before = logs::whole();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tool_round_trip/session.jsonl");
    std::fs::create_dir(path.parent().context("a folder")?)?;
    std::fs::write(&path, before.text())?;

    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let face = runtime.block_on(async {
        let answers = replay::face::answers(&Script::from_log(before.text(), "whole.jsonl")?)?;
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        anyhow::Ok(replay::face::serve(listener, "whole.jsonl", answers)?)
    })?;

    let provider = Provider { api_key: KEY.to_owned(), base_url: Some(face.base_url()) };
    let recording = Lane::new(
        "guards",
        Settings {
            mode: SnapshotMode::Record,
            provider: Some(provider),
            fixtures: folder.path().to_owned(),
            report: lane.settings().report.join("recording"),
            ..lane.settings().clone()
        },
    )?;
    let outcome = recording.run(&Scenario::new("recording", record).fixture("tool_round_trip"));
    recording.close()?;
    outcome.map_err(anyhow::Error::msg)?;
    face.assert_consumed()?;

    let after = Fixture::load(&path)?;
    ensure!(after.text() != before.text(), "record wrote nothing");
    ensure!(!after.text().contains(KEY) && !after.text().contains(&KEY[..12]), "the key is in the fixture");
    ensure!(
        after.header().id == "{{sessionId}}" && after.header().cwd.as_deref() == Some("{{cwd}}"),
        "run-local values"
    );
    let conversation = |fixture: &Fixture| Conversation::of(fixture.events());
    conversation(&before)?.compare(&conversation(&after)?, "the recording")?;
    lane.run(&Scenario::new("recording_replayed", record).log(after)).map_err(anyhow::Error::msg)?;
    Ok(())
}

async fn record(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    let turn = stage.host().next_turn();
    stage.send_recorded_prompt(0).await?;
    let settled = turn.settled().await?;
    stage.caught_up(&settled).await?;
    stage.record_fixture(&settled).await
}
