//! The DeepSeek adapter: chat completions over server-sent events.
//!
//! ```no_run
//! # fn connect() -> Result<(), llm::LlmError> {
//! use std::time::Duration;
//! use llm::Secret;
//! use llm::deepseek::{DeepSeek, DeepSeekConfig};
//!
//! let adapter = DeepSeek::new(DeepSeekConfig {
//!     base_url: "https://api.deepseek.com".to_owned(),
//!     api_key: Secret::new("sk-…"),
//!     idle_timeout: Duration::from_secs(120),
//! })?;
//! # drop(adapter);
//! # Ok(())
//! # }
//! ```

mod answer;
mod call;
mod connection;
mod refusal;
mod request;
mod sse;

pub use connection::{DeepSeek, DeepSeekConfig};
