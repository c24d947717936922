//! `script.*` commands.

use super::{Empty, command};
use crate::event::StackTrace;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Runs a function in every new document, before the page's own code.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AddPreloadScript {
    /// Source of a function without parameters.
    pub function_declaration: String,
    /// Isolated world to run in; the page's own when `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// Only in these windows and tabs, with all their frames.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<String>,
    /// Only in these user contexts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub user_contexts: Vec<String>,
}
command!(AddPreloadScript, "script.addPreloadScript" => PreloadScript);

/// Result of [`AddPreloadScript`].
#[derive(Debug, Clone, Deserialize)]
pub struct PreloadScript {
    /// Id to remove it with.
    pub script: String,
}

/// Ends what [`AddPreloadScript`] began: documents that are there keep what ran in them.
#[derive(Debug, Clone, Serialize)]
pub struct RemovePreloadScript {
    /// Its id.
    pub script: String,
}
command!(RemovePreloadScript, "script.removePreloadScript" => Empty);

/// Where a script runs.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Target {
    /// A realm, known from [`RealmCreated`](crate::event::script::RealmCreated). It is gone with its document.
    Realm {
        /// Realm id.
        realm: String,
    },
    /// Whatever document the browsing context shows.
    Context {
        /// Browsing context id.
        context: String,
        /// Isolated world: shares the DOM with the page, not the globals.
        #[serde(skip_serializing_if = "Option::is_none")]
        sandbox: Option<String>,
    },
}

/// Calls a function. Large arguments are slow: install code by [`AddPreloadScript`], pass data.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallFunction {
    /// Source of the function.
    pub function_declaration: String,
    /// Local values (`script.LocalValue`); see [`string`].
    pub arguments: Vec<Value>,
    /// Whether to wait for the promise it returns.
    pub await_promise: bool,
    /// Where.
    pub target: Target,
    /// Whether it counts as a user's gesture.
    pub user_activation: bool,
    /// How the result is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serialization_options: Option<SerializationOptions>,
}
command!(CallFunction, "script.callFunction" => CallResult);

/// How much a description of nodes holds.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SerializationOptions {
    /// How far below a node its children are described.
    pub max_dom_depth: u32,
    /// Which shadow trees are described with their hosts: `none`, `open` or `all`.
    pub include_shadow_tree: &'static str,
}

/// A text as `script.LocalValue`.
pub fn string(text: &str) -> Value {
    serde_json::json!({ "type": "string", "value": text })
}

/// A node as `script.LocalValue`, by its shared id.
pub fn node(shared_id: &str) -> Value {
    serde_json::json!({ "sharedId": shared_id })
}

/// Result of [`CallFunction`].
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum CallResult {
    /// It returned.
    Success {
        /// The value, as `script.RemoteValue`.
        result: RemoteValue,
    },
    /// It threw, or its promise was rejected.
    #[serde(rename_all = "camelCase")]
    Exception {
        /// What was thrown.
        exception_details: ExceptionDetails,
    },
}

/// A value as the browser describes it. Return JSON text from functions: it comes as a string here.
#[derive(Debug, Clone, Deserialize)]
pub struct RemoteValue {
    /// `string`, `undefined`, `null`, `number`, `object` …
    #[serde(rename = "type")]
    pub kind: String,
    /// The value of primitives; a description for others.
    #[serde(default)]
    pub value: Value,
    /// What names a node in later commands.
    #[serde(default, rename = "sharedId")]
    pub shared_id: Option<String>,
}

/// What a script threw.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionDetails {
    /// For example `TypeError: x is not a function`.
    #[serde(default)]
    pub text: String,
    /// Counted from 0.
    #[serde(default)]
    pub line_number: i64,
    /// Counted from 0.
    #[serde(default)]
    pub column_number: i64,
    /// Where it was thrown.
    #[serde(default)]
    pub stack_trace: StackTrace,
}
