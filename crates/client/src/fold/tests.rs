//! Rows from events: one table row a rule.

use std::rc::Rc;

use serde_json::json;
use session::{
    Block, BlockType, Chunk, Content, Message, MessageSource, Payload, Role, SurfaceOp, TitleSource, TurnEndReason,
    Usage,
};

use super::{Fold, Folded};
use crate::testing::{Log, user_message};
use crate::{Row, ToolResultView};

fn fold(log: &Log) -> Fold {
    fold_from(log, 0)
}

fn fold_from(log: &Log, from: usize) -> Fold {
    let mut fold = Fold::default();
    for event in &log.events[from..] {
        fold.push(event).unwrap();
    }
    fold
}

/// A row in one short line.
fn line(row: &Row) -> String {
    match row {
        Row::User { text, pending, .. } => format!("user {text}{}", if *pending { " (pending)" } else { "" }),
        Row::Thinking { text, streaming, .. } => format!("thinking {text}{}", if *streaming { "…" } else { "" }),
        Row::Text { markdown, streaming, .. } => format!("text {markdown}{}", if *streaming { "…" } else { "" }),
        Row::Tool { name, arguments, streaming, running, result, .. } => {
            let name = name.as_deref().unwrap_or("?");
            let state = match (streaming, running, result) {
                (true, ..) => "…".to_owned(),
                (_, true, _) => " runs".to_owned(),
                (.., Some(result)) => format!(" -> {}{}", result.text, if result.is_error { " (error)" } else { "" }),
                _ => String::new(),
            };
            format!("tool {name} {arguments}{state}")
        }
        Row::Retry { retry, max, delay_ms, message, done, .. } => {
            format!("retry {retry}/{max:?} in {delay_ms}: {message}{}", if *done { " (done)" } else { "" })
        }
        Row::Failure { message, code, .. } => format!("failure {code}: {message}"),
        Row::Stopped { .. } => "stopped".to_owned(),
        Row::Notice { kind, text, .. } => format!("notice {kind:?}: {text}"),
        Row::TurnFooter { turn, text, .. } => format!("footer {turn}: {text}"),
    }
}

fn lines(fold: &mut Fold) -> Vec<String> {
    fold.rows().iter().map(|row| line(row)).collect()
}

fn tool_round() -> Log {
    let mut log = Log::default();
    log.begin_turn("p1", "run it");
    log.reasoning(0, "let me see");
    log.answer(vec![
        Content::Reasoning { text: "let me see".to_owned() },
        Content::ToolCall { id: "c1".to_owned(), name: "bash".to_owned(), arguments: "{}".to_owned() },
    ]);
    log.call("c1");
    log.result("c1", "OK\n", false);
    log.begin_step();
    log.text(0, "DONE");
    log.answer(vec![Content::text("DONE")]);
    log.end_turn(TurnEndReason::Completed);
    log
}

#[test]
fn a_turn_with_a_tool_becomes_its_rows() {
    let mut fold = fold(&tool_round());
    assert_eq!(
        lines(&mut fold),
        ["user run it", "thinking let me see", "tool bash {} -> OK\n", "text DONE", "footer 1: DONE"]
    );
    assert!(!fold.turn_is_open());
    let usage = Usage { input_tokens: 20, output_tokens: 4, reasoning_tokens: Some(2), ..Usage::default() };
    let last = fold.rows().pop().unwrap();
    let Row::TurnFooter { usage: summed, started_at, ended_at, .. } = &*last else { panic!("{last:?}") };
    assert_eq!((*summed, *started_at, *ended_at), (Some(usage), Some(1000), 1000 + tool_round().tail()));
}

#[test]
fn a_call_runs_from_its_call_to_its_result() {
    let log = tool_round();
    let call = log.events.iter().position(|event| event.kind == "tool/call").unwrap();
    let mut fold = Fold::default();
    for event in &log.events[..=call] {
        fold.push(event).unwrap();
    }
    assert_eq!(lines(&mut fold).last().unwrap(), "tool bash {} runs");
    assert!(fold.turn_is_open());
    fold.push(&log.events[call + 1]).unwrap();
    let row = fold.rows().pop().unwrap();
    let Row::Tool { started, ended, result, .. } = &*row else { panic!("{row:?}") };
    assert_eq!((*started, *ended), (Some(1000 + call as i64), Some(1001 + call as i64)));
    assert_eq!(*result, Some(ToolResultView { text: "OK\n".to_owned(), is_error: false }));
}

#[test]
fn a_streamed_row_keeps_its_key_when_it_becomes_durable() {
    let log = tool_round();
    let mut fold = Fold::default();
    let mut seen: Vec<String> = Vec::new();
    for event in &log.events {
        fold.push(event).unwrap();
        let keys: Vec<String> = fold.rows().iter().map(|row| row.key().to_owned()).collect();
        assert_eq!(keys[..seen.len().min(keys.len())], seen[..seen.len().min(keys.len())], "after {}", event.seq);
        assert!(keys.len() >= seen.len(), "no row goes away at {}", event.seq);
        seen = keys;
    }
    assert_eq!(seen, ["prompt:p1", "answer:1.1.0", "call:1.1:c1", "answer:1.2.0", "footer:1"]);
}

