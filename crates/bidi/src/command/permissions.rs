//! `permissions.*` commands (<https://w3c.github.io/permissions/#automation-webdriver-bidi>).

use super::{Empty, command};
use serde::Serialize;

/// Answers a permission question before it is asked.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetPermission {
    /// Which permission.
    pub descriptor: PermissionDescriptor,
    /// The answer.
    pub state: PermissionState,
    /// Who asks, for example `https://example.com`.
    pub origin: String,
    /// User context id.
    pub user_context: String,
}
command!(SetPermission, "permissions.setPermission" => Empty);

/// Names a permission.
#[derive(Debug, Clone, Serialize)]
pub struct PermissionDescriptor {
    /// For example `geolocation`.
    pub name: String,
}

/// The answer to a permission question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PermissionState {
    /// Yes.
    Granted,
    /// No.
    Denied,
    /// The person is asked.
    Prompt,
}
