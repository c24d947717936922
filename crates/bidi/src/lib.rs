//! WebDriver BiDi on one websocket: typed commands, typed events, ordered subscriptions.
//!
//! The crate knows the protocol (<https://w3c.github.io/webdriver-bidi/>) and nothing of pages or
//! locators. Three promises carry the rest of the project:
//!
//! - **Order.** Messages are handled one by one in socket order. When a command's reply has been
//!   returned, every event the browser sent before that reply has been handed to every listener.
//! - **Nothing is lost.** Queues are unbounded and messages have no size limit.
//! - **Nothing hangs.** Each command has a deadline; when the socket ends, all pending commands
//!   fail with one error and later ones are refused at once.
//!
//! ```no_run
//! # async fn example() -> bidi::Result<()> {
//! use bidi::{Connection, command::browsing_context::{Create, CreateType}};
//! use std::time::Duration;
//!
//! let browser = Connection::connect("ws://127.0.0.1:9222/session/1", Duration::from_secs(10)).await?;
//! let page = browser.call(&Create { kind: CreateType::Window, ..Create::default() }).await?;
//! let tree = browser.send("browsingContext.getTree", serde_json::json!({})).await?;
//! # let _ = (page, tree); Ok(()) }
//! ```

pub mod command;
mod connection;
mod error;
pub mod event;
mod listener;
mod message;
mod state;

pub use command::Command;
pub use connection::Connection;
pub use error::{Error, Result};
pub use event::{Event, EventType};
pub use listener::{EventStream, Listener};
