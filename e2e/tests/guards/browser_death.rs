//! The browser dies in mid-scenario.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use e2e::{Lane, Scenario, Settings, SnapshotMode, Stage};

/// One clear error within 5 s, and no process left. In a lane of its own, since its browser does not survive.
pub(crate) fn one_clear_error() -> anyhow::Result<()> {
    let settings = Settings::from_env()?;
    let report = settings.report.join("browser-death");
    let lane = Lane::new("guards", Settings { mode: SnapshotMode::Replay, keep: false, report, ..settings })?;
    let group = lane.browser()?.process_group();
    let begun = Instant::now();
    let Err(failure) = lane.run(&Scenario::new("browser_killed", wait_for_what_never_comes)) else {
        bail!("the scenario passed without a browser")
    };
    let took = begun.elapsed();
    let message = failure.to_string();
    ensure!(message.contains("browser") && message.contains("gone"), "the message does not say it:\n{message}");
    let first = failure.findings.first().context("a finding")?;
    ensure!(failure.findings.len() == 1, "one error expected, got {}:\n{message}", failure.findings.len());
    ensure!(took < Duration::from_secs(5), "it took {took:?} to say: {first}");
    lane.close()?;
    let left = browser::processes_of_group(group);
    ensure!(left.is_empty(), "processes left: {left:?}");
    Ok(())
}

async fn wait_for_what_never_comes(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    let kill = std::thread::spawn(|| ());
    kill.join().map_err(|_| anyhow::anyhow!("thread"))?;
    stage.browser_for_killing().kill();
    stage.page().locator("[data-phase=nowhere]").wait_for_attached(Duration::from_secs(60)).await?;
    Ok(())
}
