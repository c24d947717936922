//! Cold sessions, seeded through the persistence API: no model call at all.

use std::process::ExitCode;

use e2e::{Golden, Scenario, Stage, Token};

fn main() -> ExitCode {
    e2e::lane("cold_history", vec![Scenario::new("cold_history", cold_history).cold_fixture("tool_round_trip")])
}

/// A seeded session opens from the sidebar, and a reload shows the same.
async fn cold_history(stage: &Stage) -> anyhow::Result<()> {
    let seeded = stage.host().seed(stage.fixture()?).await?;
    stage.open().await?;
    stage.page().get_by_role("treeitem", "Run `echo the lane works`,").click().await?;
    stage.caught_up(&seeded).await?;
    stage.golden(transcript()).await?;

    stage.reload().await?;
    stage.caught_up(&seeded).await?;
    stage.golden(transcript()).await
}

fn transcript() -> Golden {
    Golden::new("transcript", "[data-region=conversation]")
        .ready("[data-region=conversation][data-phase=settled]")
        .tokens(&[Token::Clock, Token::Duration])
}
