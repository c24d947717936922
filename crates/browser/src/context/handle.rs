//! The context itself.

use super::emulation::{self, Media};
use super::{ContextOptions, PermissionState};
use crate::browser::Core;
use crate::clock::{Clock, ClockState};
use crate::error::{Error, Result};
use crate::monitor::Problem;
use crate::monitor::Scope;
use crate::page::{Page, allow_downloads, downloads_folder};
use crate::script;
use bidi::command::browser::{CreateUserContext, RemoveUserContext};
use bidi::command::script::AddPreloadScript;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard};
use url::Url;

/// An isolated profile: cookies, storage and pages of its own. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Context {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    core: Arc<Core>,
    id: String,
    base_url: Option<Url>,
    media: Media,
    clock: Mutex<ClockState>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.core.monitor.drop_context(&self.id);
    }
}

impl Context {
    /// Makes one. An option that is refused leaves none behind.
    pub(crate) async fn open(core: Arc<Core>, options: ContextOptions) -> Result<Self> {
        let base_url = options.base_url.as_deref().map(Url::parse).transpose().map_err(|error| {
            let reason = format!("{:?}: {error}", options.base_url.as_deref().unwrap_or_default());
            Error::OptionRefused { option: "base_url", reason }
        })?;
        let create = CreateUserContext { accept_insecure_certs: options.ignore_https_errors };
        let id = emulation::set(&core, "ignore_https_errors", &create).await?.user_context;
        let context =
            Self { inner: Arc::new(Inner { core, id, base_url, media: Media::of(&options), clock: Mutex::default() }) };
        if let Err(error) = context.prepare(&options).await {
            // The first error is the one to tell.
            let _ = context.close().await;
            return Err(error);
        }
        Ok(context)
    }

    async fn prepare(&self, options: &ContextOptions) -> Result<()> {
        // Side by side: each would cost a round trip of its own.
        tokio::try_join!(emulation::apply(self.core(), self.id(), options), allow_downloads(self.core(), self.id()))?;
        for name in &options.permissions {
            self.set_permission(name, PermissionState::Granted, None).await?;
        }
        match &options.storage_state {
            Some(state) => self.restore(state).await,
            None => Ok(()),
        }
    }

    pub(crate) fn core(&self) -> &Arc<Core> {
        &self.inner.core
    }

    /// What media queries answer unless a page says otherwise.
    pub(crate) fn media(&self) -> Media {
        self.inner.media
    }

    /// The clock of all its pages.
    pub fn clock(&self) -> Clock<'_> {
        Clock::new(self)
    }

    /// What the clock shows. Changes are one at a time.
    pub(crate) async fn clock_state(&self) -> MutexGuard<'_, ClockState> {
        self.inner.clock.lock().await
    }

    /// User context id.
    pub fn id(&self) -> &str {
        &self.inner.id
    }

    /// Opens an empty page in a window of its own: a tab behind another one would not be drawn.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn new_page(&self) -> Result<Page> {
        Page::open(self.clone()).await
    }

    /// Calls `function`, the source of a JavaScript function, with `arguments` in every new document of every page and
    /// frame from now on, in the page's own world and before any script of the page.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn add_init_script(&self, function: &str, arguments: &[Value]) -> Result<()> {
        let command = AddPreloadScript {
            function_declaration: script::call(function, arguments),
            user_contexts: vec![self.id().to_owned()],
            ..AddPreloadScript::default()
        };
        self.core().link.call(&command).await.map(|_| ())
    }

    /// The absolute form of an address given by a test.
    pub(crate) fn resolve(&self, url: &str) -> Result<String> {
        let failed = |reason: String| Error::Navigation { url: url.to_owned(), reason };
        match (Url::parse(url), &self.inner.base_url) {
            // As it was given: the browser has rules of its own.
            (Ok(_), _) => Ok(url.to_owned()),
            (Err(_), Some(base)) => match base.join(url) {
                Ok(joined) => Ok(joined.into()),
                Err(error) => Err(failed(format!("it does not go with the base_url {base}: {error}"))),
            },
            (Err(error), None) => {
                Err(failed(format!("it is no absolute address ({error}), and the context has no base_url")))
            }
        }
    }

    /// Problems of all pages this context ever had, those opened by pages themselves included.
    /// See [`Page::problems`].
    pub fn problems(&self) -> Vec<Problem> {
        self.core().monitor.problems_of(self.id())
    }

    /// Closes all its pages, without asking them, and forgets its data.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn close(&self) -> Result<()> {
        self.core().link.call(&RemoveUserContext { user_context: self.id().to_owned() }).await?;
        self.core().lifecycles.forget(self.id());
        self.core().monitor.forget(&Scope::Context(self.id().to_owned()));
        // Most contexts have none.
        if let Some(folder) = downloads_folder(self.core(), self.id()) {
            let _ = tokio::fs::remove_dir_all(folder).await;
        }
        Ok(())
    }
}
