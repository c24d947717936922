//! What is derived from a log: the surface, history pages, the summary.

use serde_json::json;
use session::{
    Content, Event, Message, MessageSource, Packing, Payload, Role, Summary, SurfaceOp, TitleSource, decode_log,
    encode_log, history_page, surface, user_prompts,
};

fn log(text: &str) -> Vec<Event> {
    decode_log(text).unwrap().1
}

fn tool_round_trip() -> Vec<Event> {
    log(include_str!("data/tool_round_trip.jsonl"))
}

fn older_shapes() -> Vec<Event> {
    log(include_str!("data/older_shapes.jsonl"))
}

fn message(role: Role, text: &str) -> Message {
    let content = if text.is_empty() { Vec::new() } else { vec![Content::text(text)] };
    Message { id: String::new(), role, content, source: MessageSource::new("user") }
}

fn prompt(seq: u64, text: &str) -> Event {
    Payload::UserMessage(message(Role::User, text)).into_draft().at(seq, 1_000 + seq as i64)
}

fn answer(seq: u64, text: &str) -> Event {
    let message = message(Role::Assistant, text);
    Payload::AssistantMessage { turn: 1, step: 1, message, usage: None, interrupted: false }.into_draft().at(seq, 0)
}

#[test]
fn the_surface_holds_the_messages_in_order() {
    let messages = surface(&tool_round_trip());
    assert_eq!(
        messages.iter().map(|message| message.role).collect::<Vec<_>>(),
        [Role::User, Role::Assistant, Role::Tool, Role::Assistant]
    );
    assert_eq!(messages[3].text(), "**Jupiter** ♃");
}

#[test]
fn a_replace_takes_the_place_of_its_range() {
    let messages = surface(&older_shapes());
    assert_eq!(messages[0].text(), "Earlier: a haiku about rain was asked for and written.");
    assert_eq!(messages[0].source.kind, "plugin");
    assert_eq!(messages[1].text(), "Read {{cwd}}/workspace/rain.txt");
    assert_eq!(messages.len(), 4);
}

