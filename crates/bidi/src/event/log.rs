//! `log.entryAdded`: console calls and uncaught errors.

use super::{StackTrace, event};
use serde::Deserialize;
use serde_json::Value;

/// One console call or uncaught error.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryAdded {
    /// `console`, `javascript` (an uncaught error), or something newer.
    #[serde(rename = "type")]
    pub kind: String,
    /// `debug`, `info`, `warn`, `error`.
    pub level: String,
    /// Console method (`log`, `error`, `assert` …); only for console calls.
    #[serde(default)]
    pub method: Option<String>,
    /// The printed form. On Chrome an `Error` argument appears as the word `error` only.
    #[serde(default)]
    pub text: Option<String>,
    /// Console arguments as remote values.
    #[serde(default)]
    pub args: Vec<Value>,
    /// Milliseconds since the epoch, rounded by the browser.
    #[serde(default)]
    pub timestamp: f64,
    /// Where it happened.
    #[serde(default)]
    pub stack_trace: Option<StackTrace>,
    /// Who did it.
    pub source: Source,
}
event!(EntryAdded, "log.entryAdded");

/// The realm an entry comes from.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    /// Realm id.
    pub realm: String,
    /// Browsing context id; that of the page for its workers.
    pub context: Option<String>,
    /// User context id.
    pub user_context: Option<String>,
}
