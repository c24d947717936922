//! Chromium's own protocol through BiDi (`goog:cdp.*`). No other browser has it.

use super::command;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Asks for the DevTools session of a browsing context.
#[derive(Debug, Clone, Serialize)]
pub struct GetSession {
    /// Browsing context id.
    pub context: String,
}
command!(GetSession, "goog:cdp.getSession" => CdpSession);

/// Result of [`GetSession`].
#[derive(Debug, Clone, Deserialize)]
pub struct CdpSession {
    /// DevTools session id.
    pub session: String,
}

/// Sends a DevTools command.
#[derive(Debug, Clone, Serialize)]
pub struct SendCommand {
    /// Name of the command, for example `Accessibility.getFullAXTree`.
    pub method: String,
    /// Its parameters, an object.
    pub params: Value,
    /// Session to send it to; the browser's own when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}
command!(SendCommand, "goog:cdp.sendCommand" => CdpResult);

/// Result of [`SendCommand`].
#[derive(Debug, Clone, Deserialize)]
pub struct CdpResult {
    /// What the command answered.
    #[serde(default)]
    pub result: Value,
}
