//! The browser dies in mid-scenario.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use browser::Browser;
use e2e::{Lane, Scenario, Settings, SnapshotMode, Stage};

/// One clear error within 5 s, and no process left. In a lane of its own, since its browser does not survive.
pub(crate) fn one_clear_error() -> anyhow::Result<()> {
    let settings = Settings::from_env()?;
    let report = settings.report.join("browser-death");
    let lane = Lane::new("guards", Settings { mode: SnapshotMode::Replay, keep: false, report, ..settings })?;
    let browser = lane.browser()?.clone();
    let begun = Instant::now();
    let dying = browser.clone();
    let scenario = Scenario::new("browser_killed", async move |stage: &Stage| die_in_mid_wait(stage, &dying).await);
    let Err(failure) = lane.run(&scenario) else { bail!("the scenario passed without a browser") };
    let took = begun.elapsed();
    let message = failure.to_string();
    ensure!(message.contains("browser") && message.contains("gone"), "the message does not say it:\n{message}");
    let first = failure.findings.first().context("a finding")?;
    ensure!(failure.findings.len() == 1, "one error expected, got {}:\n{message}", failure.findings.len());
    ensure!(took < Duration::from_secs(5), "it took {took:?} to say: {first}");
    // Closing what is dead already must not fail the test file a second time.
    lane.close()?;
    let left = browser.processes();
    ensure!(left.is_empty(), "processes left: {left:?}");
    ensure!(!browser.folder().exists(), "the browser's folder {} is left", browser.folder().display());
    Ok(())
}

/// The wait is under way when the browser dies: both are polled in turn, the wait first.
async fn die_in_mid_wait(stage: &Stage, browser: &Browser) -> anyhow::Result<()> {
    stage.open().await?;
    let never = stage.page().locator("[data-phase=nowhere]").within(Duration::from_secs(60));
    let expectation = never.expect();
    let death = async {
        stage.page().title().await?;
        browser.kill();
        anyhow::Ok(())
    };
    let (waited, killed) = futures_util::future::join(expectation.to_be_attached(), death).await;
    killed?;
    Ok(waited?)
}
