//! Logs and requests for the tests of this crate.
#![allow(dead_code, reason = "each test file uses its part")]

use llm::Request;
use replay::{Entry, Script};
use serde_json::{Value, json};
use session::Chunk;

/// A log of these events, numbered in order; a header stands before them.
pub(crate) fn log(events: &[(&str, Value)]) -> String {
    forked_log(events, None)
}

/// The same of a session whose first `seed_length` events are its parent's.
pub(crate) fn forked_log(events: &[(&str, Value)], seed_length: Option<u64>) -> String {
    let mut header = json!({"type": "session", "version": 0, "id": "{{sessionId}}", "createdAt": 1000});
    if let Some(length) = seed_length {
        header["parentSession"] = "parent".into();
        header["seedLength"] = length.into();
    }
    let mut lines = vec![header.to_string()];
    for (seq, (kind, data)) in events.iter().enumerate() {
        let mut event = json!({"type": kind, "seq": seq, "time": 1000 + seq, "data": data});
        if *kind == "user/message" {
            event["surfaceOp"] = "append".into();
        }
        lines.push(event.to_string());
    }
    lines.join("\n")
}

/// One chunk event.
pub(crate) fn chunk(turn: u64, step: u64, chunk: Value) -> (&'static str, Value) {
    ("assistant/chunk", json!({"turn": turn, "step": step, "chunk": chunk}))
}

/// The chunk events of a call that answers `text`.
pub(crate) fn text_call(turn: u64, step: u64, text: &str) -> Vec<(&'static str, Value)> {
    vec![
        chunk(turn, step, json!({"type": "block-start", "index": 0, "blockType": "text"})),
        chunk(turn, step, json!({"type": "text-delta", "index": 0, "text": text})),
        chunk(turn, step, json!({"type": "block-end", "index": 0, "block": {"type": "text", "text": text}})),
        chunk(turn, step, json!({"type": "finish", "reason": {"kind": "stop"}})),
    ]
}

/// A script of calls that answer these texts.
pub(crate) fn script(origin: &str, texts: &[&str]) -> Script {
    let events: Vec<_> = (1..).zip(texts).flat_map(|(step, text)| text_call(1, step, text)).collect();
    Script::from_log(&log(&events), origin).unwrap()
}

/// A call by this session.
pub(crate) fn request(session_id: &str) -> Request {
    Request {
        session_id: session_id.to_owned(),
        provider: "replay".to_owned(),
        model: "replay-128k".to_owned(),
        system: String::new(),
        tools: Vec::new(),
        messages: Vec::new(),
        max_tokens: None,
    }
}

/// The chunks of an entry.
pub(crate) fn chunks(entry: &Entry) -> &[Chunk] {
    let Entry::Chunks(chunks) = entry;
    chunks
}

/// Chunks from JSON.
pub(crate) fn parse(chunks: Value) -> Vec<Chunk> {
    serde_json::from_value(chunks).unwrap()
}
