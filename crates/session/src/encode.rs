use serde::Serialize;

use crate::packed::pack;
use crate::{Event, Header};

/// How runs of deltas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Three or more consecutive deltas of one block share a row.
    Packed,
    /// One line an event.
    Plain,
}

/// The whole log as JSONL: the header line, then [`encode_events`].
pub fn encode_log(header: &Header, events: &[Event], packing: Packing) -> String {
    encode_header(header) + &encode_events(events, packing)
}

/// The header's line with its line end.
pub fn encode_header(header: &Header) -> String {
    let mut text = String::new();
    push_line(&mut text, header);
    text
}

/// The events' lines, each with its line end. Reading them back gives the same events.
pub fn encode_events(mut events: &[Event], packing: Packing) -> String {
    let mut text = String::new();
    while let Some(event) = events.first() {
        let row = if packing == Packing::Packed { pack(events) } else { None };
        let taken = match row {
            Some((row, taken)) => {
                push_line(&mut text, &row);
                taken
            }
            None => {
                push_line(&mut text, event);
                1
            }
        };
        events = &events[taken..];
    }
    text
}

fn push_line(text: &mut String, line: &impl Serialize) {
    text.push_str(&serde_json::to_string(line).expect("log lines hold only JSON values and string keys"));
    text.push('\n');
}
