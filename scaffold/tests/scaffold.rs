//! The scaffold without a browser: prompts go straight to the host's `Api`.

use std::path::Path;
use std::time::Duration;

use scaffold::{Budgets, Fixture, Model, Scaffold, ScaffoldError, ScaffoldOptions};
use session::{Content, Event, Payload};
use wire::{Api, CreatePayload, HistoryPayload, PromptMode, PromptPayload};

const LOG: &str = include_str!("../../fixtures/tool_round_trip/session.jsonl");
const COMMAND: &str = r#"\"command\": \"echo the lane works\""#;

fn fixture(text: &str) -> Fixture {
    Fixture::parse(text.to_owned(), Path::new("test.jsonl")).expect("a log")
}

/// The committed log with another command in its tool call: in the finished block and the message, and in the deltas
/// that the block replaces, which are left as they are.
fn with_command(command: &str) -> Fixture {
    let quoted = serde_json::json!(serde_json::json!(command).to_string()).to_string();
    let text = LOG.replace(COMMAND, &format!(r#"\"command\": {}"#, &quoted[1..quoted.len() - 1]));
    assert_ne!(text, LOG, "the committed log has another command than this test expects");
    fixture(&text)
}

async fn boot(model: Model) -> Scaffold {
    Scaffold::boot(ScaffoldOptions { model, ..Default::default() }).await.expect("boots")
}

/// Sends the fixture's prompt in a new session and waits for the turn's end; the durable log.
async fn one_turn(scaffold: &Scaffold, prompt: &str) -> Vec<Event> {
    let host = scaffold.host();
    let workspace = host.workspace_list().await.expect("workspaces").items.remove(0);
    let create = CreatePayload { workspace_id: workspace.workspace_id, session_id: None };
    let session_id = host.session_create(create).await.expect("a session").session_id;
    let turn = scaffold.next_turn();
    let content = vec![Content::text(prompt)];
    let payload = PromptPayload { session_id, mode: PromptMode::Queue, content };
    host.session_prompt("rpc-1", payload).await.expect("accepted");
    let settled = turn.settled().await.expect("settled");
    let log = scaffold.durable_log(&settled.session_id).await.expect("a log");
    assert_eq!(log.last().map(|event| event.seq as i64), Some(settled.tail_seq), "the log is on disk up to the tail");
    log
}

fn tool_result(log: &[Event]) -> String {
    log.iter()
        .find_map(|event| match event.payload().expect("a payload") {
            Payload::ToolResult { content, .. } => content.into_iter().find_map(|part| match part {
                Content::Text { text } => Some(text),
                _ => None,
            }),
            _ => None,
        })
        .expect("a tool result")
}

fn prompt() -> String {
    fixture(LOG).user_prompts().remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_runs_through_the_composition_and_close_leaves_nothing() {
    let scaffold = boot(Model::Replay(fixture(LOG))).await;
    let log = one_turn(&scaffold, &prompt()).await;
    assert_eq!(tool_result(&log), "the lane works\n");
    let (workspace, state) = (scaffold.workspace().to_owned(), scaffold.state_root().to_owned());
    assert!(workspace.exists() && state.exists());
    scaffold.close().await.expect("clean");
    assert!(!workspace.exists() && !state.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn scaffolds_stand_side_by_side_and_share_nothing() {
    let (first, second) = tokio::join!(boot(Model::None), boot(Model::None));
    assert_ne!(first.url(), second.url());
    assert_ne!(first.workspace(), second.workspace());
    assert_ne!(first.state_root(), second.state_root());
    let (first, second) = tokio::join!(first.close(), second.close());
    first.expect("clean");
    second.expect("clean");
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_see_nothing_of_this_process() {
    let scaffold = boot(Model::Replay(with_command("env | sort"))).await;
    let seen = tool_result(&one_turn(&scaffold, &prompt()).await);
    let names: Vec<&str> = seen.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name).collect();
    let shells_own = ["OLDPWD", "PWD", "SHLVL", "_"];
    let handed_in: Vec<&str> = names.into_iter().filter(|name| !shells_own.contains(name)).collect();
    assert_eq!(handed_in, ["DSH_SCAFFOLD", "HOME", "LANG", "PATH", "TZ"], "{seen}");
    assert!(!seen.contains(env!("CARGO_MANIFEST_DIR")), "{seen}");
    scaffold.close().await.expect("clean");
}

#[tokio::test(flavor = "multi_thread")]
async fn close_reports_every_failure_and_the_first_is_not_masked() {
    // The pipe: what leaves the tool's process group must have left it before the tool ends.
    let leaking = "mkfifo left; setsid sh -c 'echo > left; exec sleep 322' >/dev/null 2>&1 & read < left";
    let log = with_command(leaking);
    let first_call_and_more = Model::Replay(log);
    let scaffold = boot(first_call_and_more).await;
    one_turn(&scaffold, &prompt()).await;
    // A call nobody recorded: the script is exhausted.
    one_turn(&scaffold, "once more").await;
    let workspace = scaffold.workspace().to_owned();
    let error = scaffold.close().await.expect_err("two failures");
    let message = error.to_string();
    assert_eq!(error.failures.len(), 2, "{message}");
    assert!(error.failures[0].starts_with("replay: "), "{message}");
    assert!(error.failures[1].contains("leaked process") && error.failures[1].contains("sleep 322"), "{message}");
    assert!(!workspace.exists(), "folders are removed all the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seeded_session_is_cold_and_reading_it_opens_nothing() {
    let scaffold = boot(Model::None).await;
    let seeded = scaffold.seed(&fixture(LOG)).await.expect("seeded");
    let listed = scaffold.host().session_list().await.expect("list").items;
    assert_eq!(listed.iter().map(|row| row.session_id.as_str()).collect::<Vec<_>>(), [&seeded.session_id]);
    assert_eq!(listed[0].cwd.as_deref(), scaffold.workspace().to_str(), "the recorded directory is this one");
    let payload = HistoryPayload { session_id: seeded.session_id, before_seq: None, max_messages: None };
    let page = scaffold.host().session_history(payload).await.expect("history");
    assert_eq!(page.events.last().map(|event| event.seq as i64), Some(seeded.tail_seq));
    assert!(scaffold.host().attached_sessions().is_empty(), "no agent was started");
    scaffold.close().await.expect("clean");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_for_a_turn_that_never_comes_says_what_the_host_saw() {
    let budgets = Budgets { event: Duration::from_millis(50), ..Budgets::default() };
    let options = ScaffoldOptions { budgets, ..Default::default() };
    let scaffold = Scaffold::boot(options).await.expect("boots");
    let error = scaffold.next_turn().settled().await.expect_err("no turn");
    assert!(matches!(error, ScaffoldError::NoTurnEnd { .. }), "{error}");
    assert!(error.to_string().starts_with("no turn ended within 50ms"), "{error}");
    scaffold.close().await.expect("clean");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patch_of_no_row_fails_boot_and_names_the_nearest() {
    let patches =
        host::Patch::parse_toml("[[patch]]\nid = \"tool.bish\"\ntimeout-ms = 1\n", "this test").expect("patch");
    let options = ScaffoldOptions { patches, ..Default::default() };
    let Err(error) = Scaffold::boot(options).await else { panic!("it booted") };
    let message = error.to_string();
    for expected in ["tool.bish", "tool.bash", "this test"] {
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_fixture_that_does_not_read_names_file_and_line() {
    let broken = LOG.replacen("\"type\":\"step/start\"", "\"type\":\"step/strat\"", 1);
    let message = Fixture::parse(broken, Path::new("a/session.jsonl")).expect_err("broken").to_string();
    assert!(message.starts_with("fixture a/session.jsonl: line 5: "), "{message}");
    let message = Fixture::load(Path::new("no/such.jsonl")).expect_err("missing").to_string();
    assert!(message.contains("no/such.jsonl") && message.contains("DSH_SNAPSHOT=record"), "{message}");
}
