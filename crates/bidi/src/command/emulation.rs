//! `emulation.*` commands: what pages are told of the machine and the person in front of it.

use super::{Empty, Scope, command};
use serde::Serialize;

/// Sets `navigator.language(s)`, `Intl` and `Accept-Language`.
#[derive(Debug, Clone, Serialize)]
pub struct SetLocaleOverride {
    /// BCP 47 tag.
    pub locale: String,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetLocaleOverride, "emulation.setLocaleOverride" => Empty);

/// Sets the time zone.
#[derive(Debug, Clone, Serialize)]
pub struct SetTimezoneOverride {
    /// IANA name or an offset such as `+02:00`.
    pub timezone: String,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetTimezoneOverride, "emulation.setTimezoneOverride" => Empty);

/// Sets what `navigator.geolocation` tells those who may ask.
#[derive(Debug, Clone, Serialize)]
pub struct SetGeolocationOverride {
    /// The place; `None` for the machine's own.
    pub coordinates: Option<Coordinates>,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetGeolocationOverride, "emulation.setGeolocationOverride" => Empty);

/// A place on earth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Coordinates {
    /// Degrees, -90 to 90.
    pub latitude: f64,
    /// Degrees, -180 to 180.
    pub longitude: f64,
    /// Metres.
    pub accuracy: f64,
}

/// Cuts pages off the network, or lets them back.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetNetworkConditions {
    /// `None` for the network as it is.
    pub network_conditions: Option<NetworkConditions>,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetNetworkConditions, "emulation.setNetworkConditions" => Empty);

/// Conditions of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum NetworkConditions {
    /// No network.
    Offline,
}

/// Sets the `User-Agent` header and `navigator.userAgent`. Chrome leaves the `Sec-CH-UA` headers out then.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetUserAgentOverride {
    /// `None` for the browser's own.
    pub user_agent: Option<String>,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetUserAgentOverride, "emulation.setUserAgentOverride" => Empty);

/// Makes pages believe in a touch screen. Chrome only.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTouchOverride {
    /// Fingers at once; `None` for the machine's own.
    pub max_touch_points: Option<u32>,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetTouchOverride, "emulation.setTouchOverride" => Empty);

/// Sets what media queries answer, all features at once. Chrome only.
#[derive(Debug, Clone, Serialize)]
pub struct SetMediaFeaturesOverride {
    /// The features.
    pub features: MediaFeatures,
    /// For which pages.
    #[serde(flatten)]
    pub scope: Scope,
}
command!(SetMediaFeaturesOverride, "emulation.setMediaFeaturesOverride" => Empty);

/// Media features by their CSS names. Those that are `None` are the browser's own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct MediaFeatures {
    /// `light` or `dark`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefers_color_scheme: Option<String>,
    /// `reduce` or `no-preference`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefers_reduced_motion: Option<String>,
    /// `more` or `no-preference`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefers_contrast: Option<String>,
    /// `active` or `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forced_colors: Option<String>,
}
