//! Logs for throwaway scenarios, made from the committed fixture by changing one thing.

use std::path::Path;

use e2e::Settings;
use scaffold::Fixture;
use serde_json::Value;

/// The committed fixture, line by line.
fn lines() -> Vec<Value> {
    let path = Settings::from_env().expect("settings").fixtures.join("tool_round_trip/session.jsonl");
    std::fs::read_to_string(path)
        .expect("the committed fixture")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of the fixture"))
        .collect()
}

fn log(lines: &[Value], name: &str) -> Fixture {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Fixture::parse(text, Path::new(name)).expect("a changed fixture is still a log")
}

/// As recorded.
pub(crate) fn whole() -> Fixture {
    log(&lines(), "whole.jsonl")
}

/// Ends after the first model call and its tool: the second call has no answer.
pub(crate) fn first_call_only() -> Fixture {
    let mut lines = lines();
    let first_step_end = lines.iter().position(|line| line["type"] == "step/end").expect("a step");
    lines.truncate(first_step_end + 1);
    log(&lines, "first-call-only.jsonl")
}

/// A second turn like the first, which nobody asks for.
pub(crate) fn one_turn_more() -> Fixture {
    let mut lines = lines();
    let header = lines.remove(0);
    let length = 1 + lines.iter().map(last_seq).max().expect("events");
    let shift = |line: &Value| {
        let mut line = line.clone();
        for field in ["seq", "seq0"] {
            if let Some(seq) = line[field].as_u64() {
                line[field] = (seq + length).into();
            }
        }
        if let Some(seqs) = line["sourceEventSeqs"].as_array() {
            line["sourceEventSeqs"] = seqs.iter().map(|seq| seq.as_u64().expect("a seq") + length).collect();
        }
        if line["data"]["turn"].is_u64() {
            line["data"]["turn"] = 2.into();
        }
        line
    };
    let doubled: Vec<Value> =
        std::iter::once(header).chain(lines.iter().cloned()).chain(lines.iter().map(shift)).collect();
    log(&doubled, "one-turn-more.jsonl")
}

/// The same with another shell command.
pub(crate) fn with_command(command: &str) -> Fixture {
    let text: String = lines().iter().map(|line| format!("{line}\n")).collect();
    let arguments = serde_json::json!({"command": command, "description": "Print a short line"}).to_string();
    let old = serde_json::json!("{\"command\": \"echo the lane works\", \"description\": \"Print a short line\"}");
    let new = serde_json::json!(arguments);
    let changed: Vec<Value> = text
        .replace(&old.to_string(), &new.to_string())
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line"))
        .collect();
    log(&changed, "with-command.jsonl")
}

fn last_seq(line: &Value) -> u64 {
    if let Some(seq) = line["seq"].as_u64() {
        return seq;
    }
    let members = |field: &str| line["data"][field].as_array().map_or(0, Vec::len) as u64;
    line["seq0"].as_u64().expect("a packed row") + members("texts").max(members("args")) - 1
}
