//! Where the page is, and going elsewhere.
//!
//! There is no waiting for "network idle": a page with an event stream or a timer that polls is never idle, and one that
//! is idle for a moment may not have begun. Wait for what the person would see instead, with a locator or an assertion.

use super::lifecycle::{Lifecycle, Outcome};
use super::{LoadState, Page};
use crate::error::{Error, Result};
use crate::network::{Request, Response};
use bidi::Command;
use bidi::command::browsing_context::{Activate, Navigate, Navigation, Reload, TraverseHistory, Wait};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How a navigation is awaited.
#[derive(Debug, Clone, Copy, Default)]
pub struct NavigationOptions {
    /// How far; until the load event by default.
    pub until: LoadState,
    /// Budget; [`LaunchOptions::navigation_deadline`](crate::LaunchOptions::navigation_deadline) when `None`.
    pub deadline: Option<Duration>,
}

// In our isolated world, where the page can't have changed what these functions do.
const SET_CONTENT: &str = "(html) => { document.open(); document.write(html); document.close(); }";
const LOADED: &str = "() => new Promise((resolve) => { document.readyState === 'complete' ? resolve() : \
                      addEventListener('load', () => resolve(), { once: true }); })";

impl Page {
    /// Loads `url` and waits for the load event. Relative to [`base_url`](crate::ContextOptions::base_url). Gives back
    /// the server's answer; `None` when none was asked (`about:`, `data:`, another place in the same document).
    ///
    /// # Errors
    /// [`Error::Navigation`] when nothing could be loaded; an answer of status 404 is a page and
    /// shows in [`problems`](Self::problems). [`Error::PageClosed`].
    pub async fn goto(&self, url: &str) -> Result<Option<Response>> {
        self.goto_with(url, NavigationOptions::default()).await
    }

    /// [`goto`](Self::goto) that waits less far, or for another time. When the page itself goes elsewhere at once, that
    /// is followed.
    ///
    /// # Errors
    /// As for [`goto`](Self::goto).
    pub async fn goto_with(&self, url: &str, options: NavigationOptions) -> Result<Option<Response>> {
        let url = self.context().resolve(url)?;
        let navigate = Navigate { context: self.id().to_owned(), url: url.clone(), wait: Wait::None };
        self.act(format!("go to {url}"), self.navigate(&navigate, &url, options)).await
    }

    /// Loads the page again and waits for the load event.
    ///
    /// # Errors
    /// As for [`goto`](Self::goto).
    pub async fn reload(&self) -> Result<Option<Response>> {
        self.reload_with(NavigationOptions::default()).await
    }

    /// [`reload`](Self::reload) that waits less far, or for another time.
    ///
    /// # Errors
    /// As for [`goto`](Self::goto).
    pub async fn reload_with(&self, options: NavigationOptions) -> Result<Option<Response>> {
        let reload = Reload { context: self.id().to_owned(), wait: Wait::None };
        let url = self.lifecycle().url.clone();
        self.act("reload".to_owned(), self.navigate(&reload, &url, options)).await
    }

    async fn navigate<C>(&self, command: &C, url: &str, options: NavigationOptions) -> Result<Option<Response>>
    where
        C: Command<Output = Navigation>,
    {
        let (deadline, end) = self.budget(options);
        let failed = |reason: String| Error::Navigation { url: url.to_owned(), reason };
        let sent = self.core().link.call_within(command, deadline).await;
        let sent = match sent.map_err(|error| self.explain("loading", error)) {
            Err(Error::Protocol(bidi::Error::Refused { message, .. })) => return Err(failed(in_words(&message))),
            Err(Error::Protocol(bidi::Error::Deadline { .. })) => {
                return Err(failed(self.unfinished(options.until, deadline)));
            }
            other => other?,
        };
        let navigation = sent.navigation.unwrap_or_default();
        let arrived = self.until(end, |page| match page.outcome(&navigation) {
            Some(Outcome::Failed(reason)) => Some(Err(failed(in_words(reason)))),
            Some(Outcome::SameDocument) => Some(Ok(())),
            Some(Outcome::Committed) if page.shows(&navigation) => (page.state >= options.until).then_some(Ok(())),
            // It was there, and went elsewhere by itself.
            Some(Outcome::Committed) => (page.pending.is_none() && page.state >= options.until).then_some(Ok(())),
            Some(Outcome::Started) | None => None,
        });
        arrived.await?.unwrap_or_else(|| Err(failed(self.unfinished(options.until, deadline))))?;
        // The last one: those before it redirected.
        Ok(self.requests().iter().rev().find(|request| request.is_of(&navigation)).and_then(Request::response))
    }

