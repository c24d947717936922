//! Answers to what a page asks a person: dialogs, file choosers, whether to leave.

use super::{Empty, command};
use serde::Serialize;

/// Closes a dialog.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HandleUserPrompt {
    /// Browsing context id the dialog belongs to.
    pub context: String,
    /// OK, or Cancel.
    pub accept: bool,
    /// What to type into a prompt; what it began with when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_text: Option<String>,
}
command!(HandleUserPrompt, "browsingContext.handleUserPrompt" => Empty);

/// Closes a page as a person does: it may ask whether it should.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CloseAsking {
    /// Browsing context id of a window or tab.
    pub context: String,
    /// Whether `beforeunload` is heard.
    pub prompt_unload: bool,
}
command!(CloseAsking, "browsingContext.close" => Empty);

/// Gives files to an `<input type=file>`.
#[derive(Debug, Clone, Serialize)]
pub struct ChooseFiles {
    /// Browsing context id of the input's document.
    pub context: String,
    /// The input, a `script.SharedReference`.
    pub element: serde_json::Value,
    /// Absolute paths.
    pub files: Vec<String>,
}
command!(ChooseFiles, "input.setFiles" => Empty);
