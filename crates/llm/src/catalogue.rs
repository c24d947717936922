use serde::{Deserialize, Serialize};

use crate::RetryPolicy;

/// A model of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Model {
    /// Id the provider knows it by.
    pub id: String,
    /// Name shown to people.
    pub name: String,
    /// Context window in tokens.
    pub context_window: u64,
    /// Most output tokens of one call, where the provider limits it.
    #[serde(default)]
    pub max_output_tokens: Option<u64>,
}

/// A provider with its models and its rule for retries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Provider {
    /// Stable id.
    pub id: String,
    /// Name shown to people.
    pub name: String,
    /// Models; the first is the default.
    pub models: Vec<Model>,
    /// When and how often a failed call is made again.
    #[serde(default)]
    pub retry: RetryPolicy,
}
