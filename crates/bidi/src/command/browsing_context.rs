//! `browsingContext.*` commands.

use super::{Empty, command};
use serde::{Deserialize, Serialize};

/// Opens a page.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Create {
    /// Window or tab. A background tab of a window is hidden: no frames, no dialogs.
    #[serde(rename = "type")]
    pub kind: CreateType,
    /// User context id; the default one when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_context: Option<String>,
}
command!(Create, "browsingContext.create" => ContextInfo);

/// Where a page opens.
#[derive(Debug, Clone, Copy, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CreateType {
    /// A window of its own.
    #[default]
    Window,
    /// A tab.
    Tab,
}

/// Result of [`Create`].
#[derive(Debug, Clone, Deserialize)]
pub struct ContextInfo {
    /// Browsing context id.
    pub context: String,
}

/// Closes a page.
#[derive(Debug, Clone, Serialize)]
pub struct Close {
    /// Browsing context id of a window or tab.
    pub context: String,
}
command!(Close, "browsingContext.close" => Empty);

/// How far a navigation is awaited.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wait {
    /// Not at all.
    None,
    /// Until the document has been parsed.
    Interactive,
    /// Until the load event.
    Complete,
}

/// Goes to an address.
#[derive(Debug, Clone, Serialize)]
pub struct Navigate {
    /// Browsing context id.
    pub context: String,
    /// Absolute address.
    pub url: String,
    /// How far to wait.
    pub wait: Wait,
}
command!(Navigate, "browsingContext.navigate" => Navigation);

/// Loads the current address again.
#[derive(Debug, Clone, Serialize)]
pub struct Reload {
    /// Browsing context id.
    pub context: String,
    /// How far to wait.
    pub wait: Wait,
}
command!(Reload, "browsingContext.reload" => Navigation);

/// Result of [`Navigate`] and [`Reload`].
#[derive(Debug, Clone, Deserialize)]
pub struct Navigation {
    /// Navigation id.
    #[serde(default)]
    pub navigation: Option<String>,
    /// Where it went.
    pub url: String,
}

/// Lists contexts with their addresses.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GetTree {
    /// Only this one and what is in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// 0 leaves the frames out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u32>,
}
command!(GetTree, "browsingContext.getTree" => Tree);

/// Result of [`GetTree`].
#[derive(Debug, Clone, Deserialize)]
pub struct Tree {
    /// Top-level contexts, or the root asked for.
    pub contexts: Vec<TreeNode>,
}

/// One context of a [`Tree`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TreeNode {
    /// Browsing context id.
    pub context: String,
    /// Address.
    pub url: String,
    /// User context id.
    #[serde(default)]
    pub user_context: Option<String>,
    /// Frames in it, in document order. `None` where the depth asked for ends.
    #[serde(default)]
    pub children: Option<Vec<TreeNode>>,
}

/// Takes a picture of the viewport.
#[derive(Debug, Clone, Serialize)]
pub struct CaptureScreenshot {
    /// Browsing context id.
    pub context: String,
}
command!(CaptureScreenshot, "browsingContext.captureScreenshot" => Screenshot);

/// Result of [`CaptureScreenshot`].
#[derive(Debug, Clone, Deserialize)]
pub struct Screenshot {
    /// PNG in base64.
    pub data: String,
}

/// Sets the size of the area a page draws on.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetViewport {
    /// One page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Or all pages, present and future, of these user contexts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub user_contexts: Vec<String>,
    /// CSS pixels; `None` for the browser's own size.
    pub viewport: Option<Viewport>,
}
command!(SetViewport, "browsingContext.setViewport" => Empty);

/// A size in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Viewport {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}
