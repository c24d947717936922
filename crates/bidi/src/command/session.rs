//! `session.*` commands.

use super::command;
use serde::{Deserialize, Serialize};

/// Asks for events, of all contexts unless narrowed.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscribe {
    /// Event names, or module names for all their events.
    pub events: Vec<String>,
    /// Only these user contexts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub user_contexts: Vec<String>,
}
command!(Subscribe, "session.subscribe" => Subscription);

/// Result of [`Subscribe`].
#[derive(Debug, Clone, Deserialize)]
pub struct Subscription {
    /// Id to unsubscribe with.
    pub subscription: String,
}
