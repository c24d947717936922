//! `browsingContext.*` events.

use super::event;
use serde::Deserialize;

/// A window, tab or frame came to be.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContextCreated {
    /// Browsing context id.
    pub context: String,
    /// The enclosing context; `None` for a window or tab.
    #[serde(default)]
    pub parent: Option<String>,
    /// The context that opened this one with `window.open`.
    #[serde(default)]
    pub original_opener: Option<String>,
    /// User context id. Some browsers leave it out.
    #[serde(default)]
    pub user_context: Option<String>,
    /// Address at creation.
    #[serde(default)]
    pub url: String,
}
event!(ContextCreated, "browsingContext.contextCreated");

/// A window, tab or frame is gone.
#[derive(Debug, Clone, Deserialize)]
pub struct ContextDestroyed {
    /// Browsing context id.
    pub context: String,
}
event!(ContextDestroyed, "browsingContext.contextDestroyed");

/// Shape of the navigation events.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NavigationInfo {
    /// Browsing context id.
    pub context: String,
    /// Navigation id; `None` for the first empty document.
    #[serde(default)]
    pub navigation: Option<String>,
    /// Address.
    #[serde(default)]
    pub url: String,
    /// User context id. Some browsers leave it out.
    #[serde(default)]
    pub user_context: Option<String>,
    /// Why it failed.
    #[serde(default)]
    pub message: Option<String>,
}

/// A document has finished loading.
#[derive(Debug, Clone, Deserialize)]
pub struct Load(
    /// What was loaded, and where.
    pub NavigationInfo,
);
event!(Load, "browsingContext.load");
