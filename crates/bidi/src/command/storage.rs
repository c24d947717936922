//! `storage.*` commands: cookies.

use super::{Empty, command};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whose cookies.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Partition {
    /// Of a user context.
    #[serde(rename_all = "camelCase")]
    StorageKey {
        /// User context id.
        user_context: String,
    },
}

/// Reads cookies.
#[derive(Debug, Clone, Serialize)]
pub struct GetCookies {
    /// Whose.
    pub partition: Partition,
}
command!(GetCookies, "storage.getCookies" => Cookies);

/// Result of [`GetCookies`].
#[derive(Debug, Clone, Deserialize)]
pub struct Cookies {
    /// In no order.
    pub cookies: Vec<Cookie>,
}

/// Adds or replaces a cookie.
#[derive(Debug, Clone, Serialize)]
pub struct SetCookie {
    /// The cookie.
    pub cookie: Cookie,
    /// Whose.
    pub partition: Partition,
}
command!(SetCookie, "storage.setCookie" => Empty);

/// Removes cookies: all of the partition.
#[derive(Debug, Clone, Serialize)]
pub struct DeleteCookies {
    /// Whose.
    pub partition: Partition,
}
command!(DeleteCookies, "storage.deleteCookies" => Empty);

/// A cookie.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cookie {
    /// Name.
    pub name: String,
    /// A `network.BytesValue`: `{"type": "string", "value": …}`, or `base64` for what is no UTF-8.
    pub value: Value,
    /// With a leading dot when it holds for subdomains too.
    pub domain: String,
    /// Path it holds for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Whether scripts can't see it.
    #[serde(default)]
    pub http_only: bool,
    /// Whether it is for HTTPS only.
    #[serde(default)]
    pub secure: bool,
    /// `strict`, `lax`, `none` or `default`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
    /// Seconds since the epoch; `None` for the length of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expiry: Option<u64>,
}
