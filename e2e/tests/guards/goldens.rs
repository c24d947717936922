//! What goes wrong with goldens.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use e2e::{Golden, GoldenStore, Scenario, SnapshotMode, Stage, Token};

use crate::bite::Suite;

/// What a failure leaves, at least.
const EVIDENCE: [&str; 9] = [
    "index.html",
    "screenshot.png",
    "snapshot.yaml",
    "diff.txt",
    "host-events.jsonl",
    "frames.jsonl",
    "console.txt",
    "driver.log",
    "trace.html",
];

/// No session was open and the page had nothing to complain of.
const EMPTY_WITHOUT_A_SESSION: [&str; 3] = ["host-events.jsonl", "frames.jsonl", "console.txt"];

const REGION: &str = "[data-region=sidebar]";

pub(crate) fn guards(suite: &mut Suite) {
    suite.judge("spoiled_golden", |lane| {
        let folder = tempfile::tempdir()?;
        let store = |mode| GoldenStore::new(folder.path().to_owned(), mode);
        let scenario = |mode| Scenario::new("spoiled_golden", sidebar).goldens(store(mode));

        lane.run(&scenario(SnapshotMode::Refresh)).map_err(anyhow::Error::msg)?;
        let path = store(SnapshotMode::Replay).path("spoiled_golden", "sidebar");
        let written = std::fs::read_to_string(&path)?;
        lane.run(&scenario(SnapshotMode::Refresh)).map_err(anyhow::Error::msg)?;
        ensure!(std::fs::read_to_string(&path)? == written, "a second refresh changed the golden");
        lane.run(&scenario(SnapshotMode::Replay)).map_err(anyhow::Error::msg)?;

        let spoiled = written.replacen("\"New session\"", "\"Old session\"", 1);
        ensure!(spoiled != written, "the sidebar has no button New session to spoil:\n{written}");
        std::fs::write(&path, &spoiled)?;
        let Err(failure) = lane.run(&scenario(SnapshotMode::Replay)) else { bail!("a spoiled golden passed") };
        let message = failure.to_string();
        for expected in ["Old session", "New session", "DSH_SNAPSHOT=refresh cargo test -p e2e spoiled_golden"] {
            ensure!(message.contains(expected), "the message lacks {expected:?}:\n{message}");
        }
        ensure!(std::fs::read_to_string(&path)? == spoiled, "replay wrote a golden");
        let evidence = failure.evidence.context("evidence")?;
        for file in EVIDENCE {
            let bytes = std::fs::metadata(evidence.join(file)).with_context(|| format!("evidence {file}"))?.len();
            ensure!(bytes > 0 || EMPTY_WITHOUT_A_SESSION.contains(&file), "evidence {file} is empty");
        }
        Ok(())
    });
    suite.judge("missing_golden", |lane| {
        let folder = tempfile::tempdir()?;
        let store = GoldenStore::new(folder.path().to_owned(), SnapshotMode::Replay);
        let Err(failure) = lane.run(&Scenario::new("missing_golden", sidebar).goldens(store)) else {
            bail!("a missing golden passed")
        };
        let message = failure.to_string();
        let command = "DSH_SNAPSHOT=refresh cargo test -p e2e missing_golden";
        ensure!(message.contains("missing") && message.contains(command), "{message}");
        ensure!(std::fs::read_dir(folder.path())?.next().is_none(), "replay wrote a golden");
        Ok(())
    });
    suite.must_fail(Scenario::new("undeclared_volatile_value", undeclared), &["workspace-name", "declare"]);
    suite.must_fail(Scenario::new("volatile_value_that_never_occurs", never_occurs), &["duration", "never"]);
    suite.must_fail(
        Scenario::new("readiness_anchor_that_never_comes", no_anchor).event_budget(Duration::from_secs(1)),
        &["golden sidebar", "readiness anchor [data-phase=nowhere]", "call log"],
    );
}

fn declared() -> Golden {
    Golden::new("sidebar", REGION).tokens(&[Token::WorkspaceName])
}

async fn sidebar(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage.golden(declared()).await
}

async fn undeclared(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage.golden(Golden::new("sidebar", REGION)).await
}

async fn never_occurs(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage.golden(declared().tokens(&[Token::Duration])).await
}

async fn no_anchor(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage.golden(declared().ready("[data-phase=nowhere]")).await
}
