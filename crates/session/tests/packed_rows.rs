//! Packed rows: lossless for whatever events there are, canonical, and strictly read.

use proptest::prelude::*;
use serde_json::{Value, json};
use session::{Event, Header, Packing, SurfaceOp, decode_log, encode_events, encode_log};

const TOOL_ROUND_TRIP: &str = include_str!("data/tool_round_trip.jsonl");
const OLDER_SHAPES: &str = include_str!("data/older_shapes.jsonl");
const HEADER: &str = "{\"type\":\"session\",\"version\":0,\"id\":\"a\",\"createdAt\":1}\n";

#[test]
fn recorded_logs_are_written_back_byte_for_byte() {
    for text in [TOOL_ROUND_TRIP, OLDER_SHAPES] {
        let (header, events) = decode_log(text).unwrap();
        assert_eq!(encode_log(&header, &events, Packing::Packed), text);
        let plain = encode_log(&header, &events, Packing::Plain);
        assert_eq!(plain.lines().count(), events.len() + 1);
        assert_eq!(decode_log(&plain).unwrap(), (header, events));
    }
}

#[test]
fn three_deltas_of_a_block_share_a_row_and_two_do_not() {
    let deltas =
        |count: u64| -> Vec<Event> { (0..count).map(|seq| text_delta(seq, 100 - seq as i64, 0, "x")).collect() };
    assert_eq!(encode_events(&deltas(2), Packing::Packed).lines().count(), 2);
    assert_eq!(
        encode_events(&deltas(3), Packing::Packed),
        "{\"type\":\"text-chunks\",\"seq0\":0,\"time0\":100,\"data\":{\"turn\":1,\"step\":1,\"index\":0,\"dt\":[-1,-1],\
         \"texts\":[\"x\",\"x\",\"x\"]}}\n"
    );
}

