//! What a context is made with.

use super::Viewport;

/// How a context differs from the browser's defaults.
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// Size of the pages; 1280 × 720 when `None`.
    pub viewport: Option<Viewport>,
    /// BCP 47 tag for `navigator.language`, `Intl` and `Accept-Language`.
    pub locale: Option<String>,
    /// IANA name of the time zone.
    pub timezone: Option<String>,
    /// What `prefers-color-scheme` says.
    pub color_scheme: Option<ColorScheme>,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorScheme {
    /// Dark text on a light ground.
    Light,
    /// Light text on a dark ground.
    Dark,
}
