//! An isolated profile within a browser (a BiDi user context).

use crate::browser::Core;
use crate::error::Result;
use crate::monitor::Problem;
use crate::page::Page;
use bidi::command::browser::{CreateUserContext, RemoveUserContext};
use bidi::command::browsing_context::SetViewport;
pub use bidi::command::browsing_context::Viewport;
use bidi::command::emulation::{MediaFeatures, SetLocaleOverride, SetMediaFeaturesOverride, SetTimezoneOverride};
use std::sync::Arc;

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

const DEFAULT_VIEWPORT: Viewport = Viewport { width: 1280, height: 720 };

/// An isolated profile: cookies, storage and pages of its own. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Context {
    core: Arc<Core>,
    id: Arc<str>,
}

impl Context {
    pub(crate) async fn open(core: Arc<Core>, options: ContextOptions) -> Result<Self> {
        let id = core.link.call(&CreateUserContext {}).await?.user_context;
        let user_contexts = vec![id.clone()];
        let viewport = SetViewport {
            user_contexts: user_contexts.clone(),
            viewport: Some(options.viewport.unwrap_or(DEFAULT_VIEWPORT)),
            ..SetViewport::default()
        };
        core.link.call(&viewport).await?;
        if let Some(locale) = options.locale {
            core.link.call(&SetLocaleOverride { locale, user_contexts: user_contexts.clone() }).await?;
        }
        if let Some(timezone) = options.timezone {
            core.link.call(&SetTimezoneOverride { timezone, user_contexts: user_contexts.clone() }).await?;
        }
        if let Some(scheme) = options.color_scheme {
            let scheme = match scheme {
                ColorScheme::Light => "light",
                ColorScheme::Dark => "dark",
            };
            let features = MediaFeatures { prefers_color_scheme: Some(scheme.to_owned()) };
            core.link.call(&SetMediaFeaturesOverride { features, user_contexts }).await?;
        }
        Ok(Self { core, id: id.into() })
    }

    /// User context id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Opens an empty page in a window of its own: a tab behind another one would not be drawn.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn new_page(&self) -> Result<Page> {
        Page::open(self.core.clone(), &self.id).await
    }

    /// Problems of all pages this context ever had, those opened by pages themselves included.
    /// See [`Page::problems`].
    pub fn problems(&self) -> Vec<Problem> {
        self.core.monitor.problems_of(&self.id)
    }

    /// Closes all its pages, without asking them, and forgets its data.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn close(&self) -> Result<()> {
        self.core.link.call(&RemoveUserContext { user_context: self.id.to_string() }).await?;
        Ok(())
    }
}