#[test]
fn deltas_that_a_row_could_not_give_back_are_written_unpacked() {
    type Change = (&'static str, fn(&mut Event));
    let changes: [Change; 8] = [
        ("another block", |event| event.data["chunk"]["index"] = json!(1)),
        ("another step", |event| event.data["step"] = json!(2)),
        ("a further key", |event| event.data["note"] = json!(true)),
        ("a further key in the chunk", |event| event.data["chunk"]["note"] = json!(true)),
        ("keys in another order", |event| {
            event.data = json!({"step": 1, "turn": 1, "chunk": event.data["chunk"]});
        }),
        ("ignorable", |event| event.ignorable = true),
        ("sources", |event| event.source_event_seqs = Some(vec![0])),
        ("a time that JSON readers round", |event| event.time = i64::MAX),
    ];
    for (what, change) in changes {
        let mut events: Vec<Event> = (0..3).map(|seq| text_delta(seq, 0, 0, "x")).collect();
        change(&mut events[1]);
        let written = encode_events(&events, Packing::Packed);
        assert_eq!(written, encode_events(&events, Packing::Plain), "{what}");
    }
}

#[test]
fn malformed_rows_are_refused_with_line_and_reason() {
    let row = json!({"type": "text-chunks", "seq0": 0, "time0": 5,
        "data": {"turn": 1, "step": 1, "index": 0, "dt": [1, 2], "texts": ["a", "b", "c"]}});
    let call = json!({"type": "tool-call-chunks", "seq0": 0, "time0": 5,
        "data": {"turn": 1, "step": 1, "index": 0, "dt": [], "id": "c", "name": "bash", "args": ["{}"]}});
    type Change = fn(&mut Value);
    let cases: [(&Value, Change, &str); 13] = [
        (&row, |row| row["data"]["dt"] = json!([1]), "3 pieces need 2 gaps in `dt`, found 1"),
        (&row, |row| row["data"]["texts"] = json!([]), "0 pieces need 0 gaps in `dt`, found 2"),
        (&row, |row| row["data"]["dt"] = json!([1, 2.5]), "invalid type: floating point `2.5`, expected i64"),
        (&row, |row| row["data"]["texts"][1] = json!(7), "invalid type: integer `7`, expected a string"),
        (&row, |row| row["data"]["more"] = json!(1), "unknown field `more`"),
        (&row, |row| row["surfaceOp"] = json!("append"), "unknown field `surfaceOp`"),
        (&row, |row| row["seq0"] = json!(-1), "invalid value: integer `-1`, expected u64"),
        (&row, |row| row["seq0"] = json!(1u64 << 53), "must stay inside the safe integers (2^53 - 1)"),
        (&row, |row| row["time0"] = json!((1i64 << 53) - 2), "must stay inside the safe integers (2^53 - 1)"),
        (&row, |row| row["data"]["dt"] = json!([i64::MAX, 1]), "the times of `dt` leave the range of safe integers"),
        (&row, |row| row["data"]["name"] = json!("bash"), "this row has `texts`, and neither `args`, `id` nor `name`"),
        (&call, |row| drop(row["data"].as_object_mut().unwrap().remove("id")), "has `id` and `args`, no `texts`"),
        (&call, |row| row["data"]["texts"] = json!(["a"]), "has `id` and `args`, no `texts`"),
    ];
    for (row, change, reason) in cases {
        let mut row = row.clone();
        change(&mut row);
        let error = decode_log(&format!("{HEADER}{row}\n")).unwrap_err();
        let message = error.to_string();
        assert_eq!(error.line, 2, "{message}");
        let row_type = row["type"].as_str().unwrap();
        assert!(message.starts_with(&format!("line 2: malformed {row_type} row: ")), "{message}");
        assert!(message.contains(reason), "{message}");
        assert!(message.ends_with("; record the log again or write its events unpacked"), "{message}");
    }
    for row in [row, call] {
        decode_log(&format!("{HEADER}{row}\n")).expect("the rows are right before the change");
    }
}

#[test]
fn a_row_out_of_order_is_refused_and_names_its_first_event() {
    let text = TOOL_ROUND_TRIP.replacen("\"seq0\":6,", "\"seq0\":7,", 1);
    let error = decode_log(&text).unwrap_err().to_string();
    assert!(error.starts_with("line 8: event 7 (assistant/chunk) comes where event 6 is due;"), "{error}");
}

fn text_delta(seq: u64, time: i64, index: u32, text: &str) -> Event {
    chunk_event(seq, time, json!({"type": "text-delta", "index": index, "text": text}))
}

fn chunk_event(seq: u64, time: i64, chunk: Value) -> Event {
    Event {
        kind: "assistant/chunk".to_owned(),
        seq,
        time,
        data: json!({"turn": 1, "step": 1, "chunk": chunk}),
        ignorable: false,
        source_event_seqs: None,
        surface_op: None,
    }
}

/// Chunks of few blocks, so that runs form; and now and then a shape that no row may swallow.
fn any_chunk() -> impl Strategy<Value = Value> {
    let (index, piece) = (0..2u32, "\\PC{0,6}|[\\u{0}-\\u{1F}\\u{2028}\"]{1,3}".boxed());
    let name = proptest::option::of("[ab]");
    prop_oneof![
        4 => (index.clone(), piece.clone()).prop_map(|(index, text)| json!({"type": "text-delta", "index": index, "text": text})),
        4 => (index.clone(), piece.clone())
            .prop_map(|(index, text)| json!({"type": "reasoning-delta", "index": index, "text": text})),
        4 => (index.clone(), "[cd]", name, piece.clone()).prop_map(|(index, id, name, piece)| {
            let mut chunk = json!({"type": "tool-call-delta", "index": index, "id": id});
            if let Some(name) = name {
                chunk["name"] = name.into();
            }
            chunk["argumentsDelta"] = piece.into();
            chunk
        }),
        1 => (index.clone(), piece).prop_map(|(index, text)| json!({"type": "text-delta", "text": text, "index": index})),
        1 => (index, any::<f64>()).prop_map(|(index, odd)| json!({"type": "text-delta", "index": index, "text": "t", "x": odd})),
    ]
}

fn any_run() -> impl Strategy<Value = Vec<(Value, i64, u8)>> {
    let time = prop_oneof![9 => -1_000..2_000_000_000_000i64, 1 => any::<i64>()];
    let members = (any_chunk(), 1..6usize, proptest::collection::vec((time, 0..20u8), 6));
    proptest::collection::vec(members, 0..8).prop_map(|groups| {
        let repeat = |(chunk, count, times): (Value, usize, Vec<(i64, u8)>)| {
            times.into_iter().take(count).map(move |(time, oddity)| (chunk.clone(), time, oddity))
        };
        groups.into_iter().flat_map(repeat).collect()
    })
}

proptest! {
    #[test]
    fn packing_loses_nothing(run in any_run()) {
        let mut events: Vec<Event> =
            run.iter().zip(0..).map(|((chunk, time, _), seq)| chunk_event(seq, *time, chunk.clone())).collect();
        for (event, (_, _, oddity)) in events.iter_mut().zip(&run) {
            match oddity {
                0 => event.ignorable = true,
                1 if event.seq > 0 => event.source_event_seqs = Some(vec![event.seq - 1]),
                2 => event.data["turn"] = json!(2),
                3 => {
                    event.kind = "user/message".to_owned();
                    event.surface_op = Some(SurfaceOp::APPEND);
                    event.data = json!({"content": [], "source": {"kind": "user"}});
                }
                _ => {}
            }
        }
        let header = Header::new("a", 1, None);
        let packed = encode_log(&header, &events, Packing::Packed);
        let (_, read) = decode_log(&packed).unwrap();
        prop_assert_eq!(&read, &events);
        // Equality of JSON objects ignores the order of keys; their text does not.
        prop_assert_eq!(encode_events(&read, Packing::Plain), encode_events(&events, Packing::Plain));
        prop_assert_eq!(encode_log(&header, &read, Packing::Packed), packed);
    }

    #[test]
    fn no_text_makes_the_reader_panic(lines in proptest::collection::vec(any_line(), 0..6)) {
        let _ = decode_log(&lines.join("\n"));
    }
}

fn any_line() -> impl Strategy<Value = String> {
    let number = prop_oneof![Just(0i64), Just(1), any::<i64>()];
    prop_oneof![
        Just(HEADER.trim_end().to_owned()),
        any::<String>(),
        (number.clone(), number.clone(), proptest::collection::vec(number, 0..4)).prop_map(|(seq, time, dt)| {
            json!({"type": "text-chunks", "seq0": seq, "time0": time,
                "data": {"turn": 1, "step": 1, "index": 0, "texts": vec!["a"; dt.len() + 1], "dt": dt}})
            .to_string()
        }),
    ]
}
