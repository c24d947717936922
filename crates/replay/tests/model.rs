//! Binding, cursor, pacing, abort and consumption of the replay model.

mod support;

use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _};
use llm::{Adapter as _, LlmError, LlmErrorCode};
use replay::{Position, ReplayModel, ReplayOptions};
use session::Chunk;
use support::{request, script};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

const BURST: ReplayOptions = ReplayOptions { pace: None, reuse: false };
const REUSE: ReplayOptions = ReplayOptions { pace: None, reuse: true };

/// The text of a call, or its error.
async fn call(model: &ReplayModel, session: &str) -> Result<String, LlmError> {
    let mut stream = model.stream(request(session), CancellationToken::new());
    let mut text = String::new();
    while let Some(chunk) = stream.next().await {
        if let Chunk::TextDelta { text: piece, .. } = chunk? {
            text.push_str(&piece);
        }
    }
    Ok(text)
}

async fn refused(model: &ReplayModel, session: &str) -> String {
    let error = call(model, session).await.unwrap_err();
    assert_eq!(error.code, LlmErrorCode::Replay);
    error.message
}

fn fault(model: &ReplayModel) -> String {
    model.assert_consumed().unwrap_err().to_string()
}

#[tokio::test]
async fn sessions_take_scripts_in_the_order_of_their_first_calls() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1", "a2"]), script("b.jsonl", &["b1", "b2"])], BURST);
    let mut said = Vec::new();
    for session in ["main", "child", "child", "main"] {
        said.push(call(&model, session).await.unwrap());
    }
    assert_eq!(said, ["a1", "b1", "b2", "a2"]);
    let served: Vec<_> = model.calls().iter().map(|call| call.answered_by.unwrap()).collect();
    assert_eq!(served, [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(script, call)| Position { script, call }),);
    model.assert_consumed().unwrap();
}

#[tokio::test]
async fn the_cursor_moves_at_the_time_of_the_call() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1", "a2"])], BURST);
    let first = model.stream(request("main"), CancellationToken::new());
    assert_eq!(call(&model, "main").await.unwrap(), "a2");
    drop(first);
    model.assert_consumed().unwrap();
}

#[tokio::test]
async fn whole_requests_are_captured() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1"])], BURST);
    let mut sent = request("main");
    sent.system = "You help.".to_owned();
    drop(model.stream(sent.clone(), CancellationToken::new()));
    assert_eq!(model.calls()[0].request, sent);
}

#[tokio::test]
async fn an_exhausted_script_fails_the_call_and_the_scenario() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1"])], BURST);
    call(&model, "main").await.unwrap();
    let message = "script exhausted: session main asked for call 2, a.jsonl has 1; \
                   record the fixture again, or find the extra model call";
    assert_eq!(refused(&model, "main").await, message);
    assert_eq!(fault(&model), message);
    assert_eq!(model.calls()[1].answered_by, None);
}

#[tokio::test]
async fn a_session_without_a_script_fails_the_call_and_the_scenario() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1"])], BURST);
    call(&model, "main").await.unwrap();
    let message = "model call from an unrecorded session: other calls, but all 1 script(s) are bound to other \
                   sessions; record one log a session, or find the extra session";
    assert_eq!(refused(&model, "other").await, message);
    assert_eq!(fault(&model), message);
}

#[tokio::test]
async fn a_script_nobody_called_for_is_unbound() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1"]), script("b.jsonl", &["b1", "b2"])], BURST);
    call(&model, "main").await.unwrap();
    assert_eq!(
        fault(&model),
        "unbound script: no session called for b.jsonl (2 call(s)); \
         drive the session it was recorded from, or remove it"
    );
}

#[tokio::test]
async fn calls_left_over_are_not_consumed() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1", "a2", "a3"])], BURST);
    call(&model, "main").await.unwrap();
    assert_eq!(
        fault(&model),
        "script not consumed: session main made 1 of 3 call(s) of a.jsonl; \
         drive the scenario to its end, or record the fixture again"
    );
}

