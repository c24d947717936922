//! What the reader refuses, and how it says so.

use session::{Event, EventProblem, LogCheck, LogDecoder, SurfaceOp, decode_log};

const TOOL_ROUND_TRIP: &str = include_str!("data/tool_round_trip.jsonl");
const HEADER: &str = r#"{"type":"session","version":0,"id":"a","createdAt":1}"#;
const PROMPT: &str =
    r#"{"type":"user/message","seq":0,"time":1,"data":{"content":[],"source":{"kind":"user"}},"surfaceOp":"append"}"#;

#[track_caller]
fn refused(lines: &[&str], line: usize, message: &str) {
    let error = decode_log(&lines.join("\n")).expect_err("the log must be refused");
    assert_eq!(error.line, line, "{error}");
    let said = error.to_string();
    assert!(said.contains(message), "said:      {said}\nexpected:  {message}");
    assert!(said.contains(';'), "no next step in: {said}");
}

#[test]
fn logs_without_a_proper_header_are_refused() {
    refused(&[], 1, "line 1: the log is empty; its first line must be a session header");
    refused(&[PROMPT], 1, "line 1: not a session header (its `type` is not \"session\"); the first line must be");
    refused(&["[]"], 1, "not a session header");
    refused(&[r#"{"type":"session","id":"a","createdAt":1}"#], 1, "it has no `version`");
    refused(&[r#"{"type":"session","version":0,"id":"a"}"#], 1, "missing field `createdAt`");
    refused(&[r#"{"type":"session","version":0,"id":"a","createdAt":1,"colour":1}"#], 1, "unknown field `colour`");
    for version in ["1", "\"0\"", "null", "-1"] {
        let header = format!(r#"{{"type":"session","version":{version},"id":"a","createdAt":1}}"#);
        let said = format!("log version {version}, this program reads version 0; use the program that wrote the log");
        refused(&[&header], 1, &said);
    }
}

#[test]
fn lines_that_are_no_events_are_refused() {
    refused(
        &[HEADER, "{\"type\":"],
        2,
        "line 2: not valid JSON (EOF while parsing a value at line 1 column 8); restore",
    );
    refused(&[HEADER, PROMPT, "", PROMPT], 3, "line 3: the line is blank; every line holds one JSON object: remove it");
    refused(&[HEADER, "7"], 2, "line 2: not an event (");
    refused(&[HEADER, r#"{"type":"turn/start","seq":0,"data":{"turn":1}}"#], 2, "not an event (missing field `time`)");
    refused(&[HEADER, r#"{"type":"turn/start","seq":0,"time":1,"data":{"turn":1},"x":1}"#], 2, "unknown field `x`");
    refused(&[HEADER, HEADER], 2, "not an event");
}

#[test]
fn gaps_repeats_and_a_wrong_start_are_refused() {
    let with_seq = |seq| PROMPT.replace("\"seq\":0", &format!("\"seq\":{seq}"));
    refused(
        &[HEADER, &with_seq(1)],
        2,
        "event 1 (user/message) comes where event 0 is due; a log has every event once",
    );
    refused(&[HEADER, PROMPT, &with_seq(2)], 3, "line 3: event 2 (user/message) comes where event 1 is due");
    refused(&[HEADER, PROMPT, PROMPT], 3, "line 3: event 0 (user/message) comes where event 1 is due");
}

#[test]
fn unknown_types_are_refused_unless_ignorable() {
    let event = r#"{"type":"moon/phase","seq":0,"time":1,"data":{"full":true}}"#;
    refused(&[HEADER, event], 2, "line 2: event 0 (moon/phase): unknown event type; a newer program wrote this log");
    let ignorable = event.replace("}}", "},\"ignorable\":true}");
    let (_, events) = decode_log(&format!("{HEADER}\n{ignorable}")).unwrap();
    assert_eq!(events[0].data["full"], true);
    assert_eq!(serde_json::to_string(&events[0]).unwrap(), ignorable);
}

#[test]
fn data_that_does_not_fit_the_type_is_refused() {
    refused(
        &[HEADER, r#"{"type":"turn/start","seq":0,"time":1,"data":{}}"#],
        2,
        "event 0 (turn/start): missing field `turn`",
    );
    let chunk =
        r#"{"type":"assistant/chunk","seq":0,"time":1,"data":{"turn":1,"step":1,"chunk":{"type":"video","index":0}}}"#;
    refused(&[HEADER, chunk], 2, "event 0 (assistant/chunk): unknown variant `video`");
    let answer = r#"{"type":"assistant/message","seq":0,"time":1,"data":{"turn":1,"step":1},"surfaceOp":"append"}"#;
    refused(&[HEADER, answer], 2, "event 0 (assistant/message): neither `message` nor `content` is there; correct");
    let result = answer.replace("assistant/message", "tool/result");
    refused(&[HEADER, &result], 2, "event 0 (tool/result): neither `message` nor `callId` with `content` is there");
    let message = r#""step":1,"message":{"id":"m","role":"tool","content":[],"source":{"kind":"tool"}}"#;
    let hollow = result.replace("\"step\":1", message);
    refused(&[HEADER, &hollow], 2, "event 0 (tool/result): the message holds no tool-result part; correct");
}

#[test]
fn surface_operations_must_fit_the_surface() {
    let bare = PROMPT.replace(",\"surfaceOp\":\"append\"", "");
    refused(&[HEADER, &bare], 2, "event 0 (user/message) has no surfaceOp;");
    let stray = r#"{"type":"turn/start","seq":0,"time":1,"data":{"turn":1},"surfaceOp":"append"}"#;
    refused(&[HEADER, stray], 2, "event 0 (turn/start) has a surfaceOp, which only");
    let replace = |start, end| {
        PROMPT
            .replace("\"seq\":0", "\"seq\":1")
            .replace("\"append\"", &format!(r#"{{"op":"replace","start":{start},"end":{end}}}"#))
    };
    refused(&[HEADER, PROMPT, &replace(0, 2)], 3, "event 1 replaces surface nodes 0..2, but the surface has 1 here");
    refused(&[HEADER, PROMPT, &replace(1, 0)], 3, "event 1 replaces surface nodes 1..0");
    decode_log(&[HEADER, PROMPT, &replace(0, 1)].join("\n")).unwrap();
    refused(&[HEADER, &PROMPT.replace("\"append\"", "\"prepend\"")], 2, "not an event (data did not match");
}

#[test]
fn sources_must_come_before_what_is_derived_from_them() {
    let derived = PROMPT.replace("\"surfaceOp\"", "\"sourceEventSeqs\":[0],\"surfaceOp\"");
    refused(&[HEADER, &derived], 2, "event 0 is derived from event 0, which does not come before it");
}

#[test]
fn a_refused_line_leaves_what_was_read_before_it() {
    let mut decoder = LogDecoder::default();
    decoder.line(HEADER).unwrap();
    decoder.line(PROMPT).unwrap();
    // The row's first two events would fit, its third has no time left.
    let row = r#"{"type":"text-chunks","seq0":1,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[0,9007199254740991],"texts":["a","b","c"]}}"#;
    for bad in [row, "{", "", PROMPT] {
        assert_eq!(decoder.line(bad).unwrap_err().line, 3);
        assert_eq!((decoder.lines(), decoder.events().len()), (2, 1));
    }
    decoder.line(&PROMPT.replace("\"seq\":0", "\"seq\":1")).unwrap();
    assert_eq!(decoder.finish().unwrap().1.len(), 2);
}

#[test]
fn every_cut_inside_a_line_is_refused_with_that_line() {
    let mut decoder = LogDecoder::default();
    for (line, number) in TOOL_ROUND_TRIP.lines().zip(1..) {
        for (cut, _) in line.char_indices() {
            let error = decoder.line(&line[..cut]).unwrap_err();
            assert_eq!(error.line, number, "{error}");
        }
        decoder.line(line).unwrap();
    }
    assert_eq!(decoder.finish(), decode_log(TOOL_ROUND_TRIP));
}

#[test]
fn numbers_keep_their_value_to_the_last_bit() {
    let event = r#"{"type":"request/context","seq":0,"time":1,"data":{"a":0.1,"b":1.7976931348623157e308,"c":-0.0,"d":18446744073709551615,"e":5e-324,"f":113.38170576200001}}"#;
    let (_, events) = decode_log(&format!("{HEADER}\n{event}\n")).unwrap();
    let again: Event = serde_json::from_str(&serde_json::to_string(&events[0]).unwrap()).unwrap();
    for (key, value) in events[0].data.as_object().unwrap() {
        assert_eq!(again.data[key].as_f64().unwrap().to_bits(), value.as_f64().unwrap().to_bits(), "{key}");
    }
    assert_eq!(events[0].data["f"].as_f64().unwrap().to_bits(), 113.38170576200001f64.to_bits());
}

#[test]
fn a_check_that_refuses_an_event_has_not_moved() {
    let (_, events) = decode_log(TOOL_ROUND_TRIP).unwrap();
    let mut check = LogCheck::default();
    check.admit(&events[0]).unwrap();
    let bare = Event { surface_op: None, ..events[1].clone() };
    assert!(matches!(check.admit(&bare), Err(EventProblem::NoSurfaceOp { seq: 1, .. })));
    assert_eq!(check.next_seq(), 1);
    assert_eq!(events[1].surface_op, Some(SurfaceOp::APPEND));
    check.admit(&events[1]).unwrap();
}
