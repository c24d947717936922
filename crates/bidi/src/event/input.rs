//! `input.*` events.

use super::event;
use serde::Deserialize;

/// A page asked for files. While this event is subscribed to, the browser shows no dialog of its own.
#[derive(Debug, Clone, Deserialize)]
pub struct FileDialogOpened {
    /// Browsing context id, of a frame too.
    pub context: String,
    /// The `<input>`; `None` when a script asked without one.
    #[serde(default)]
    pub element: Option<SharedReference>,
    /// Whether several files may be given.
    #[serde(default)]
    pub multiple: bool,
}
event!(FileDialogOpened, "input.fileDialogOpened");

/// Names a node.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SharedReference {
    /// Id of the node.
    pub shared_id: String,
}
