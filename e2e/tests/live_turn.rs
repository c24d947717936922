//! Turns in progress: a model script is consumed.

use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use e2e::{Golden, Scenario, Stage, Token};
use session::{Event, Payload, TurnEndReason};

fn main() -> ExitCode {
    e2e::lane("live_turn", vec![Scenario::new("tool_round_trip", tool_round_trip).fixture("tool_round_trip")])
}

/// One prompt, a real bash call, a final text, through page, wire, agent, tools and persistence.
async fn tool_round_trip(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage
        .golden(
            Golden::new("sidebar_before", "[data-region=sidebar]")
                .ready("[data-region=conversation][data-phase=hero]")
                .tokens(&[Token::WorkspaceName]),
        )
        .await?;

    let turn = stage.host().next_turn();
    stage.send_recorded_prompt(0).await?;
    let settled = turn.settled().await?;
    stage.caught_up(&settled).await?;

    // Whoever sends a prompt can go on typing.
    stage.page().get_by_role("textbox", "Message the agent").expect().to_be_focused().await?;

    let log = stage.host().durable_log(&settled.session_id).await?;
    check_world(stage, &log)?;

    stage
        .golden(
            Golden::new("conversation", "[data-region=conversation]")
                .ready("[data-region=conversation][data-phase=settled]")
                .tokens(&[Token::Clock, Token::Duration]),
        )
        .await?;
    stage
        .golden(
            Golden::new("sidebar", "[data-region=sidebar]")
                .ready("[data-region=sidebar] [role=treeitem][aria-selected=true]")
                .tokens(&[Token::WorkspaceName]),
        )
        .await?;

    stage.page().get_by_role("button", "Bash Print a short line").click().await?;
    stage
        .golden(
            Golden::new("tool_open", "[data-region=conversation] [data-row=tool]")
                .ready("[data-row=tool] button[aria-expanded=true]"),
        )
        .await?;

    let composer = stage.page().get_by_role("textbox", "Message the agent");
    composer.click().await?;
    composer.expect().to_be_enabled().await?;
    composer.expect().to_have_value("").await?;
    composer.press_sequentially("and again").await?;
    composer.expect().to_have_value("and again").await?;
    Ok(())
}

/// The durable log, not the page, says what happened.
fn check_world(stage: &Stage, log: &[Event]) -> anyhow::Result<()> {
    let payloads = log.iter().map(Event::payload).collect::<Result<Vec<_>, _>>()?;

    let ends: Vec<_> = payloads
        .iter()
        .filter_map(|payload| match payload {
            Payload::TurnEnd { reason, .. } => Some(reason),
            _ => None,
        })
        .collect();
    ensure!(ends == [&TurnEndReason::Completed], "one completed turn expected, the log has {ends:?}");

    let results: Vec<_> = payloads
        .iter()
        .filter_map(|payload| match payload {
            Payload::ToolResult { content, is_error, .. } => Some((content.as_slice(), *is_error)),
            _ => None,
        })
        .collect();
    let expected = [session::Content::text("the lane works\n")];
    ensure!(results == [(expected.as_slice(), false)], "the command's bytes expected, the log has {results:?}");

    let chunks = payloads.iter().filter(|payload| matches!(payload, Payload::AssistantChunk { .. })).count();
    ensure!(chunks > 10, "the answer should arrive in more than ten pieces, the log has {chunks}");

    let prompts = session::user_prompts(log);
    let recorded = stage.fixture().context("a replayed scenario")?.user_prompts();
    ensure!(prompts == recorded, "prompts {prompts:?} are not the fixture's {recorded:?}");
    Ok(())
}
