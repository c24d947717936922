//! A recorded log to the calls of its model.

mod support;

use replay::Script;
use serde_json::{Value, json};
use support::{chunk, chunks, forked_log, log, text_call};

fn user(text: &str, kind: &str) -> (&'static str, Value) {
    ("user/message", json!({"content": [{"type": "text", "text": text}], "source": {"kind": kind}}))
}

fn retry(turn: u64, step: u64) -> (&'static str, Value) {
    ("llm/retry", json!({"retryId": "r", "turn": turn, "step": step, "retry": 1, "delayMs": 1}))
}

fn check(events: &[(&str, Value)], message: &str) {
    assert_eq!(Script::from_log(&log(events), "s.jsonl").unwrap_err().to_string(), message);
}

#[test]
fn a_finish_closes_a_call_and_everything_else_is_ignored() {
    let mut events = vec![("turn/start", json!({"turn": 1})), user("do it", "user")];
    events.push(("step/start", json!({"turn": 1, "step": 1})));
    events.extend(text_call(1, 1, "one"));
    events.push(("step/end", json!({"turn": 1, "step": 1})));
    events.push(user("context", "plugin"));
    events.extend(text_call(1, 2, "two"));
    events.push(("turn/end", json!({"turn": 1, "reason": {"kind": "completed"}})));
    events.push(user("and again", "user"));
    let script = Script::from_log(&log(&events), "s.jsonl").unwrap();
    assert_eq!(script.origin, "s.jsonl");
    assert_eq!(script.prompts, ["do it", "and again"]);
    assert_eq!(script.calls.len(), 2);
    assert_eq!(
        chunks(&script.calls[1]),
        support::parse(json!([
            {"type": "block-start", "index": 0, "blockType": "text"},
            {"type": "text-delta", "index": 0, "text": "two"},
            {"type": "block-end", "index": 0, "block": {"type": "text", "text": "two"}},
            {"type": "finish", "reason": {"kind": "stop"}},
        ]))
    );
}

#[test]
fn packed_rows_join_their_call() {
    let text = [
        json!({"type": "session", "version": 0, "id": "x", "createdAt": 1}),
        json!({"type": "text-chunks", "seq0": 0, "time0": 1, "data":
            {"turn": 1, "step": 1, "index": 0, "dt": [1, 1], "texts": ["a", "b", "c"]}}),
        json!({"type": "assistant/chunk", "seq": 3, "time": 4, "data":
            {"turn": 1, "step": 1, "chunk": {"type": "finish", "reason": {"kind": "stop"}}}}),
    ];
    let text = text.map(|line| line.to_string()).join("\n");
    let script = Script::from_log(&text, "s.jsonl").unwrap();
    assert_eq!(
        chunks(&script.calls[0]),
        support::parse(json!([
            {"type": "text-delta", "index": 0, "text": "a"},
            {"type": "text-delta", "index": 0, "text": "b"},
            {"type": "text-delta", "index": 0, "text": "c"},
            {"type": "finish", "reason": {"kind": "stop"}},
        ]))
    );
}

#[test]
fn calls_that_share_a_step_stay_apart() {
    let mut events = text_call(1, 1, "one");
    events.push(retry(1, 1));
    events.extend(text_call(1, 1, "two"));
    assert_eq!(Script::from_log(&log(&events), "s.jsonl").unwrap().calls.len(), 2);
}

#[test]
fn of_a_fork_only_its_own_events_count() {
    let mut events = vec![user("the parent's", "user")];
    events.extend(text_call(1, 1, "the parent's"));
    events.push(user("own", "user"));
    events.extend(text_call(2, 1, "own"));
    let script = Script::from_log(&forked_log(&events, Some(5)), "s.jsonl").unwrap();
    assert_eq!((script.calls.len(), script.prompts), (1, vec!["own".to_owned()]));
}

#[test]
fn another_step_before_the_finish_names_the_call() {
    let mut events = text_call(1, 1, "one");
    events.push(chunk(1, 2, json!({"type": "text-delta", "index": 0, "text": "tw"})));
    events.extend(text_call(2, 1, "three"));
    check(
        &events,
        "s.jsonl:7: call 2 (turn 1, step 2) ended without a finish chunk (turn 2, step 1 begins); \
         give it an entry in an override, or record the fixture again",
    );
}

#[test]
fn a_retry_before_the_finish_names_the_call() {
    let mut events = vec![chunk(1, 1, json!({"type": "text-delta", "index": 0, "text": "o"})), retry(1, 1)];
    events.extend(text_call(1, 1, "one"));
    check(
        &events,
        "s.jsonl:3: call 1 (turn 1, step 1) ended without a finish chunk (it failed and was retried); \
         give it an entry in an override, or record the fixture again",
    );
}

#[test]
fn the_end_of_the_log_before_the_finish_names_the_call() {
    let text = [
        json!({"type": "session", "version": 0, "id": "x", "createdAt": 1}),
        json!({"type": "reasoning-chunks", "seq0": 0, "time0": 1, "data":
            {"turn": 3, "step": 2, "index": 0, "dt": [1, 1], "texts": ["a", "b", "c"]}}),
    ];
    let text = text.map(|line| line.to_string()).join("\n");
    assert_eq!(
        Script::from_log(&text, "s.jsonl").unwrap_err().to_string(),
        "s.jsonl:2: call 1 (turn 3, step 2) ended without a finish chunk (the log ends); \
         give it an entry in an override, or record the fixture again"
    );
}

#[test]
fn a_summary_made_by_a_model_call_is_refused_by_name_and_another_is_ignored() {
    check(
        &[("compaction/summary", json!({"llmStreamCall": true}))],
        "s.jsonl:2: compaction/summary made by a model call is not replayed yet; record the scenario without it",
    );
    let text = log(&[("compaction/summary", json!({}))]);
    assert_eq!(Script::from_log(&text, "s.jsonl").unwrap().calls, []);
}

#[test]
fn an_unreadable_line_is_named_with_its_file() {
    let text = format!("{}\n{{", log(&text_call(1, 1, "one")));
    let message = Script::from_log(&text, "fixtures/s.jsonl").unwrap_err().to_string();
    assert!(message.starts_with("fixtures/s.jsonl:6: not valid JSON"), "{message}");
}

#[test]
fn a_chunk_of_an_unknown_type_is_refused_with_its_line() {
    let text = log(&[chunk(1, 1, json!({"type": "song", "index": 0}))]);
    let message = Script::from_log(&text, "s.jsonl").unwrap_err().to_string();
    assert!(message.starts_with("s.jsonl:2: ") && message.contains("song"), "{message}");
}
