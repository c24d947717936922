//! The event log as data: header, events, packed rows, the surface fold, history paging and projections.
//!
//! Pure: no files, no clocks. Native and wasm. The format is that of recorded DeepSeek Harness logs (JSONL, version 0),
//! so logs recorded there are read here too.

mod chunk;
mod draft;
mod event;
mod header;
mod message;
mod payload;
mod read;

pub use chunk::{Block, BlockType, Chunk, FinishReason, Usage};
pub use event::{Event, EventDraft, SurfaceOp};
pub use header::{Header, HeaderKind, LOG_VERSION};
pub use message::{Content, Message, MessageSource, Role};
pub use payload::{Failure, KNOWN_TYPES, Payload, PayloadError, TitleSource, TurnEndReason, TurnTrigger};