#[test]
fn a_row_that_did_not_change_keeps_its_rc() {
    let log = tool_round();
    let mut fold = Fold::default();
    let mut before: Vec<Rc<Row>> = Vec::new();
    for event in &log.events {
        fold.push(event).unwrap();
        let rows = fold.rows();
        for (old, new) in before.iter().zip(&rows) {
            assert_eq!(old == new, Rc::ptr_eq(old, new), "after {}: {}", event.seq, line(new));
        }
        before = rows;
    }
    let (mut again, unreadable) = Fold::of(&log.events, &fold);
    assert_eq!(unreadable, []);
    assert!(again.rows().iter().zip(&before).all(|(new, old)| Rc::ptr_eq(new, old)), "also when all is read again");
}

#[test]
fn chunks_stream_and_the_whole_answer_takes_their_place() {
    let mut log = Log::default();
    log.begin_turn("p1", "hi");
    let start = log.chunk(Chunk::BlockStart { index: 3, block_type: BlockType::Reasoning });
    let mut fold = fold(&log);
    assert_eq!(lines(&mut fold), ["user hi"], "a block without text is not shown yet");
    let steps = [
        (Chunk::ReasoningDelta { index: 3, text: "hm".to_owned() }, Folded::Streamed, vec!["thinking hm…"]),
        (Chunk::TextDelta { index: 5, text: "**a".to_owned() }, Folded::Streamed, vec!["thinking hm", "text **a…"]),
        (
            Chunk::BlockEnd { index: 5, block: Block::Text { text: "**a**".to_owned() } },
            Folded::Streamed,
            vec!["thinking hm", "text **a**"],
        ),
        (Chunk::Usage { usage: Usage::default() }, Folded::Nothing, vec!["thinking hm", "text **a**"]),
        (
            Chunk::ToolCallDelta { index: 6, id: "c".to_owned(), name: None, arguments_delta: "{".to_owned() },
            Folded::Streamed,
            vec!["thinking hm", "text **a**", "tool ? {…"],
        ),
    ];
    for (chunk, folded, expected) in steps {
        let event = log.chunk(chunk);
        assert_eq!(fold.push(&event), Ok(folded), "at {}", event.seq);
        assert_eq!(lines(&mut fold)[1..], expected, "at {}", event.seq);
    }
    let answer = log.answer(vec![Content::Reasoning { text: "hm".to_owned() }, Content::text("whole")]);
    assert_eq!(fold.push(&answer), Ok(Folded::Structure));
    assert_eq!(lines(&mut fold)[1..], ["thinking hm", "text whole"]);
    assert_eq!(start.kind, "assistant/chunk");
}

#[test]
fn a_failed_attempt_leaves_nothing_but_its_retry() {
    let mut log = Log::default();
    log.begin_turn("p1", "hi");
    log.chunk(Chunk::TextDelta { index: 0, text: "lost".to_owned() });
    let facts = json!({"retryId": "r", "turn": 1, "step": 1, "provider": "p", "retry": 1, "maxRetries": 5,
        "delayMs": 500, "failure": {"message": "overloaded", "code": "SERVER"}});
    log.raw("llm/retry", facts);
    let mut waiting = fold(&log);
    assert_eq!(lines(&mut waiting), ["user hi", "retry 1/Some(5) in 500: overloaded"]);
    log.raw("llm/retry-started", json!({"retryId": "r", "turn": 1, "step": 1, "retry": 1}));
    log.chunk(Chunk::TextDelta { index: 0, text: "ok".to_owned() });
    let mut retried = fold(&log);
    assert_eq!(lines(&mut retried), ["user hi", "retry 1/Some(5) in 500: overloaded (done)", "text ok…"]);
}

#[test]
fn every_end_of_a_turn_has_its_row() {
    let table = [
        (TurnEndReason::Completed, None),
        (TurnEndReason::Aborted { reason: None }, Some("stopped")),
        (Log::failure("no key"), Some("failure AUTH: no key")),
        (TurnEndReason::Blocked, Some("notice Blocked: ")),
        (TurnEndReason::MaxTokens, Some("notice OutputLimit: ")),
        (TurnEndReason::Interrupted, Some("notice Interrupted: ")),
    ];
    for (reason, row) in table {
        let mut log = Log::default();
        log.begin_turn("p1", "hi");
        log.call("c1");
        log.chunk(Chunk::TextDelta { index: 0, text: "gone".to_owned() });
        log.end_turn(reason.clone());
        let mut fold = fold(&log);
        let expected: Vec<_> = ["user hi", "tool bash {}"].into_iter().chain(row).chain(["footer 1: "]).collect();
        assert_eq!(lines(&mut fold), expected, "{reason:?}: nothing runs or streams any more");
        assert!(!fold.turn_is_open(), "{reason:?}");
    }
}

