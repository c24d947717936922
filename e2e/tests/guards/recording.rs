//! `DSH_SNAPSHOT=record` against a provider on loopback: what it writes is a fixture, and replays.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use e2e::recorded::Conversation;
use e2e::{Lane, Scenario, Settings, SnapshotMode};
use replay::Script;
use replay::face::{Answer, Face};
use scaffold::{Fixture, Provider};

use crate::bite::{Suite, recorded_prompt};
use crate::logs;

const KEY: &str = "sk-0123456789abcdef-recording";

pub(crate) fn guards(suite: &mut Suite) {
    suite.judge("record_writes_a_fixture_that_replays", record_and_replay);
    suite.judge("refused_recording_keeps_the_fixture", refused);
}

fn record_and_replay(lane: &Lane) -> anyhow::Result<()> {
    let before = logs::whole();
    let (folder, path) = a_fixture()?;
    let runtime = runtime()?;
    let answers = replay::face::answers(&Script::from_log(before.text(), "whole.jsonl")?)?;
    let face = serve(&runtime, answers)?;
    let recording = recording_lane(lane, folder.path(), &face, "recording")?;
    let outcome = recording.run(&Scenario::new("recording", recorded_prompt).fixture("tool_round_trip"));
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
    lane.run(&Scenario::new("recording_replayed", recorded_prompt).log(after)).map_err(anyhow::Error::msg)?;
    Ok(())
}

/// A provider that refuses: the scenario fails, and the fixture there is stays.
fn refused(lane: &Lane) -> anyhow::Result<()> {
    let (folder, path) = a_fixture()?;
    let before = std::fs::read_to_string(&path)?;
    let runtime = runtime()?;
    let face = serve(&runtime, vec![Answer::refusal(401, "no such key")])?;
    let recording = recording_lane(lane, folder.path(), &face, "refused")?;
    let outcome = recording.run(&Scenario::new("refused_recording", recorded_prompt).fixture("tool_round_trip"));
    recording.close()?;
    let Err(failure) = outcome else { bail!("a refused recording passed") };
    let message = failure.to_string();
    ensure!(message.contains("left as it is, since turn 1 failed") && message.contains("AUTH"), "{message}");
    ensure!(std::fs::read_to_string(&path)? == before, "a refused recording replaced the fixture");
    Ok(())
}

/// The committed fixture in a folder of its own.
fn a_fixture() -> anyhow::Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tool_round_trip/session.jsonl");
    std::fs::create_dir(path.parent().context("a folder")?)?;
    std::fs::write(&path, logs::whole().text())?;
    Ok((folder, path))
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

fn serve(runtime: &tokio::runtime::Runtime, answers: Vec<Answer>) -> anyhow::Result<Face> {
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        Ok(replay::face::serve(listener, "whole.jsonl", answers)?)
    })
}

fn recording_lane(lane: &Lane, fixtures: &Path, face: &Face, report: &str) -> anyhow::Result<Lane> {
    let settings = lane.settings();
    Lane::new(
        "guards",
        Settings {
            mode: SnapshotMode::Record,
            provider: Some(Provider { api_key: KEY.to_owned(), base_url: Some(face.base_url()) }),
            fixtures: fixtures.to_owned(),
            report: settings.report.join(report),
            ..settings.clone()
        },
    )
}
