//! `browser.*` commands.

use super::{Empty, command};
use serde::{Deserialize, Serialize};

/// Makes a user context: cookies, storage and permissions of its own.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateUserContext {
    /// Whether certificates are taken that nobody vouches for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accept_insecure_certs: bool,
}
command!(CreateUserContext, "browser.createUserContext" => UserContextInfo);

/// Result of [`CreateUserContext`].
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserContextInfo {
    /// User context id.
    pub user_context: String,
}

/// Closes all pages of a user context, without prompts, and forgets its data.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemoveUserContext {
    /// User context id.
    pub user_context: String,
}
command!(RemoveUserContext, "browser.removeUserContext" => Empty);
