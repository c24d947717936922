//! Packed rows: at least three deltas of one block in one line, without loss (format version 0).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::Event;

/// Shortest run that is packed.
pub(crate) const MIN_RUN: usize = 3;

/// The largest integer every JSON reader keeps exact (2^53 - 1).
const MAX_SAFE: i64 = (1 << 53) - 1;

/// The three row types, by the delta they pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum RowKind {
    #[serde(rename = "text-chunks")]
    Text,
    #[serde(rename = "reasoning-chunks")]
    Reasoning,
    #[serde(rename = "tool-call-chunks")]
    ToolCall,
}

/// One line. `dt` holds the time gaps between members, one fewer than there are members.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    #[serde(rename = "type")]
    kind: RowKind,
    seq0: u64,
    time0: i64,
    data: RowData,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RowData {
    turn: u64,
    step: u64,
    index: u32,
    dt: Vec<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    texts: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
}

impl RowKind {
    /// The kind whose `type` this is.
    pub(crate) fn of(row_type: &str) -> Option<Self> {
        match row_type {
            "text-chunks" => Some(Self::Text),
            "reasoning-chunks" => Some(Self::Reasoning),
            "tool-call-chunks" => Some(Self::ToolCall),
            _ => None,
        }
    }
}

impl Row {
    /// The events of the row, or what is wrong with it.
    pub(crate) fn unpack(self) -> Result<Vec<Event>, String> {
        let Self { kind, seq0, time0, data } = self;
        let RowData { turn, step, index, dt, id, name, texts, args } = data;
        let (pieces, id) = match (kind, texts, args, id) {
            (RowKind::ToolCall, None, Some(args), Some(id)) => (args, Some(id)),
            (RowKind::ToolCall, ..) => return Err("a tool-call-chunks row has `id` and `args`, no `texts`".to_owned()),
            (_, Some(texts), None, None) if name.is_none() => (texts, None),
            _ => return Err("this row has `texts`, and neither `args`, `id` nor `name`".to_owned()),
        };
        if pieces.len() != dt.len() + 1 {
            return Err(format!(
                "{} pieces need {} gaps in `dt`, found {}",
                pieces.len(),
                pieces.len().max(1) - 1,
                dt.len()
            ));
        }
        let mut time = time0;
        let mut events = Vec::with_capacity(pieces.len());
        for (position, piece) in pieces.into_iter().enumerate() {
            if position > 0 {
                time =
                    time.checked_add(dt[position - 1]).ok_or("the times of `dt` leave the range of safe integers")?;
            }
            let seq = seq0.saturating_add(position as u64);
            if !is_safe(time) || i64::try_from(seq).is_ok_and(is_safe).then_some(()).is_none() {
                return Err("`seq0`, `time0` and `dt` must stay inside the safe integers (2^53 - 1)".to_owned());
            }
            events.push(Event {
                kind: "assistant/chunk".to_owned(),
                seq,
                time,
                data: json!({"turn": turn, "step": step, "chunk": chunk(kind, index, id.as_deref(), name.as_deref(), piece)}),
                ignorable: false,
                source_event_seqs: None,
                surface_op: None,
            });
        }
        Ok(events)
    }
}

fn chunk(kind: RowKind, index: u32, id: Option<&str>, name: Option<&str>, piece: String) -> Value {
    let mut chunk = Map::new();
    let chunk_type = match kind {
        RowKind::Text => "text-delta",
        RowKind::Reasoning => "reasoning-delta",
        RowKind::ToolCall => "tool-call-delta",
    };
    chunk.insert("type".to_owned(), chunk_type.into());
    chunk.insert("index".to_owned(), index.into());
    let piece_key = if kind == RowKind::ToolCall { "argumentsDelta" } else { "text" };
    for (key, value) in [("id", id), ("name", name)] {
        if let Some(value) = value {
            chunk.insert(key.to_owned(), value.into());
        }
    }
    chunk.insert(piece_key.to_owned(), piece.into());
    chunk.into()
}

/// The longest packable run at the start of `events`: its row and its length. `None` when there are fewer than
/// [`MIN_RUN`] members, or a shape that unpacking would not give back exactly (key order included).
pub(crate) fn pack(events: &[Event]) -> Option<(Row, usize)> {
    let first = events.first()?;
    let head = Delta::of(first)?;
    let mut pieces = vec![head.piece];
    let mut dt = Vec::new();
    for (previous, event) in events.iter().zip(&events[1..]) {
        let Some(delta) = Delta::of(event) else { break };
        if (Delta { piece: head.piece, ..delta }) != head || event.seq != previous.seq + 1 {
            break;
        }
        pieces.push(delta.piece);
        dt.push(event.time - previous.time);
    }
    if pieces.len() < MIN_RUN {
        return None;
    }
    let length = pieces.len();
    let pieces = Some(pieces.into_iter().map(str::to_owned).collect());
    let (texts, args) = if head.kind == RowKind::ToolCall { (None, pieces) } else { (pieces, None) };
    let data = RowData {
        turn: head.turn,
        step: head.step,
        index: head.index,
        dt,
        id: head.id.map(str::to_owned),
        name: head.name.map(str::to_owned),
        texts,
        args,
    };
    Some((Row { kind: head.kind, seq0: first.seq, time0: first.time, data }, length))
}

/// A delta event seen through the row that could hold it.
#[derive(PartialEq)]
struct Delta<'a> {
    kind: RowKind,
    turn: u64,
    step: u64,
    index: u32,
    id: Option<&'a str>,
    name: Option<&'a str>,
    piece: &'a str,
}

impl<'a> Delta<'a> {
    fn of(event: &'a Event) -> Option<Self> {
        let bare = event.kind == "assistant/chunk"
            && !event.ignorable
            && event.source_event_seqs.is_none()
            && event.surface_op.is_none()
            && is_safe(event.time)
            && i64::try_from(event.seq).is_ok_and(is_safe);
        let data = event.data.as_object().filter(|data| bare && data.keys().eq(["turn", "step", "chunk"]))?;
        let chunk = data["chunk"].as_object()?;
        let (kind, named, piece_key) = match chunk.get("type")?.as_str()? {
            "text-delta" => (RowKind::Text, None, "text"),
            "reasoning-delta" => (RowKind::Reasoning, None, "text"),
            "tool-call-delta" => (RowKind::ToolCall, Some(chunk.contains_key("name")), "argumentsDelta"),
            _ => return None,
        };
        let in_order = match named {
            None => chunk.keys().eq(["type", "index", piece_key]),
            Some(false) => chunk.keys().eq(["type", "index", "id", piece_key]),
            Some(true) => chunk.keys().eq(["type", "index", "id", "name", piece_key]),
        };
        if !in_order {
            return None;
        }
        Some(Self {
            kind,
            turn: data["turn"].as_u64()?,
            step: data["step"].as_u64()?,
            index: chunk["index"].as_u64()?.try_into().ok()?,
            id: if named.is_some() { Some(chunk["id"].as_str()?) } else { None },
            name: if named == Some(true) { Some(chunk["name"].as_str()?) } else { None },
            piece: chunk[piece_key].as_str()?,
        })
    }
}

fn is_safe(number: i64) -> bool {
    (-MAX_SAFE..=MAX_SAFE).contains(&number)
}
