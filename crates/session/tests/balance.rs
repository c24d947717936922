//! Closing the turn that a crash left open.

use serde_json::json;
use session::{
    Chunk, Content, Event, EventDraft, LogCheck, Message, MessageSource, OUTCOME_UNKNOWN, Payload, Role,
    TOOL_NOT_STARTED, TurnEndReason, balance, decode_log, delivered_prefix, surface,
};

const TOOL_ROUND_TRIP: &str = include_str!("data/tool_round_trip.jsonl");
const OLDER_SHAPES: &str = include_str!("data/older_shapes.jsonl");

fn closed(events: &[Event]) -> Vec<Event> {
    let mut all = events.to_vec();
    for draft in balance(events) {
        all.push(draft.at(all.len() as u64, 0));
    }
    all
}

fn log(drafts: Vec<EventDraft>) -> Vec<Event> {
    drafts.into_iter().zip(0..).map(|(draft, seq)| draft.at(seq, 0)).collect()
}

fn started() -> Vec<EventDraft> {
    let header = json!({"config": {"provider": "example", "model": "example-small"}});
    vec![
        Payload::TurnStart { turn: 1, trigger: None }.into_draft(),
        Payload::StepStart { turn: 1, step: 1 }.into_draft(),
        Payload::RequestHeader { header, reason: "initial".to_owned() }.into_draft(),
    ]
}

fn text(text: &str) -> EventDraft {
    let chunk = Chunk::TextDelta { index: 0, text: text.to_owned() };
    Payload::AssistantChunk { turn: 1, step: 1, chunk }.into_draft()
}

fn calls(ids: &[&str]) -> EventDraft {
    let call =
        |id: &&str| Content::ToolCall { id: (*id).to_owned(), name: "bash".to_owned(), arguments: "{}".to_owned() };
    let content = ids.iter().map(call).collect();
    let message = Message { id: "m".to_owned(), role: Role::Assistant, content, source: MessageSource::new("model") };
    Payload::AssistantMessage { turn: 1, step: 1, message, usage: None, interrupted: false }.into_draft()
}

fn call(id: &str) -> EventDraft {
    let (call_id, name, arguments) = (id.to_owned(), "bash".to_owned(), "{}".to_owned());
    Payload::ToolCall { turn: 1, step: 1, call_id, name, arguments }.into_draft()
}

fn kinds(drafts: &[EventDraft]) -> Vec<&str> {
    drafts.iter().map(|draft| draft.kind.as_str()).collect()
}

#[test]
fn a_cut_after_any_event_is_closed_into_a_log_that_reads() {
    for text in [TOOL_ROUND_TRIP, OLDER_SHAPES] {
        let (_, events) = decode_log(text).unwrap();
        for cut in 0..=events.len() {
            let all = closed(&events[..cut]);
            let mut check = LogCheck::default();
            for event in &all {
                check.admit(event).unwrap_or_else(|problem| panic!("cut at {cut}: {problem}"));
            }
            let turns = |kind| all.iter().filter(|event| event.kind == kind).count();
            assert_eq!(turns("turn/start"), turns("turn/end"), "cut at {cut}");
            assert_eq!(turns("step/start"), turns("step/end"), "cut at {cut}");
            assert!(balance(&all).is_empty(), "cut at {cut}: a closed log stays as it is");
            every_call_has_one_result(&all);
        }
    }
}

fn every_call_has_one_result(events: &[Event]) {
    let (mut called, mut answered) = (Vec::new(), Vec::new());
    for part in surface(events).into_iter().flat_map(|message| message.content) {
        match part {
            Content::ToolCall { id, .. } => called.push(id),
            Content::ToolResult { tool_call_id, .. } => answered.push(tool_call_id),
            _ => {}
        }
    }
    assert_eq!(called, answered);
}

#[test]
fn a_closed_or_empty_log_needs_nothing() {
    assert!(balance(&[]).is_empty());
    assert!(balance(&decode_log(TOOL_ROUND_TRIP).unwrap().1).is_empty());
}

#[test]
fn the_end_of_a_turn_between_steps_is_only_its_end() {
    let drafts = balance(&log(vec![Payload::TurnStart { turn: 4, trigger: None }.into_draft()]));
    assert_eq!(drafts, [Payload::TurnEnd { turn: 4, reason: TurnEndReason::Interrupted }.into_draft()]);
}

