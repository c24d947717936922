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

/// Sets what media queries answer. Chrome only.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetMediaFeaturesOverride {
    /// The features.
    pub features: MediaFeatures,
    /// User context ids.
    pub user_contexts: Vec<String>,
}
command!(SetMediaFeaturesOverride, "emulation.setMediaFeaturesOverride" => Empty);

/// Media features by their CSS names.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MediaFeatures {
    /// `light` or `dark`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefers_color_scheme: Option<String>,
}