#[tokio::test]
async fn a_call_without_a_fixture_fails_and_is_remembered() {
    let model = ReplayModel::without_fixture();
    model.assert_consumed().unwrap();
    let message = "stray model call: session main called replay/replay-128k, but this scenario has no fixture; \
                   give it one, or find what calls the model";
    assert_eq!(refused(&model, "main").await, message);
    assert_eq!(fault(&model), message);
}

#[tokio::test]
async fn several_faults_are_all_named() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1", "a2"]), script("b.jsonl", &["b1"])], BURST);
    call(&model, "main").await.unwrap();
    assert_eq!(
        fault(&model),
        "2 replay faults:\n\
         - script not consumed: session main made 1 of 2 call(s) of a.jsonl; \
         drive the scenario to its end, or record the fixture again\n\
         - unbound script: no session called for b.jsonl (1 call(s)); \
         drive the session it was recorded from, or remove it"
    );
}

#[tokio::test]
async fn a_script_without_calls_needs_no_session() {
    ReplayModel::new(vec![script("a.jsonl", &[])], BURST).assert_consumed().unwrap();
}

#[tokio::test]
async fn with_reuse_every_session_gets_the_script_from_its_start() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1", "a2"])], REUSE);
    for session in ["first", "second", "third"] {
        assert_eq!(call(&model, session).await.unwrap(), "a1");
    }
    assert_eq!(call(&model, "second").await.unwrap(), "a2");
    assert!(refused(&model, "second").await.starts_with("script exhausted: session second asked for call 3"));
}

#[tokio::test(start_paused = true)]
async fn pace_waits_before_every_chunk() {
    let pace = Duration::from_millis(15);
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1"])], ReplayOptions { pace: Some(pace), reuse: false });
    let mut stream = model.stream(request("main"), CancellationToken::new());
    let start = Instant::now();
    for chunk in 1..=4 {
        stream.next().await.unwrap().unwrap();
        assert_eq!(start.elapsed(), pace * chunk);
    }
    assert_eq!(stream.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn abort_ends_the_pace_wait_at_once() {
    let options = ReplayOptions { pace: Some(Duration::from_secs(3600)), reuse: false };
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1"])], options);
    let cancel = CancellationToken::new();
    let mut stream = model.stream(request("main"), cancel.clone());
    let start = Instant::now();
    assert!(stream.next().now_or_never().is_none());
    cancel.cancel();
    let error = stream.next().await.unwrap().unwrap_err();
    assert_eq!((error.code, error.message.as_str()), (LlmErrorCode::Aborted, "the call was cancelled"));
    assert_eq!(start.elapsed(), Duration::ZERO);
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn abort_is_checked_before_every_chunk() {
    for played in 0..4 {
        let model = ReplayModel::new(vec![script("a.jsonl", &["a1"])], BURST);
        let cancel = CancellationToken::new();
        let mut stream = model.stream(request("main"), cancel.clone());
        for _ in 0..played {
            stream.next().await.unwrap().unwrap();
        }
        cancel.cancel();
        assert_eq!(stream.next().await.unwrap().unwrap_err().code, LlmErrorCode::Aborted);
        assert_eq!(stream.next().await, None);
    }
}

#[tokio::test]
async fn a_burst_lets_other_tasks_run() {
    let model = ReplayModel::new(vec![script("a.jsonl", &["a1"])], REUSE);
    let other = tokio::spawn(async {});
    let mut calls = 0;
    while !other.is_finished() && calls < 2000 {
        call(&model, &format!("session {calls}")).await.unwrap();
        calls += 1;
    }
    assert!(calls < 2000, "8000 chunks went by without a yield");
}

#[test]
fn the_catalogue_has_one_model_with_a_window_of_128k() {
    let provider = ReplayModel::provider();
    let windows: Vec<_> = provider.models.iter().map(|model| model.context_window).collect();
    assert_eq!(windows, [128_000]);
}
