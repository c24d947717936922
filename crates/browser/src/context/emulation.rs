//! What pages are told of the machine and the person in front of it, at the start and later.

use super::{ColorScheme, Context, ContextOptions, Viewport};
use crate::browser::Core;
use crate::error::{Error, Result};
use bidi::command::emulation::{
    Coordinates, MediaFeatures, NetworkConditions, SetGeolocationOverride, SetLocaleOverride, SetMediaFeaturesOverride,
    SetNetworkConditions, SetTimezoneOverride, SetTouchOverride, SetUserAgentOverride,
};
use bidi::command::network::{Header, SetExtraHeaders};
use bidi::command::{Command, Scope, browsing_context::SetViewport};
use serde_json::json;

/// A place on earth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geolocation {
    /// Degrees, -90 to 90.
    pub latitude: f64,
    /// Degrees, -180 to 180.
    pub longitude: f64,
    /// Metres.
    pub accuracy: f64,
}

/// What media queries answer. `None` leaves it to the context, and that to the browser.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Media {
    /// `prefers-color-scheme`.
    pub color_scheme: Option<ColorScheme>,
    /// Whether `prefers-reduced-motion` says `reduce`.
    pub reduced_motion: Option<bool>,
    /// Whether `prefers-contrast` says `more`.
    pub more_contrast: Option<bool>,
    /// Whether `forced-colors` is `active`.
    pub forced_colors: Option<bool>,
}

const DEFAULT_VIEWPORT: Viewport = Viewport { width: 1280, height: 720 };

/// Gives a new user context what its options ask for.
pub(super) async fn apply(core: &Core, id: &str, options: &ContextOptions) -> Result<()> {
    let scope = || Scope::UserContexts(vec![id.to_owned()]);
    let size = SetViewport {
        viewport: Some(options.viewport.unwrap_or(DEFAULT_VIEWPORT)),
        device_pixel_ratio: options.device_scale_factor,
        context: None,
        user_contexts: vec![id.to_owned()],
    };
    set(core, "viewport and device_scale_factor", &size).await?;
    if options.has_touch {
        let touch = SetTouchOverride { max_touch_points: Some(1), scope: scope() };
        set(core, "has_touch", &touch).await?;
    }
    if let Some(locale) = options.locale.clone() {
        set(core, "locale", &SetLocaleOverride { locale, scope: scope() }).await?;
    }
    if let Some(timezone) = options.timezone.clone() {
        set(core, "timezone", &SetTimezoneOverride { timezone, scope: scope() }).await?;
    }
    let media = Media::of(options);
    if media != Media::default() {
        set_media(core, scope(), media).await?;
    }
    if options.geolocation.is_some() {
        set_geolocation(core, scope(), options.geolocation).await?;
    }
    if options.offline {
        set_offline(core, scope(), true).await?;
    }
    if !options.extra_http_headers.is_empty() {
        set_headers(core, scope(), &options.extra_http_headers).await?;
    }
    if options.user_agent.is_some() {
        let agent = SetUserAgentOverride { user_agent: options.user_agent.clone(), scope: scope() };
        set(core, "user_agent", &agent).await?;
    }
    Ok(())
}

/// Sends a setting; a refusal names the option.
pub(crate) async fn set<C: Command>(core: &Core, option: &'static str, command: &C) -> Result<C::Output> {
    core.link.call(command).await.map_err(|error| match error {
        Error::Protocol(bidi::Error::Refused { code, message, .. }) if code != "no such frame" => {
            Error::OptionRefused { option, reason: message }
        }
        other => other,
    })
}

impl Media {
    pub(super) fn of(options: &ContextOptions) -> Self {
        Self {
            color_scheme: options.color_scheme,
            reduced_motion: options.reduced_motion,
            more_contrast: options.more_contrast,
            forced_colors: options.forced_colors,
        }
    }

    /// With what `other` says where this says nothing.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            color_scheme: self.color_scheme.or(other.color_scheme),
            reduced_motion: self.reduced_motion.or(other.reduced_motion),
            more_contrast: self.more_contrast.or(other.more_contrast),
            forced_colors: self.forced_colors.or(other.forced_colors),
        }
    }

    fn features(self) -> MediaFeatures {
        let word = |on: Option<bool>, yes: &str, no: &str| on.map(|on| if on { yes } else { no }.to_owned());
        MediaFeatures {
            prefers_color_scheme: word(self.color_scheme.map(|scheme| scheme == ColorScheme::Dark), "dark", "light"),
            prefers_reduced_motion: word(self.reduced_motion, "reduce", "no-preference"),
            prefers_contrast: word(self.more_contrast, "more", "no-preference"),
            forced_colors: word(self.forced_colors, "active", "none"),
        }
    }
}

pub(crate) async fn set_media(core: &Core, scope: Scope, media: Media) -> Result<()> {
    let option = "color_scheme, reduced_motion, more_contrast and forced_colors";
    set(core, option, &SetMediaFeaturesOverride { features: media.features(), scope }).await.map(|_| ())
}

pub(crate) async fn set_headers(core: &Core, scope: Scope, headers: &[(String, String)]) -> Result<()> {
    let headers = headers
        .iter()
        .map(|(name, value)| Header { name: name.clone(), value: json!({ "type": "string", "value": value }) })
        .collect();
    set(core, "extra_http_headers", &SetExtraHeaders { headers, scope }).await.map(|_| ())
}

async fn set_geolocation(core: &Core, scope: Scope, place: Option<Geolocation>) -> Result<()> {
    let coordinates =
        place.map(|Geolocation { latitude, longitude, accuracy }| Coordinates { latitude, longitude, accuracy });
    set(core, "geolocation", &SetGeolocationOverride { coordinates, scope }).await.map(|_| ())
}

async fn set_offline(core: &Core, scope: Scope, offline: bool) -> Result<()> {
    let network_conditions = offline.then_some(NetworkConditions::Offline);
    set(core, "offline", &SetNetworkConditions { network_conditions, scope }).await.map(|_| ())
}

impl Context {
    fn scope(&self) -> Scope {
        Scope::UserContexts(vec![self.id().to_owned()])
    }

    /// Cuts all pages off the network, or lets them back.
    ///
    /// # Errors
    /// [`BrowserGone`](Error::BrowserGone).
    pub async fn set_offline(&self, offline: bool) -> Result<()> {
        set_offline(self.core(), self.scope(), offline).await
    }

    /// Moves the machine; `None` is where it really is. Pages that watch their place are told.
    ///
    /// # Errors
    /// [`OptionRefused`](Error::OptionRefused) for a place that is none.
    pub async fn set_geolocation(&self, place: Option<Geolocation>) -> Result<()> {
        set_geolocation(self.core(), self.scope(), place).await
    }

    /// Headers added to every request of every page from now on, instead of those given before.
    ///
    /// # Errors
    /// [`OptionRefused`](Error::OptionRefused) for a name or value that HTTP does not allow.
    pub async fn set_extra_http_headers(&self, headers: &[(&str, &str)]) -> Result<()> {
        set_headers(self.core(), self.scope(), &owned(headers)).await
    }
}

pub(crate) fn owned(headers: &[(&str, &str)]) -> Vec<(String, String)> {
    headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
