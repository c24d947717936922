//! The event log as data: header, events, packed rows, the surface fold, history paging and projections.
//!
//! Pure: no files, no clocks. Native and wasm. The format is that of recorded DeepSeek Harness logs (JSONL, version 0),
//! so logs recorded there are read here too.

mod balance;
mod check;
mod chunk;
mod decode;
mod draft;
mod encode;
mod event;
mod fixture;
mod header;
mod message;
mod packed;
mod paging;
mod payload;
mod prefix;
mod read;
mod summary;
mod surface;

pub use balance::{OUTCOME_UNKNOWN, TOOL_NOT_STARTED, balance};
pub use check::{EventProblem, LogCheck};
pub use chunk::{Block, BlockType, Chunk, FinishReason, Usage};
pub use decode::{LogDecoder, LogError, LogProblem, decode_log};
pub use encode::{Packing, encode_events, encode_header, encode_log};
pub use event::{Event, EventDraft, SurfaceOp};
pub use fixture::{realize_fixture, tokenize_fixture, user_prompts};
pub use header::{Header, HeaderKind, LOG_VERSION};
pub use message::{Content, Message, MessageSource, Role};
pub use paging::history_page;
pub use payload::{Failure, KNOWN_TYPES, Payload, PayloadError, TitleSource, TurnEndReason, TurnTrigger};
pub use prefix::delivered_prefix;
pub use summary::Summary;
pub use surface::surface;
