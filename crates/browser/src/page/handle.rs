//! The page itself: where it is, how it looks, what it reports.

use super::{Asked, Keyboard, SnapshotOptions};
use crate::browser::Core;
use crate::error::{Error, Result};
use crate::locator::{Locator, TextMatch};
use crate::monitor::{ConsoleEntry, PageLog, Problem, Request};
use base64::Engine;
use bidi::command::browsing_context::{CaptureScreenshot, Close, Create, Navigate, Reload, Wait};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

/// A page: a window of its own. Cheap to clone; dropping it does not close it.
#[derive(Debug, Clone)]
pub struct Page {
    core: Arc<Core>,
    id: Arc<str>,
    log: Arc<PageLog>,
}

impl Page {
    pub(crate) async fn open(core: Arc<Core>, user_context: &str) -> Result<Self> {
        let create = Create { user_context: Some(user_context.to_owned()), ..Create::default() };
        let id = core.link.call(&create).await?.context;
        let log = core.monitor.log_of(&id, user_context);
        Ok(Self { core, id: id.into(), log })
    }

    /// Browsing context id.
    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn core(&self) -> &Core {
        &self.core
    }

    /// Loads `url` and waits for the load event.
    ///
    /// # Errors
    /// [`Error::Navigation`] when nothing could be loaded; an answer of status 404 is a page and
    /// shows in [`problems`](Self::problems). [`Error::PageClosed`].
    pub async fn goto(&self, url: &str) -> Result<()> {
        self.slow_down().await;
        let navigate = Navigate { context: self.id.to_string(), url: url.to_owned(), wait: Wait::Complete };
        let done = self.core.link.call_within(&navigate, self.core.settings.navigation_deadline).await;
        done.map(|_| ()).map_err(|error| self.navigation_failed(url, error))
    }

    /// Loads the page again and waits for the load event.
    ///
    /// # Errors
    /// As for [`goto`](Self::goto).
    pub async fn reload(&self) -> Result<()> {
        self.slow_down().await;
        let reload = Reload { context: self.id.to_string(), wait: Wait::Complete };
        let done = self.core.link.call_within(&reload, self.core.settings.navigation_deadline).await;
        done.map(|_| ()).map_err(|error| self.navigation_failed("the page again", error))
    }

    fn navigation_failed(&self, url: &str, error: Error) -> Error {
        let failed = |reason: String| Error::Navigation { url: url.to_owned(), reason };
        match self.explain("loading", error) {
            Error::Protocol(bidi::Error::Refused { message, .. }) => failed(message),
            Error::Protocol(bidi::Error::Deadline { deadline, .. }) => {
                let pending: Vec<_> = self.requests().into_iter().filter(Request::is_pending).map(|r| r.url).collect();
                failed(format!("no load event within {deadline:?}; requests still pending: [{}]", pending.join(", ")))
            }
            other => other,
        }
    }

    /// Address of the document.
    ///
    /// # Errors
    /// [`Error::PageClosed`], or a page that does not answer.
    pub async fn url(&self) -> Result<String> {
        self.read("url").await
    }

    /// Title of the document.
    ///
    /// # Errors
    /// As for [`url`](Self::url).
    pub async fn title(&self) -> Result<String> {
        self.read("title").await
    }

    async fn read(&self, command: &str) -> Result<String> {
        let deadline = self.core.settings.action_deadline;
        let asked = Asked { command, arguments: Map::new(), action: format!("reading the {command}"), deadline };
        Ok(self.ask(asked).await?.as_str().unwrap_or_default().to_owned())
    }

    /// The viewport as PNG.
    ///
    /// # Errors
    /// [`Error::PageClosed`].
    pub async fn screenshot(&self) -> Result<Vec<u8>> {
        let shot = self.core.link.call(&CaptureScreenshot { context: self.id.to_string() }).await;
        let data = shot.map_err(|error| self.explain("a screenshot", error))?.data;
        base64::engine::general_purpose::STANDARD.decode(data).map_err(|error| {
            let method = "browsingContext.captureScreenshot".to_owned();
            Error::Protocol(bidi::Error::Shape { method, reason: error.to_string(), excerpt: "base64 text".into() })
        })
    }

    /// The accessibility tree of the whole page.
    ///
    /// # Errors
    /// As for [`Locator::aria_snapshot`].
    pub async fn aria_snapshot(&self, options: &SnapshotOptions) -> Result<aria::Snapshot> {
        self.locator("body").aria_snapshot(options).await
    }

    /// Elements by CSS selector, also in open shadow trees.
    pub fn locator(&self, css: &str) -> Locator {
        Locator::new(self.clone()).locator(css)
    }

    /// Elements by ARIA role and accessible name. Those hidden from assistive technology are left
    /// out. See [`TextMatch`] for names.
    pub fn get_by_role(&self, role: &str, name: impl Into<TextMatch>) -> Locator {
        Locator::new(self.clone()).get_by_role(role, name)
    }

    /// The innermost elements with this text.
    pub fn get_by_text(&self, text: impl Into<TextMatch>) -> Locator {
        Locator::new(self.clone()).get_by_text(text)
    }

    /// Form controls by the text of their label or their `aria-label`.
    pub fn get_by_label(&self, label: impl Into<TextMatch>) -> Locator {
        Locator::new(self.clone()).get_by_label(label)
    }

    /// Elements by their `data-testid`.
    pub fn get_by_test_id(&self, id: &str) -> Locator {
        Locator::new(self.clone()).get_by_test_id(id)
    }

    /// Real keys, to whatever has the focus.
    pub fn keyboard(&self) -> Keyboard<'_> {
        Keyboard { page: self }
    }

    /// Everything the page and its frames printed, and its uncaught errors, since it was opened.
    pub fn console(&self) -> Vec<ConsoleEntry> {
        self.log.console()
    }

    /// All requests of the page and its frames since it was opened.
    pub fn requests(&self) -> Vec<Request> {
        self.log.requests()
    }

    /// What went wrong since the page was opened: uncaught exceptions, unhandled rejections, console
    /// errors, failed requests, answers of status 400 and above, in order. Requests the page itself
    /// gave up (by navigating, by cancelling) are not among them. Asking takes nothing away. Call
    /// [`settle_events`](Self::settle_events) before, so that everything is in.
    pub fn problems(&self) -> Vec<Problem> {
        self.log.problems()
    }

    /// Waits until everything the page reported up to now is in [`console`](Self::console),
    /// [`requests`](Self::requests) and [`problems`](Self::problems). Reports come in order, so a
    /// round trip through the page is enough; nothing is slept or guessed.
    ///
    /// # Errors
    /// [`Error::PageClosed`], or a page that does not answer.
    pub async fn settle_events(&self) -> Result<()> {
        // A task of its own: rejections are reported at the end of the task they happen in.
        let task = "() => new Promise((resolve) => setTimeout(resolve))";
        self.evaluate_isolated::<Value>(task, &[]).await.map(|_| ())
    }

    /// Closes the page without asking it.
    ///
    /// # Errors
    /// [`Error::BrowserGone`]. A page that is closed already is fine.
    pub async fn close(&self) -> Result<()> {
        let closed = self.core.link.call(&Close { context: self.id.to_string() }).await;
        match closed.map_err(|error| self.explain("closing", error)) {
            Ok(_) | Err(Error::PageClosed { .. }) => Ok(()),
            Err(other) => Err(other),
        }
    }

    /// The pause people asked for before each action.
    pub(crate) async fn slow_down(&self) {
        let pause = self.core.settings.slow_motion;
        if pause > Duration::ZERO {
            tokio::time::sleep(pause).await;
        }
    }
}
