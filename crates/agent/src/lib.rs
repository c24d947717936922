//! The agent: turns, steps, inbox, model calls with retries, tool dispatch, cancel.
//!
//! One [`SessionLog`] is the truth of a session; one agent appends to it, anybody may subscribe. What the model is
//! asked derives from that log alone.

mod answer;
mod call;
mod config;
mod dispatch;
mod driver;
mod error;
mod handle;
mod inbox;
mod log;
mod title;
mod turn;

pub use config::{AgentConfig, AgentLimits, Random, TitleRule};
pub use error::{AgentError, IdleTimeout};
pub use handle::{Agent, AgentHandle, Delivery, Status};
pub use log::{EventReceiver, SessionLog};
