//! Model providers: catalogue, adapter trait, chunk stream, errors, retry policy.
//!
//! An adapter makes one attempt a call. Retrying belongs to the agent, which asks the provider's [`RetryPolicy`].

mod adapter;
mod catalogue;
pub mod deepseek;
mod error;
mod retry;
mod secret;

pub use adapter::{Adapter, ChunkStream, Registry, Request, Route, ToolSpec};
pub use catalogue::{Model, Provider};
pub use error::{LlmError, LlmErrorCode};
pub use retry::RetryPolicy;
pub use secret::Secret;