#[test]
fn what_was_streamed_before_the_crash_becomes_an_interrupted_answer() {
    let mut drafts = started();
    drafts.extend([text("half a sen"), text("tence")]);
    let closing = balance(&log(drafts));
    assert_eq!(kinds(&closing), ["assistant/message", "step/end", "turn/end"]);
    assert_eq!(closing[0].source_event_seqs, Some(vec![3, 4]));
    let Ok(Payload::AssistantMessage { message, interrupted, .. }) = closing[0].clone().at(5, 0).payload() else {
        panic!("an answer");
    };
    assert!(interrupted);
    assert_eq!(message.text(), "half a sentence");
    assert_eq!(message.source, MessageSource::new("model").with("provider", "example").with("model", "example-small"));
}

#[test]
fn chunks_of_a_failed_attempt_derive_nothing() {
    let retry = |payload: fn(serde_json::Value) -> Payload| {
        payload(json!({"retryId": "r", "turn": 1, "step": 1, "retry": 1})).into_draft()
    };
    let mut drafts = started();
    drafts.extend([text("lost"), retry(Payload::LlmRetry)]);
    assert_eq!(kinds(&balance(&log(drafts.clone()))), ["step/end", "turn/end"]);
    drafts.extend([retry(Payload::LlmRetryStarted), text("kept")]);
    let closing = balance(&log(drafts));
    assert_eq!(closing[0].data["message"]["content"], json!([{"type": "text", "text": "kept"}]));
}

#[test]
fn results_tell_calls_that_never_started_from_those_that_may_have_run() {
    let mut drafts = started();
    drafts.extend([calls(&["a", "b"]), call("a")]);
    let events = log(drafts);
    let closing = balance(&events);
    assert_eq!(kinds(&closing), ["tool/result", "tool/call", "tool/result", "step/end", "turn/end"]);
    assert_eq!(closing[0].data["error"]["code"], OUTCOME_UNKNOWN);
    assert_eq!(closing[0].source_event_seqs, Some(vec![4]));
    assert_eq!(closing[2].data["error"]["code"], TOOL_NOT_STARTED);
    assert_eq!(closing[2].source_event_seqs, Some(vec![6]));
    let texts: Vec<_> = [&closing[0], &closing[2]]
        .map(|draft| draft.data["message"]["content"][0]["content"][0]["text"].as_str().unwrap().to_owned())
        .into();
    assert!(texts[0].contains("outcome is unknown: check what it changed"), "{}", texts[0]);
    assert!(texts[1].contains("Nothing was run"), "{}", texts[1]);
}

#[test]
fn message_ids_of_repair_are_unique_and_the_same_every_time() {
    let mut drafts = started();
    drafts.push(calls(&["a", "b"]));
    let events = log(drafts);
    assert_eq!(balance(&events), balance(&events));
    let ids: Vec<_> =
        balance(&events).iter().filter_map(|draft| draft.data["message"]["id"].as_str().map(str::to_owned)).collect();
    assert_eq!(ids, ["repair-5", "repair-7"]);
}

#[test]
fn the_delivered_prefix_is_text_and_reasoning_in_block_order() {
    let chunk = |value| serde_json::from_value::<Chunk>(value).unwrap();
    let chunks = [
        chunk(json!({"type": "block-start", "index": 3, "blockType": "text"})),
        chunk(json!({"type": "text-delta", "index": 3, "text": "vis"})),
        chunk(json!({"type": "reasoning-delta", "index": 0, "text": "hm"})),
        chunk(json!({"type": "tool-call-delta", "index": 1, "id": "c", "argumentsDelta": "{"})),
        chunk(json!({"type": "block-end", "index": 0, "block": {"type": "reasoning", "text": "hmm"}})),
        chunk(json!({"type": "text-delta", "index": 3, "text": "ible"})),
        chunk(json!({"type": "block-start", "index": 4, "blockType": "text"})),
        chunk(json!({"type": "text-delta", "index": 4, "text": ""})),
    ];
    assert_eq!(
        delivered_prefix(&chunks),
        [Content::Reasoning { text: "hmm".to_owned() }, Content::Text { text: "visible".to_owned() }]
    );
    assert_eq!(delivered_prefix(&[]), []);
}
