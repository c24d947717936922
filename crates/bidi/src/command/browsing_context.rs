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
    /// The context around the root asked for; `None` for windows and tabs, and below the root.
    #[serde(default)]
    pub parent: Option<String>,
    /// Frames in it, in document order. `None` where the depth asked for ends.
    #[serde(default)]
    pub children: Option<Vec<TreeNode>>,
}

/// Takes a picture.
#[derive(Debug, Clone, Serialize)]
pub struct CaptureScreenshot {
    /// Browsing context id.
    pub context: String,
    /// What the picture's edge is, when there is no clip.
    pub origin: Origin,
    /// Encoding; PNG when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<ImageFormat>,
    /// The part wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<Clip>,
}
command!(CaptureScreenshot, "browsingContext.captureScreenshot" => Screenshot);

/// What coordinates of a picture count from.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The part that is on screen.
    Viewport,
    /// The whole document.
    Document,
}

/// How a picture is encoded.
#[derive(Debug, Clone, Serialize)]
pub struct ImageFormat {
    /// MIME type: `image/png` or `image/jpeg`.
    #[serde(rename = "type")]
    pub kind: String,
    /// From 0 to 1, for JPEG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<f64>,
}

/// A part of a picture.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Clip {
    /// A box, in CSS pixels from the origin.
    Box {
        /// From the left.
        x: f64,
        /// From the top.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
    },
}

/// Result of [`CaptureScreenshot`].
#[derive(Debug, Clone, Deserialize)]
pub struct Screenshot {
    /// The encoded picture in base64.
    pub data: String,
}

/// Makes a PDF, in the browser's own paper size and margins.
#[derive(Debug, Clone, Serialize)]
pub struct Print {
    /// Browsing context id.
    pub context: String,
    /// Whether background colours and pictures are printed.
    pub background: bool,
}
command!(Print, "browsingContext.print" => Printed);

/// Result of [`Print`].
#[derive(Debug, Clone, Deserialize)]
pub struct Printed {
    /// PDF in base64.
    pub data: String,
}

/// Goes through the history.
#[derive(Debug, Clone, Serialize)]
pub struct TraverseHistory {
    /// Browsing context id.
    pub context: String,
    /// Steps; back when negative.
    pub delta: i32,
}
command!(TraverseHistory, "browsingContext.traverseHistory" => Empty);

/// Brings a page to the front and gives it the focus.
#[derive(Debug, Clone, Serialize)]
pub struct Activate {
    /// Browsing context id.
    pub context: String,
}
command!(Activate, "browsingContext.activate" => Empty);

/// Sets the size of the area a page draws on.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetViewport {
    /// CSS pixels; left as it is when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewport: Option<Viewport>,
    /// Device pixels a CSS pixel; left as it is when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device_pixel_ratio: Option<f64>,
    /// One page,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// or all pages, present and future, of these user contexts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub user_contexts: Vec<String>,
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

/// Finds nodes.
#[derive(Debug, Clone, Serialize)]
pub struct LocateNodes {
    /// Browsing context id of the document to look in.
    pub context: String,
    /// What to look for.
    pub locator: NodeLocator,
}
command!(LocateNodes, "browsingContext.locateNodes" => LocatedNodes);

/// What [`LocateNodes`] looks for.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", content = "value", rename_all = "lowercase")]
pub enum NodeLocator {
    /// The element that holds a frame.
    Context {
        /// The frame's browsing context id.
        context: String,
    },
}

/// Result of [`LocateNodes`].
#[derive(Debug, Clone, Deserialize)]
pub struct LocatedNodes {
    /// The nodes.
    pub nodes: Vec<LocatedNode>,
}

/// A node found.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocatedNode {
    /// What names it in later commands.
    pub shared_id: String,
}
