use serde::Deserialize;
use session::{Chunk, Event, Header, Payload};

use crate::ReplayError;

/// One scripted answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// These chunks; the last one is [`Chunk::Finish`].
    Chunks(Vec<Chunk>),
}

/// The model calls of one session, in the order they were made.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// File it was read from, for messages.
    pub origin: String,
    /// One entry a call.
    pub calls: Vec<Entry>,
    /// What the person typed, in order.
    pub prompts: Vec<String>,
}

impl Script {
    /// Derives the script of a recorded log. `origin` names the file in errors.
    ///
    /// Every `assistant/chunk` joins the call that is open; a finish chunk closes it, so that several calls may share a
    /// turn and step (retries). Another turn or step, a retry or the end of the log before the finish is an error.
    /// Of a forked session only its own events count (`seedLength`).
    pub fn from_log(text: &str, origin: &str) -> Result<Self, ReplayError> {
        let (header, events) =
            session::decode_log(text).map_err(|error| ReplayError::Log { origin: origin.to_owned(), error })?;
        let own = own_events(&header, &events);
        let calls = derive(own, &|seq| line_of(text, seq), origin)?;
        Ok(Self { origin: origin.to_owned(), calls, prompts: session::user_prompts(own) })
    }
}

fn own_events<'a>(header: &Header, events: &'a [Event]) -> &'a [Event] {
    let first = header.seed_length.map_or(0, |length| events.partition_point(|event| event.seq < length));
    &events[first..]
}

/// The call that is being put together.
struct Open {
    turn: u64,
    step: u64,
    chunks: Vec<Chunk>,
}

fn derive(events: &[Event], line_of: &dyn Fn(u64) -> usize, origin: &str) -> Result<Vec<Entry>, ReplayError> {
    let mut calls = Vec::new();
    let mut open: Option<Open> = None;
    let unfinished = |open: &Open, calls: &[Entry], seq: u64, cause: String| ReplayError::CallWithoutFinish {
        origin: origin.to_owned(),
        line: line_of(seq),
        call: calls.len() + 1,
        turn: open.turn,
        step: open.step,
        cause,
    };
    for event in events {
        match event.kind.as_str() {
            "assistant/chunk" => {
                // The decoder refuses a log whose payloads cannot be read.
                let Ok(Payload::AssistantChunk { turn, step, chunk }) = event.payload() else { continue };
                if let Some(open) = &open
                    && (open.turn, open.step) != (turn, step)
                {
                    return Err(unfinished(open, &calls, event.seq, format!("turn {turn}, step {step} begins")));
                }
                let call = open.get_or_insert_with(|| Open { turn, step, chunks: Vec::new() });
                let finished = matches!(chunk, Chunk::Finish { .. });
                call.chunks.push(chunk);
                if finished && let Some(call) = open.take() {
                    calls.push(Entry::Chunks(call.chunks));
                }
            }
            "llm/retry" => {
                if let Some(open) = &open {
                    return Err(unfinished(open, &calls, event.seq, "it failed and was retried".to_owned()));
                }
            }
            "compaction/summary" if event.data.get("llmStreamCall").is_some() => {
                return Err(ReplayError::Unsupported {
                    origin: origin.to_owned(),
                    line: line_of(event.seq),
                    what: "compaction/summary made by a model call".to_owned(),
                });
            }
            _ => {}
        }
    }
    match (open, events.last()) {
        (Some(open), Some(last)) => Err(unfinished(&open, &calls, last.seq, "the log ends".to_owned())),
        _ => Ok(calls),
    }
}

/// Where an event stands. A packed row holds many events and names only the first, so the line is the last one that
/// does not start behind the event.
fn line_of(text: &str, seq: u64) -> usize {
    #[derive(Deserialize)]
    struct Start {
        #[serde(alias = "seq0")]
        seq: u64,
    }
    let starts = text.lines().enumerate().filter_map(|(at, line)| {
        serde_json::from_str::<Start>(line).ok().filter(|start| start.seq <= seq).map(|_| at + 1)
    });
    starts.last().unwrap_or(1)
}