    /// Goes one step back in the history and waits for the load event; documents the browser has kept are there at once.
    ///
    /// # Errors
    /// [`Error::Navigation`] when there is nothing to go back to; else as for [`goto`](Self::goto).
    pub async fn go_back(&self) -> Result<()> {
        self.act("go back".to_owned(), self.traverse(-1, "the page before")).await
    }

    /// Goes one step forward in the history and waits for the load event.
    ///
    /// # Errors
    /// As for [`go_back`](Self::go_back).
    pub async fn go_forward(&self) -> Result<()> {
        self.act("go forward".to_owned(), self.traverse(1, "the page after")).await
    }

    async fn traverse(&self, delta: i32, whereto: &str) -> Result<()> {
        let options = NavigationOptions::default();
        let (deadline, end) = self.budget(options);
        let failed = |reason: String| Error::Navigation { url: whereto.to_owned(), reason };
        let before = self.lifecycle().changes;
        let command = TraverseHistory { context: self.id().to_owned(), delta };
        let sent = self.core().link.call_within(&command, deadline).await;
        match sent.map_err(|error| self.explain("going through the history", error)) {
            Err(Error::Protocol(bidi::Error::Refused { code, .. })) if code == "no such history entry" => {
                return Err(failed("the history has none".to_owned()));
            }
            Err(Error::Protocol(bidi::Error::Refused { message, .. })) => return Err(failed(in_words(&message))),
            other => other?,
        };
        let arrived = self.until(end, |page| {
            (page.changes > before && page.pending.is_none() && page.state >= options.until).then_some(())
        });
        arrived.await?.ok_or_else(|| failed(self.unfinished(options.until, deadline)))
    }

    /// Replaces the document's content by `html` and waits until everything it refers to has been loaded. The address,
    /// and with it the origin, stay.
    ///
    /// # Errors
    /// [`Error::Navigation`] when it is not loaded in time, [`Error::PageClosed`].
    pub async fn set_content(&self, html: &str) -> Result<()> {
        let (deadline, end) = self.budget(NavigationOptions::default());
        let written = async {
            self.evaluate_isolated::<Value>(SET_CONTENT, &[html.into()]).await?;
            let left = end.saturating_duration_since(Instant::now());
            self.main_frame().evaluate_in::<Value>(Some(crate::script::SANDBOX), LOADED, None, &[], left).await
        };
        match self.act("set the content".to_owned(), written).await {
            Err(Error::Protocol(bidi::Error::Deadline { .. })) => Err(Error::Navigation {
                url: "the content".to_owned(),
                reason: self.unfinished(LoadState::Load, deadline),
            }),
            other => other.map(|_| ()),
        }
    }

    /// Waits until the document is this far. A navigation on its way is waited for.
    ///
    /// # Errors
    /// [`Error::Navigation`] when it is not in time, [`Error::PageClosed`].
    pub async fn wait_for_load_state(&self, state: LoadState) -> Result<()> {
        let (deadline, end) = self.budget(NavigationOptions::default());
        let reached = self.until(end, |page| (page.pending.is_none() && page.state >= state).then_some(()));
        reached.await?.ok_or_else(|| {
            let url = self.lifecycle().url.clone();
            Error::Navigation { url, reason: self.unfinished(state, deadline) }
        })
    }

