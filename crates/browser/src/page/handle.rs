//! The page itself: what is in it, and what it reports.

use super::SnapshotOptions;
use super::lifecycle::Lifecycle;
use crate::browser::Core;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::monitor::{ConsoleEntry, PageLog, Problem};
use crate::network::Request;
use bidi::Command;
use bidi::command::browsing_context::{Close, Create};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// A page: a window of its own. Cheap to clone; dropping it does not close it.
#[derive(Debug, Clone)]
pub struct Page {
    context: Context,
    id: Arc<str>,
    log: Arc<PageLog>,
    changes: watch::Receiver<Lifecycle>,
}

impl Page {
    /// Opens an empty page in a window of its own.
    pub(crate) async fn open(context: Context) -> Result<Self> {
        let create = Create { user_context: Some(context.id().to_owned()), ..Create::default() };
        let id = context.core().link.call(&create).await?.context;
        Ok(Self::known(context, &id))
    }

    /// The page with this browsing context id, which is there already: a popup.
    pub(crate) fn known(context: Context, id: &str) -> Self {
        let log = context.core().monitor.log_of(id, context.id());
        let changes = context.core().lifecycles.of(id);
        Self { context, id: id.into(), log, changes }
    }

    /// Browsing context id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The context the page belongs to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    pub(super) fn log(&self) -> &PageLog {
        &self.log
    }

    pub(crate) fn core(&self) -> &Core {
        self.context.core()
    }

    /// The accessibility tree of the whole page.
    ///
    /// # Errors
    /// As for [`Locator::aria_snapshot`].
    pub async fn aria_snapshot(&self, options: &SnapshotOptions) -> Result<aria::Snapshot> {
        self.locator("body").aria_snapshot(options).await
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
        let closed = self.core().link.call(&Close { context: self.id.to_string() }).await;
        match closed.map_err(|error| self.explain("closing", error)) {
            Ok(_) | Err(Error::PageClosed { .. }) => Ok(()),
            Err(other) => Err(other),
        }
    }

    /// How far the page is. Not to be held for long: the browser's events wait.
    pub(super) fn lifecycle(&self) -> watch::Ref<'_, Lifecycle> {
        self.changes.borrow()
    }

    /// Where the page was last heard to be.
    pub(crate) fn last_url(&self) -> String {
        self.lifecycle().url.clone()
    }

    /// How far the page is, now and later.
    pub(super) fn changes(&self) -> watch::Receiver<Lifecycle> {
        self.changes.clone()
    }

    /// Refuses a page that is gone.
    pub(super) fn check(&self, page: &Lifecycle, action: &str) -> Result<()> {
        let (action, id) = (action.to_owned(), self.id.to_string());
        if page.closed {
            return Err(Error::PageClosed { action, page: id });
        }
        if page.crashed { Err(Error::PageCrashed { action, page: id }) } else { Ok(()) }
    }

    /// The error for a page of which nothing is known any more.
    pub(super) fn lost(&self, action: &str) -> Error {
        let closed = || Error::PageClosed { action: action.to_owned(), page: self.id.to_string() };
        self.core().link.ended(action).unwrap_or_else(closed)
    }

    /// Sends a command that the page must answer. A crash ends it: the browser would say nothing.
    ///
    /// # Errors
    /// [`Error::PageCrashed`], and those of the command as they are.
    pub(crate) async fn call<C: Command>(&self, action: &str, command: &C, deadline: Duration) -> Result<C::Output> {
        let mut changes = self.changes();
        let crash = async {
            if changes.wait_for(|page| page.crashed).await.is_err() {
                // The command itself fails then.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            answer = self.core().link.call_within(command, deadline) => answer,
            () = crash => Err(Error::PageCrashed { action: action.to_owned(), page: self.id.to_string() }),
        }
    }
}
