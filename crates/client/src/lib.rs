//! The page's object layer: what a transcript, a session list and a connection are, and how they stay true while
//! streams break. Native and wasm; no DOM.
//!
//! Everything the surroundings give comes through [`Platform`]: calls, byte streams, time, the animation frame, chance.
//! [`Client`] is the door. It keeps two event streams open, loads the windows of the sessions a person opened, stitches
//! live events to them by sequence number, repairs gaps, and publishes [`Change`]s: structure at once (one microtask),
//! streamed text once an animation frame.
//!
//! ```
//! # use std::rc::Rc;
//! # use client::{Change, Client, Platform};
//! fn show(platform: Rc<dyn Platform>) -> client::Subscription {
//!     let client = Client::new(platform);
//!     client.start();
//!     let reader = client.clone();
//!     client.subscribe(move |change| {
//!         if let Change::Session(id) = change
//!             && let Some(view) = reader.session(id)
//!         {
//!             println!("{id}: {} rows, applied up to {}", view.rows.len(), view.applied_seq);
//!         }
//!     })
//! }
//! ```

mod backoff;
mod catalogue;
mod client;
mod connection;
mod core;
mod counters;
mod diagnostics;
mod error;
mod fold;
mod frames;
mod notifier;
mod partial;
mod platform;
mod row;
mod rpc;
mod session;
mod sse;
#[cfg(test)]
mod testing;
mod view;
mod window;

pub use client::Client;
pub use counters::Counters;
pub use diagnostics::{ConnectionName, Diagnostics, SessionDiagnostics};
pub use error::CallError;
pub use notifier::{Change, Subscription};
pub use platform::{ByteStream, Platform, TransportError};
pub use row::{NoticeKind, Row, ToolResultView};
pub use view::{ConnectionState, Phase, SessionView};
pub use wire::{ErrorCode, HostDescription, PromptMode, RpcError, SessionSummary, WorkspaceSummary};
