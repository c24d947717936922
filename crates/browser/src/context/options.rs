//! What a context is made with.

use super::{Geolocation, StorageState, Viewport};

/// How a context differs from the browser's defaults. It holds for all its pages, those that pages open themselves
/// included.
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// Size of the pages; 1280 × 720 when `None`.
    pub viewport: Option<Viewport>,
    /// Device pixels a CSS pixel (`devicePixelRatio`); 1 when `None`.
    pub device_scale_factor: Option<f64>,
    /// Whether pages believe in a touch screen: `ontouchstart`, `navigator.maxTouchPoints`, `(pointer: coarse)`.
    pub has_touch: bool,
    /// BCP 47 tag for `navigator.language`, `Intl` and `Accept-Language`.
    pub locale: Option<String>,
    /// IANA name of the time zone.
    pub timezone: Option<String>,
    /// What `prefers-color-scheme` says.
    pub color_scheme: Option<ColorScheme>,
    /// Whether `prefers-reduced-motion` says `reduce`.
    pub reduced_motion: Option<bool>,
    /// Whether `prefers-contrast` says `more`.
    pub more_contrast: Option<bool>,
    /// Whether `forced-colors` is `active`, as with the high contrast themes of Windows.
    pub forced_colors: Option<bool>,
    /// Where the machine is. Pages are told once they have the permission `geolocation`.
    pub geolocation: Option<Geolocation>,
    /// Permissions every origin has, by the names of the Permissions API: `clipboard-read`, `geolocation`,
    /// `notifications`, … See [`Context::grant_permissions`](super::Context::grant_permissions).
    pub permissions: Vec<String>,
    /// Whether there is no network at first. See [`Context::set_offline`](super::Context::set_offline).
    pub offline: bool,
    /// Headers added to every request: name and value.
    pub extra_http_headers: Vec<(String, String)>,
    /// The `User-Agent` header and `navigator.userAgent`.
    pub user_agent: Option<String>,
    /// Whether certificates are taken that nobody vouches for, such as self-signed ones.
    pub ignore_https_errors: bool,
    /// What relative addresses given to [`Page::goto`](crate::Page::goto) and the waits for addresses are relative to.
    /// By the rules of the URL standard: give a folder a slash at its end.
    pub base_url: Option<String>,
    /// Cookies and local storage to start with: see [`Context::storage_state`](super::Context::storage_state).
    pub storage_state: Option<StorageState>,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorScheme {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}
