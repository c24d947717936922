//! Session log to model script: binding, cursor, pacing, consumption; a provider face over HTTP.
//!
//! [`Script`] derives the model calls of a recorded log, [`ReplayModel`] answers calls from scripts as an
//! [`llm::Adapter`], [`face`] serves the same over HTTP in the shape of the DeepSeek API.

mod error;
pub mod face;
mod model;
mod script;

pub use error::ReplayError;
pub use model::{CapturedRequest, Position, ReplayModel, ReplayOptions};
pub use script::{Entry, Script};