#[test]
fn a_result_whose_call_is_before_the_window_says_so() {
    let log = tool_round();
    let result = log.events.iter().position(|event| event.kind == "tool/result").unwrap();
    let mut cut = fold_from(&log, result);
    assert_eq!(lines(&mut cut)[0], "tool ?  -> OK\n");
    let last = cut.rows().pop().unwrap();
    assert!(matches!(&*last, Row::TurnFooter { started_at: None, .. }), "the start is before the window: {last:?}");
    let (mut joined, _) = Fold::of(&log.events, &cut);
    assert_eq!(lines(&mut joined)[2], "tool bash {} -> OK\n", "the older page brings the call");
}

#[test]
fn messages_of_others_are_notices_and_a_replacement_hides_nothing() {
    let mut log = Log::default();
    log.round("p1", "hi", "there");
    let from = |kind: &str| Message {
        id: String::new(),
        role: Role::User,
        content: vec![Content::text("words")],
        source: MessageSource::new(kind),
    };
    let plugin = from("plugin");
    log.push(Payload::UserMessage(Message { source: plugin.source.clone().with("plugin", "skills"), ..plugin }));
    log.push(Payload::UserMessage(from("goal")));
    let mut summary = Payload::UserMessage(from("plugin")).into_draft();
    summary.surface_op = serde_json::from_value::<SurfaceOp>(json!({"op": "replace", "start": 0, "end": 2})).ok();
    assert!(summary.surface_op.is_some());
    let seq = log.events.len() as u64;
    log.events.push(summary.at(seq, 0));
    assert_eq!(
        lines(&mut fold(&log)),
        [
            "user hi",
            "text there",
            "footer 1: there",
            "notice Context { producer: \"skills\" }: words",
            "notice Context { producer: \"goal\" }: words",
            "notice Compacted: words",
        ]
    );
}

#[test]
fn an_event_that_cant_be_read_is_a_notice_and_the_rest_goes_on() {
    let mut log = Log::default();
    let broken = log.raw("turn/start", json!({"turn": "one"}));
    let unknown = log.raw("nobody/knows", json!({}));
    log.round("p1", "hi", "there");
    let (mut fold, unreadable) = Fold::of(&log.events, &Fold::default());
    assert_eq!(unreadable.iter().map(|problem| problem.seq).collect::<Vec<_>>(), [broken.seq, unknown.seq]);
    let told: Vec<_> = unreadable.iter().map(|problem| format!("notice Unreadable: {problem}")).collect();
    assert_eq!(lines(&mut fold)[..2], told, "in the reader's own words, which name the event");
    assert_eq!(lines(&mut fold)[2..], ["user hi", "text there", "footer 1: there"]);
}

#[test]
fn keys_are_unique_even_where_ids_repeat() {
    let mut log = Log::default();
    log.round("same", "a", "b");
    log.round("same", "a", "b");
    let rows = fold(&log).rows();
    let keys: std::collections::BTreeSet<_> = rows.iter().map(|row| row.key()).collect();
    assert_eq!(keys.len(), rows.len(), "{keys:?}");
    assert!(keys.contains("prompt:same#11"), "{keys:?}");
}

#[test]
fn a_persons_title_is_not_replaced_by_another_source() {
    let mut log = Log::default();
    let title =
        |title: &str, source| Payload::SessionTitle { title: title.to_owned(), message_seqs: Vec::new(), source };
    assert_eq!(fold(&log).title(), None);
    for (payload, expected) in [
        (title("first words", TitleSource::Fallback), "first words"),
        (title("by a model", TitleSource::Provider), "by a model"),
        (title("mine", TitleSource::User), "mine"),
        (title("by a model again", TitleSource::Provider), "mine"),
        (title("mine too", TitleSource::User), "mine too"),
    ] {
        log.push(payload);
        assert_eq!(fold(&log).title(), Some(expected));
    }
}

#[test]
fn what_has_no_row_leaves_the_rows_alone() {
    let mut log = Log::default();
    log.begin_turn("p1", "hi");
    let mut fold = fold(&log);
    for (kind, data) in [
        ("request/header", json!({"header": {}, "reason": "initial"})),
        ("agent/inbox/spliced", json!({"target": "next-turn"})),
        ("session/end-seed", json!({})),
        ("todo/write", json!({})),
    ] {
        let event = log.raw(kind, data);
        assert_eq!(fold.push(&event), Ok(Folded::Nothing), "{kind}");
    }
    assert_eq!(lines(&mut fold), ["user hi"]);
    assert!(fold.holds_prompt("p1") && !fold.holds_prompt("p2"));
    assert_eq!(user_message("p1", "hi").source.fact("rpcId"), Some("p1"));
}