#[test]
fn an_empty_answer_is_not_sent_but_counts_for_ranges() {
    let replace = |seq, start, end| {
        let op = serde_json::from_value(json!({"op": "replace", "start": start, "end": end})).unwrap();
        Event { surface_op: Some(op), ..prompt(seq, "instead") }
    };
    let events = [prompt(0, "a"), answer(1, ""), prompt(2, "b"), replace(3, 2, 3)];
    assert_eq!(surface(&events[..3]).iter().map(Message::text).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(surface(&events).iter().map(Message::text).collect::<Vec<_>>(), ["a", "instead"]);
    // A range that the check would refuse changes nothing and does not panic.
    assert_eq!(surface(&[prompt(0, "a"), replace(1, 3, 9)]).len(), 1);
    assert_eq!(surface(&[prompt(0, "a"), replace(1, u64::MAX, 0)]).len(), 1);
}

#[test]
fn pages_join_without_gap_or_overlap_at_every_size() {
    for events in [tool_round_trip(), older_shapes()] {
        for size in 1..6 {
            let mut before = None;
            let mut joined: Vec<Event> = Vec::new();
            loop {
                let (range, has_more) = history_page(&events, before, size);
                assert!(!range.is_empty(), "a page that has something before it holds a message");
                assert_eq!(has_more, range.start > 0);
                joined.splice(0..0, events[range.clone()].iter().cloned());
                if !has_more {
                    break;
                }
                before = Some(events[range.start].seq);
            }
            assert_eq!(joined, events);
        }
    }
}

#[test]
fn a_page_begins_with_the_chunks_of_its_oldest_message() {
    let events = tool_round_trip();
    let (page, has_more) = history_page(&events, None, 1);
    let answer = events.iter().rfind(|event| event.kind == "assistant/message").unwrap();
    assert_eq!(page.start as u64, answer.source_event_seqs.as_ref().unwrap()[0]);
    assert_eq!(events[page.start].data["chunk"]["type"], "block-start");
    assert!(has_more);
}

#[test]
fn tool_results_and_replacements_are_not_counted_as_messages() {
    // Two prompts and two answers; the result of a tool and the compaction's replacement do not count.
    let events = older_shapes();
    assert_eq!(history_page(&events, None, 4).0.start, 2);
    assert_eq!(history_page(&events, None, 5), (0..events.len(), false));
}

#[test]
fn odd_page_requests_are_answered_within_the_log() {
    let events = tool_round_trip();
    assert_eq!(history_page(&events, Some(0), 10), (0..0, false));
    assert_eq!(history_page(&events, Some(u64::MAX), u32::MAX), (0..events.len(), false));
    assert_eq!(history_page(&events, None, 0), history_page(&events, None, 1));
    assert_eq!(history_page(&[], None, 50), (0..0, false));
}

#[test]
fn a_message_of_very_many_chunks_is_paged_like_any_other() {
    let many = 300_000;
    let chunk = Event { kind: "assistant/chunk".to_owned(), data: json!(null), surface_op: None, ..prompt(1, "") };
    let mut events = vec![prompt(0, "go")];
    events.extend((1..=many).map(|seq| Event { seq, ..chunk.clone() }));
    let sources = Some((1..=many).rev().collect());
    events.push(Event { source_event_seqs: sources, ..answer(many + 1, "done") });
    assert_eq!(history_page(&events, None, 1), (1..events.len(), true));
}

#[test]
fn the_summary_follows_title_prompts_and_turns() {
    let summary = Summary::of(&tool_round_trip());
    assert_eq!(summary.title.as_deref(), Some("List the two largest planets"));
    assert_eq!(summary.last_prompt_at, Some(1_790_000_000_011));
    assert_eq!((summary.blank, summary.running), (false, false));

    let events = tool_round_trip();
    assert!(Summary::of(&events[..events.len() - 1]).running);
    let blank = Summary::of(&[]);
    assert_eq!((blank.title, blank.last_prompt_at, blank.blank, blank.running), (None, None, true, false));
}

#[test]
fn a_title_that_a_person_gave_stays_until_they_give_another() {
    let title = |title: &str, source| {
        Payload::SessionTitle { title: title.to_owned(), message_seqs: Vec::new(), source }.into_draft().at(0, 0)
    };
    let mut summary = Summary::default();
    for (event, changed, shown) in [
        (title("first words", TitleSource::Fallback), true, "first words"),
        (title("a model's", TitleSource::Provider), true, "a model's"),
        (title("mine", TitleSource::User), true, "mine"),
        (title("a model's again", TitleSource::Provider), false, "mine"),
        (title("mine", TitleSource::User), false, "mine"),
        (title("mine, better", TitleSource::User), true, "mine, better"),
    ] {
        assert_eq!(summary.apply(&event), changed, "{shown}");
        assert_eq!(summary.title.as_deref(), Some(shown));
    }
}

#[test]
fn only_a_persons_messages_move_the_time_of_the_last_prompt() {
    let mut summary = Summary::default();
    assert!(summary.apply(&prompt(0, "hello")));
    let mut from_plugin = prompt(1, "context");
    from_plugin.data["source"]["kind"] = json!("plugin");
    assert!(!summary.apply(&from_plugin));
    assert_eq!(summary.last_prompt_at, Some(1_000));
}

#[test]
fn user_prompts_are_what_a_person_typed() {
    assert_eq!(
        user_prompts(&tool_round_trip()),
        ["List the two largest planets with the bash tool, then name the larger one."]
    );
    assert_eq!(user_prompts(&older_shapes()), ["Write a haiku about rain.", "Read {{cwd}}/workspace/rain.txt"]);
}

#[test]
fn drafts_pass_the_check_they_will_meet() {
    let mut events: Vec<Event> = tool_round_trip();
    for event in &mut events {
        let payload = event.payload().unwrap();
        if matches!(payload, Payload::Other(_)) {
            continue;
        }
        let draft = payload.into_draft();
        assert_eq!(draft.surface_op, event.surface_op);
        assert_eq!(draft.data, event.data, "{}", event.kind);
        event.data = draft.data;
    }
    let header = decode_log(include_str!("data/tool_round_trip.jsonl")).unwrap().0;
    assert_eq!(encode_log(&header, &events, Packing::Packed), include_str!("data/tool_round_trip.jsonl"));
    assert_eq!(events[1].surface_op, Some(SurfaceOp::APPEND));
}
