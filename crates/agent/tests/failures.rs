//! What goes wrong: providers, cancels, disks, panics.

mod support;

use std::sync::Arc;
use std::time::Duration;

use agent::{AgentError, Delivery};
use llm::{LlmError, LlmErrorCode};
use serde_json::json;
use session::{Content, FinishReason, user_prompts};
use support::{Act, Behaviour, DEADLINE, SESSION, TestTool, World, call, fail, finish, stop, text};

#[tokio::test(start_paused = true)]
async fn a_refused_key_ends_the_turn_without_a_retry() {
    let world = World::new(vec![vec![fail(LlmErrorCode::Auth, "the key is refused")]], vec![]).await;
    world.turn("go").await;
    assert_eq!(world.shape().last().unwrap(), "turn/end error AUTH");
    assert_eq!(world.requests().len(), 1);
    let end = world.event(|event| event.kind == "turn/end").await;
    assert_eq!(end.data["reason"]["error"], json!({"message": "the key is refused", "code": "AUTH"}));
    assert!(!world.shape().iter().any(|line| line.starts_with("llm/retry")));
}

#[tokio::test(start_paused = true)]
async fn a_failing_provider_is_asked_again_after_the_wait_the_log_announces() {
    let script = vec![
        vec![text("lost"), fail(LlmErrorCode::Server, "503")],
        vec![fail(LlmErrorCode::Server, "503")],
        vec![text("there"), stop()],
    ];
    let world = World::new(script, vec![]).await;
    let began = tokio::time::Instant::now();
    world.turn("go").await;
    let shape = world.shape();
    let from = shape.iter().position(|line| line == "assistant/chunk text-delta").unwrap();
    let expected = [
        "assistant/chunk text-delta",
        "llm/retry 1 500ms",
        "llm/retry-started",
        "llm/retry 2 1000ms",
        "llm/retry-started",
        "assistant/chunk text-delta",
        "assistant/chunk finish",
        "assistant/message there",
        "step/end 1",
        "turn/end completed",
    ];
    assert_eq!(shape[from..], expected);
    assert!(began.elapsed() >= Duration::from_millis(1500), "waited {:?}", began.elapsed());
    let retry = world.event(|event| event.kind == "llm/retry").await.data;
    assert_eq!(retry["failure"], json!({"message": "503", "code": "SERVER"}));
    assert_eq!((&retry["provider"], &retry["maxRetries"]), (&json!("p1"), &json!(2)));
    let started = world.event(|event| event.kind == "llm/retry-started").await.data;
    assert_eq!(started["retryId"], retry["retryId"]);
}

