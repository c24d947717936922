//! Where the page is, and going elsewhere.

use super::Page;
use crate::error::{Error, Result};
use crate::monitor::Request;
use bidi::command::browsing_context::{Navigate, Reload, Wait};

impl Page {
    /// Loads `url` and waits for the load event.
    ///
    /// # Errors
    /// [`Error::Navigation`] when nothing could be loaded; an answer of status 404 is a page and
    /// shows in [`problems`](Self::problems). [`Error::PageClosed`].
    pub async fn goto(&self, url: &str) -> Result<()> {
        self.slow_down().await;
        let navigate = Navigate { context: self.id().to_owned(), url: url.to_owned(), wait: Wait::Complete };
        let done = self.core().link.call_within(&navigate, self.core().settings.navigation_deadline).await;
        done.map(|_| ()).map_err(|error| self.navigation_failed(url, error))
    }

    /// Loads the page again and waits for the load event.
    ///
    /// # Errors
    /// As for [`goto`](Self::goto).
    pub async fn reload(&self) -> Result<()> {
        self.slow_down().await;
        let reload = Reload { context: self.id().to_owned(), wait: Wait::Complete };
        let done = self.core().link.call_within(&reload, self.core().settings.navigation_deadline).await;
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
        self.main_frame().url().await
    }

    /// Title of the document.
    ///
    /// # Errors
    /// As for [`url`](Self::url).
    pub async fn title(&self) -> Result<String> {
        self.main_frame().title().await
    }
}
