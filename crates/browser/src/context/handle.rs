//! The context itself.

use super::{ColorScheme, ContextOptions, Viewport};
use crate::browser::Core;
use crate::error::Result;
use crate::monitor::Problem;
use crate::page::Page;
use bidi::command::browser::{CreateUserContext, RemoveUserContext};
use bidi::command::browsing_context::SetViewport;
use bidi::command::emulation::{MediaFeatures, SetLocaleOverride, SetMediaFeaturesOverride, SetTimezoneOverride};
use std::sync::Arc;

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

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.core
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
        Page::open(self.clone()).await
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
