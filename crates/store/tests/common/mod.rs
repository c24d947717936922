//! What the store's tests share: a session of two turns, a fixed clock, and views of the disk.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use session::{Content, Event, EventDraft, Header, Message, MessageSource, Payload, Role, TitleSource, TurnEndReason};
use store::{LogStore, LogWriter};

pub(crate) const NOW: i64 = 1_790_000_000_000;
pub(crate) const ID: &str = "5f0c-1";

pub(crate) fn open(root: &Path) -> LogStore {
    LogStore::open(root.to_owned(), Arc::new(|| NOW)).unwrap()
}

pub(crate) fn header(id: &str) -> Header {
    Header::new(id, NOW - 60_000, Some("/home/me/project".to_owned()))
}

/// One whole turn: ten events from `first`, the last its `turn/end`.
pub(crate) fn turn(number: u64, first: u64) -> Vec<Event> {
    let user = message(Role::User, "user", "What is 6 × 7? Mind the ×.");
    let answer = message(Role::Assistant, "model", "42");
    let chunk = |value: serde_json::Value| {
        let chunk = serde_json::from_value(value).unwrap();
        Payload::AssistantChunk { turn: number, step: 1, chunk }.into_draft()
    };
    let delta = |text: &str| chunk(serde_json::json!({"type": "text-delta", "index": 0, "text": text}));
    let answer = Payload::AssistantMessage { turn: number, step: 1, message: answer, usage: None, interrupted: false };
    place(
        first,
        vec![
            Payload::TurnStart { turn: number, trigger: None }.into_draft(),
            Payload::UserMessage(user).into_draft(),
            Payload::StepStart { turn: number, step: 1 }.into_draft(),
            delta("4"),
            delta(""),
            delta("2"),
            chunk(serde_json::json!({"type": "finish", "reason": {"kind": "stop"}})),
            answer.into_draft().derived_from((first + 3..=first + 6).collect()),
            Payload::StepEnd { turn: number, step: 1 }.into_draft(),
            Payload::TurnEnd { turn: number, reason: TurnEndReason::Completed }.into_draft(),
        ],
    )
}

pub(crate) fn title(seq: u64, title: &str) -> Event {
    let payload =
        Payload::SessionTitle { title: title.to_owned(), message_seqs: vec![], source: TitleSource::Provider };
    place(seq, vec![payload.into_draft()]).remove(0)
}

pub(crate) fn place(first: u64, drafts: Vec<EventDraft>) -> Vec<Event> {
    drafts.into_iter().zip(first..).map(|(draft, seq)| draft.at(seq, NOW + seq as i64)).collect()
}

fn message(role: Role, source: &str, text: &str) -> Message {
    Message { id: "m".to_owned(), role, content: vec![Content::text(text)], source: MessageSource::new(source) }
}

/// The session's log, where the format puts it.
pub(crate) fn log_path(root: &Path, id: &str) -> PathBuf {
    root.join("--home-me-project--").join(id).join("session.jsonl.zstd")
}

/// Writes each batch as one frame.
pub(crate) async fn write_batches(writer: &LogWriter, batches: &[&[Event]]) {
    for batch in batches {
        writer.append(batch.to_vec()).unwrap();
        writer.flush().await.unwrap();
    }
}

/// Where the frames of a file begin, and its end.
pub(crate) fn frame_bounds(bytes: &[u8]) -> Vec<usize> {
    let mut bounds = vec![0];
    let mut at = 0;
    while at < bytes.len() {
        at += zstd::zstd_safe::find_frame_compressed_size(&bytes[at..]).unwrap();
        bounds.push(at);
    }
    bounds
}

/// Every file under a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}