    /// Waits until the page is at an address `matches` accepts, and its document is loaded. Changes of the address by
    /// `history.pushState` and to fragments count. Gives back the address.
    ///
    /// # Errors
    /// [`Error::Timeout`] with the addresses seen, [`Error::PageClosed`].
    pub async fn wait_for_url(&self, matches: impl Fn(&str) -> bool) -> Result<String> {
        let (deadline, end) = self.budget(NavigationOptions::default());
        let mut seen: Vec<String> = Vec::new();
        let arrived = self.until(end, |page| {
            let line = match &page.pending {
                Some((_, target)) => format!("at {}, on the way to {target}", page.url),
                None if page.state < LoadState::Load => format!("at {}, still loading", page.url),
                None => format!("at {}", page.url),
            };
            if seen.last() != Some(&line) {
                seen.push(line);
            }
            (page.pending.is_none() && page.state == LoadState::Load && matches(&page.url)).then(|| page.url.clone())
        });
        let arrived = arrived.await?;
        arrived.ok_or_else(|| {
            let log = crate::error::CallLog(seen);
            Error::Timeout { action: "waiting for an address".to_owned(), deadline, log }
        })
    }

    /// Brings the page to the front and gives its window the focus.
    ///
    /// # Errors
    /// [`Error::PageClosed`].
    pub async fn bring_to_front(&self) -> Result<()> {
        let activate = Activate { context: self.id().to_owned() };
        self.call("bringing it to the front", &activate, self.core().settings.action_deadline).await.map(|_| ())
    }

    /// Whether the page has been closed, by the test or by itself.
    pub fn is_closed(&self) -> bool {
        self.lifecycle().closed
    }

    /// Whether the process that drew the page has crashed since it was last loaded.
    pub fn is_crashed(&self) -> bool {
        self.lifecycle().crashed
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

    fn budget(&self, options: NavigationOptions) -> (Duration, Instant) {
        let deadline = options.deadline.unwrap_or(self.core().settings.navigation_deadline);
        (deadline, Instant::now() + deadline)
    }

    /// Looks at the page's state at each change, until `look` gives something or the time is over.
    async fn until<T>(&self, end: Instant, mut look: impl FnMut(&Lifecycle) -> Option<T>) -> Result<Option<T>> {
        let mut changes = self.changes();
        let found = async {
            loop {
                {
                    let page = changes.borrow_and_update();
                    self.check(&page, "loading")?;
                    if let Some(found) = look(&page) {
                        return Ok(Some(found));
                    }
                }
                if changes.changed().await.is_err() {
                    return Err(self.lost("loading"));
                }
            }
        };
        timeout_at(end, found).await.unwrap_or(Ok(None))
    }

    /// What is missing, for messages.
    fn unfinished(&self, wanted: LoadState, deadline: Duration) -> String {
        let page = self.lifecycle();
        let missing = match wanted {
            LoadState::Commit => "no answer",
            LoadState::DomContentLoaded => "the document was not parsed",
            LoadState::Load => "no load event",
        };
        let now = match (&page.pending, page.state) {
            (Some((_, url)), _) => format!("{url} has not answered"),
            (None, LoadState::Commit) => "its document is still coming".to_owned(),
            (None, LoadState::DomContentLoaded) => "its document has been parsed".to_owned(),
            (None, LoadState::Load) => "its document is loaded".to_owned(),
        };
        drop(page);
        let mut pending: Vec<_> = self.requests().into_iter().filter(Request::is_pending).map(|r| r.url).collect();
        pending.dedup();
        format!("{missing} within {deadline:?}; {now}; requests still pending: [{}]", pending.join(", "))
    }
}

/// Chromium's codes that say too little.
fn in_words(message: &str) -> String {
    match message {
        "net::ERR_ABORTED" => {
            "net::ERR_ABORTED: the answer is a download or has no content, or another navigation came in between".into()
        }
        "net::ERR_HTTP_RESPONSE_CODE_FAILURE" => {
            "net::ERR_HTTP_RESPONSE_CODE_FAILURE: the answer has an error status and no body".into()
        }
        other => other.to_owned(),
    }
}
