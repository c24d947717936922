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

/// A file is about to be saved.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DownloadWillBegin {
    /// Browsing context id.
    pub context: String,
    /// Download id; older browsers give the navigation only.
    #[serde(default)]
    pub download: Option<String>,
    /// Navigation id, when a navigation became the download.
    #[serde(default)]
    pub navigation: Option<String>,
    /// Address.
    #[serde(default)]
    pub url: String,
    /// The file name the server or the page wants.
    #[serde(default)]
    pub suggested_filename: String,
}
event!(DownloadWillBegin, "browsingContext.downloadWillBegin");

/// A download has come to its end, a good or a bad one.
#[derive(Debug, Clone, Deserialize)]
pub struct DownloadEnd {
    /// Browsing context id.
    pub context: String,
    /// Download id.
    #[serde(default)]
    pub download: Option<String>,
    /// Navigation id, when a navigation became the download.
    #[serde(default)]
    pub navigation: Option<String>,
    /// `complete` or `canceled`.
    pub status: String,
    /// Where the file is.
    #[serde(default)]
    pub filepath: Option<String>,
}
event!(DownloadEnd, "browsingContext.downloadEnd");

/// A dialog opened. The page's scripts stand still until it is closed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserPromptOpened {
    /// Browsing context id, of a frame too.
    pub context: String,
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What it says.
    #[serde(default)]
    pub message: String,
    /// What a prompt begins with.
    #[serde(default)]
    pub default_value: Option<String>,
}
event!(UserPromptOpened, "browsingContext.userPromptOpened");