#[tokio::test(start_paused = true)]
async fn retries_end_and_the_last_failure_is_told() {
    let script = (1..=3).map(|call| vec![fail(LlmErrorCode::Server, &format!("failure {call}"))]).collect();
    let world = World::new(script, vec![]).await;
    world.turn("go").await;
    let end = world.event(|event| event.kind == "turn/end").await;
    assert_eq!(end.data["reason"]["error"]["message"], "failure 3");
    assert_eq!(world.shape().iter().filter(|line| line.starts_with("llm/retry ")).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_an_end_or_with_an_error_end_is_a_failure() {
    let error = FinishReason::Error { message: Some("overloaded".to_owned()) };
    let script = vec![vec![text("half")], vec![finish(error)], vec![text("whole"), stop()]];
    let world = World::new(script, vec![]).await;
    world.turn("go").await;
    let codes: Vec<_> = world
        .log
        .events()
        .iter()
        .filter(|event| event.kind == "llm/retry")
        .map(|event| event.data["failure"]["code"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(codes, ["TRANSPORT", "SERVER"]);
    assert_eq!(world.shape().last().unwrap(), "turn/end completed");
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_retry_ends_with_a_cancel() {
    let mut slow = LlmError::new(LlmErrorCode::RateLimit, "later");
    slow.retry_after_ms = Some(10_000);
    let world = World::new(vec![vec![Act::Fail(slow)]], vec![]).await;
    world.prompt("r1", "go");
    world.event(|event| event.kind == "llm/retry").await;
    let began = tokio::time::Instant::now();
    world.agent.cancel();
    world.idle().await;
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!(world.shape().last().unwrap(), "turn/end aborted user");
}

#[tokio::test(start_paused = true)]
async fn cancel_keeps_what_was_shown_and_the_model_sees_it_next_time() {
    let script = vec![vec![text("so far"), Act::Hang], vec![text("again"), stop()]];
    let world = World::new(script, vec![]).await;
    world.prompt("r1", "go");
    world.event(|event| event.kind == "assistant/chunk").await;
    world.agent.cancel();
    world.idle().await;
    let shape = world.shape();
    let expected = ["assistant/message so far (interrupted)", "step/end 1", "turn/end aborted user"];
    assert_eq!(shape[shape.len() - 3..], expected);
    world.prompt("r2", "go on");
    world.idle().await;
    let asked: Vec<_> = world.requests()[1].messages.iter().map(session::Message::text).collect();
    assert_eq!(asked, ["go", "so far", "go on"]);
}

#[tokio::test(start_paused = true)]
async fn cancel_during_a_tool_waits_for_it_and_answers_the_calls_that_did_not_start() {
    let tool = TestTool::new("slow", Behaviour::UntilCancel);
    let calls =
        vec![call(0, "c1", "slow", json!({})), call(1, "c2", "slow", json!({})), finish(FinishReason::ToolCalls)];
    let world = World::new(vec![calls], vec![tool.clone()]).await;
    world.prompt("r1", "go");
    tool.began.notified().await;
    world.agent.cancel();
    world.idle().await;
    let shape = world.shape();
    let expected = [
        "tool/call c1",
        "tool/result c1 stopped early",
        "tool/call c2",
        "tool/result c2 The turn was cancelled before this tool started; it was not run. (error)",
        "step/end 1",
        "turn/end aborted user",
    ];
    assert_eq!(shape[shape.len() - 6..], expected);
    assert_eq!(tool.calls.lock().unwrap().len(), 1);
    let last = world.log.events().into_iter().rfind(|event| event.kind == "tool/result").unwrap();
    assert_eq!(last.data["error"]["code"], "ABORTED_BEFORE_DISPATCH");
}

#[tokio::test(start_paused = true)]
async fn a_tool_deaf_to_cancel_is_given_up() {
    let tool = TestTool::new("deaf", Behaviour::Deaf);
    let script = vec![vec![call(0, "c1", "deaf", json!({})), finish(FinishReason::ToolCalls)]];
    let world = World::new(script, vec![tool.clone()]).await;
    world.prompt("r1", "go");
    tool.began.notified().await;
    world.agent.cancel();
    world.idle().await;
    let line = "tool/result c1 the tool deaf did not stop within 5s of the cancel and was given up; what it did is \
                unknown. (error)";
    assert!(world.shape().contains(&line.to_owned()), "{:#?}", world.shape());
    assert_eq!(world.shape().last().unwrap(), "turn/end aborted user");
}

#[tokio::test(start_paused = true)]
async fn cancel_keeps_the_queue_until_the_next_prompt() {
    let script = vec![vec![Act::Hang], vec![stop()], vec![stop()]];
    let world = World::new(script, vec![]).await;
    world.prompt("r1", "a");
    world.event(|event| event.kind == "user/message").await;
    world.prompt("r2", "b");
    world.agent.cancel();
    world.idle().await;
    assert_eq!(user_prompts(&world.log.events()), ["a"]);
    world.prompt("r3", "c");
    world.idle().await;
    assert_eq!(user_prompts(&world.log.events()), ["a", "b", "c"]);
}

#[tokio::test(start_paused = true)]
async fn a_prompt_between_cancel_and_idle_runs() {
    let world = World::new(vec![vec![Act::Hang], vec![stop()]], vec![]).await;
    world.prompt("r1", "a");
    world.event(|event| event.kind == "user/message").await;
    world.agent.cancel();
    world.prompt("r2", "b");
    world.idle().await;
    assert_eq!(user_prompts(&world.log.events()), ["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn cancel_when_idle_changes_nothing() {
    let world = World::new(vec![vec![stop()]], vec![]).await;
    world.agent.cancel();
    assert_eq!(world.log.tail_seq(), -1);
    world.turn("go").await;
    world.agent.cancel();
    assert_eq!(world.shape().last().unwrap(), "turn/end completed");
}

#[tokio::test(start_paused = true)]
async fn an_adapter_that_panics_ends_its_turn_and_the_next_one_runs() {
    let world = World::new(vec![vec![text("half"), Act::Panic], vec![stop()]], vec![]).await;
    world.turn("go").await;
    let end = world.event(|event| event.kind == "turn/end").await;
    assert_eq!(end.data["reason"]["error"]["code"], "INTERNAL");
    let message = end.data["reason"]["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("the agent failed inside: the adapter broke;"), "{message}");
    world.prompt("r2", "again");
    world.idle().await;
    assert_eq!(world.shape().last().unwrap(), "turn/end completed");
    let durable = world.store.read(SESSION).await.unwrap();
    assert_eq!((durable.events, durable.repair), (world.log.events(), None));
}

/// Makes every write fail: the folder of the session becomes a file.
fn break_the_disk(world: &World) {
    let sessions = world.folder.path().join("sessions");
    let _ = std::fs::remove_dir_all(&sessions);
    std::fs::write(&sessions, "not a folder").unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_log_that_cannot_be_written_stops_the_turn_before_the_model_is_asked() {
    let world = World::new(vec![], vec![]).await;
    break_the_disk(&world);
    world.prompt("r1", "go");
    let end = world.event(|event| event.kind == "turn/end").await;
    assert_eq!(end.data["reason"]["error"]["code"], "PERSISTENCE");
    let message = end.data["reason"]["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("the session can't be written, so nothing more was done: cannot "), "{message}");
    assert!(world.requests().is_empty());
    assert!(matches!(world.agent.when_idle(DEADLINE).await, Err(AgentError::Store(_))));
}

#[tokio::test(start_paused = true)]
async fn a_log_that_cannot_be_written_stops_the_turn_before_a_tool_runs() {
    let tool = TestTool::new("look", Behaviour::Answer("x"));
    let gate = Arc::new(tokio::sync::Notify::new());
    let script =
        vec![vec![call(0, "c1", "look", json!({})), Act::Wait(Arc::clone(&gate)), finish(FinishReason::ToolCalls)]];
    let world = World::new(script, vec![tool.clone()]).await;
    world.prompt("r1", "go");
    world.event(|event| event.kind == "assistant/chunk").await;
    break_the_disk(&world);
    gate.notify_one();
    let end = world.event(|event| event.kind == "turn/end").await;
    assert_eq!(end.data["reason"]["error"]["code"], "PERSISTENCE");
    assert!(tool.calls.lock().unwrap().is_empty());
    let result = world.event(|event| event.kind == "tool/result").await;
    assert_eq!(result.data["error"]["code"], "PERSISTENCE");
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_idle_that_runs_out_says_what_goes_on() {
    let world = World::new(vec![vec![text("so far"), Act::Hang]], vec![]).await;
    world.prompt("r1", "go");
    world.prompt("r2", "next");
    world.event(|event| event.kind == "assistant/chunk").await;
    let message = world.agent.when_idle(Duration::from_secs(3)).await.unwrap_err().to_string();
    let start = "session session-1 is not idle after 3s: a turn runs; 1 queued for the next turn, 0 for the next step; \
                 last events:\n  #";
    assert!(message.starts_with(start), "{message}");
    assert!(message.contains("assistant/chunk {\"turn\":1,\"step\":1,\"chunk\":{\"type\":\"text-delta\""), "{message}");
}

#[tokio::test(start_paused = true)]
async fn closing_ends_the_turn_writes_it_and_takes_no_more_prompts() {
    let world = World::new(vec![vec![text("so far"), Act::Hang]], vec![]).await;
    world.prompt("r1", "go");
    world.event(|event| event.kind == "assistant/chunk").await;
    world.agent.close(DEADLINE).await.unwrap();
    assert_eq!(world.shape().last().unwrap(), "turn/end aborted disposed");
    assert_eq!(world.store.read(SESSION).await.unwrap().events, world.log.events());
    let refused = world.agent.prompt("r2", Delivery::Queue, vec![Content::text("x")]).unwrap_err();
    assert_eq!(refused.to_string(), "the agent of session session-1 is closed; open the session again");
}

#[tokio::test(start_paused = true)]
async fn an_agent_that_does_not_stop_in_time_is_given_up_and_named() {
    let tool = TestTool::new("deaf", Behaviour::Deaf);
    let script = vec![vec![call(0, "c1", "deaf", json!({})), finish(FinishReason::ToolCalls)]];
    let world = World::new(script, vec![tool.clone()]).await;
    world.prompt("r1", "go");
    tool.began.notified().await;
    let message = world.agent.close(Duration::from_secs(1)).await.unwrap_err().to_string();
    let start = "the agent of session session-1 did not stop within 1s and was given up; cancelled, the turn is not over \
                 yet;";
    assert!(message.starts_with(start), "{message}");
}
