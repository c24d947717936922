//! `emulation.*` commands, each for whole user contexts: present and future pages.

use super::{Empty, command};
use serde::Serialize;

/// Sets `navigator.language(s)`, `Intl` and `Accept-Language`.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetLocaleOverride {
    /// BCP 47 tag.
    pub locale: String,
    /// User context ids.
    pub user_contexts: Vec<String>,
}
command!(SetLocaleOverride, "emulation.setLocaleOverride" => Empty);

/// Sets the time zone.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTimezoneOverride {
    /// IANA name or an offset such as `+02:00`.
    pub timezone: String,
    /// User context ids.
    pub user_contexts: Vec<String>,
}
command!(SetTimezoneOverride, "emulation.setTimezoneOverride" => Empty);
