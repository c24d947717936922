//! Waits that are armed before the action that makes them true.

use super::Claim;
use super::{Dialog, DialogAnswer, Download, FileChooser, Page};
use crate::context::Context;
use crate::error::{CallLog, Error, Result};
use crate::monitor::{ConsoleEntry, Heard, PageEvent, Scope, Subscription};
use crate::network::{Request, Response};
use bidi::command::browsing_context::GetTree;
use std::collections::VecDeque;
use std::fmt::Display;
use std::future::IntoFuture;
use std::panic::Location;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

type Looking<T> = Box<dyn FnMut(&Heard) -> Look<T> + Send>;

/// Something that is going to happen. It hears from its creation on, so create it before the action and await it after:
///
/// ```no_run
/// # async fn example(page: &browser::Page) -> browser::Result<()> {
/// let answer = page.expect_response(|response| response.url().ends_with("/api/send"));
/// page.get_by_role("button", "Send").click().await?;
/// let sent: serde_json::Value = answer.await?.json().await?;
/// # let _ = sent; Ok(()) }
/// ```
///
/// Nothing is missed in between, and what came is looked at in the order it came. The deadline counts from the await.
///
/// # Errors
/// Awaiting gives [`Error::Timeout`] with what was seen instead, [`Error::PageClosed`], [`Error::PageCrashed`] or
/// [`Error::BrowserGone`].
#[must_use = "an expectation that is not awaited expects nothing"]
pub struct Expectation<T> {
    source: Source,
    what: String,
    deadline: Duration,
    subscription: Subscription,
    look: Looking<T>,
    _claim: Option<Claim>,
}

enum Source {
    Page(Page),
    Context(Context),
}

/// What an event means to an expectation.
enum Look<T> {
    /// Something else.
    Other,
    /// Of the right kind, but not the right one: a line for the call log.
    Seen(String),
    /// It.
    Is(T),
    /// It, when this is done.
    Becomes(Boxed<Result<T>>),
}

/// Lines of what was seen that a call log shows.
const SHOWN: usize = 10;

impl<T> Expectation<T> {
    /// With a budget of its own; the action deadline otherwise.
    pub fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    #[track_caller]
    fn new(source: Source, what: &str, look: impl FnMut(&Heard) -> Look<T> + Send + 'static) -> Self {
        let (core, scope) = match &source {
            Source::Page(page) => (page.core(), Scope::Page(page.id().to_owned())),
            Source::Context(context) => (&**context.core(), Scope::Context(context.id().to_owned())),
        };
        let subscription = core.monitor.subscribe(scope);
        let what = format!("waiting for {what} (expected at {})", Location::caller());
        let deadline = core.settings.action_deadline;
        Self { source, what, deadline, subscription, look: Box::new(look), _claim: None }
    }

    async fn wait(mut self) -> Result<T> {
        let end = Instant::now() + self.deadline;
        let mut seen = VecDeque::new();
        let mut more = 0_usize;
        // What has come already counts, also when the page is gone since.
        let mut is_gone = self.check();
        loop {
            let heard = match is_gone {
                Ok(()) => timeout_at(end, self.subscription.next()).await,
                Err(_) => Ok(self.subscription.try_next()),
            };
            let heard = match (heard, is_gone) {
                (Ok(Some(heard)), unchanged) => {
                    is_gone = unchanged;
                    heard
                }
                (Ok(None), Err(gone)) => return Err(gone),
                (Ok(None), Ok(())) => return Err(self.ended()),
                (Err(_), _) => {
                    if more > 0 {
                        seen.push_front(format!("{more} more before these"));
                    }
                    let (action, deadline) = (self.what, self.deadline);
                    return Err(Error::Timeout { action, deadline, log: CallLog(seen.into()) });
                }
            };
            match (self.look)(&heard) {
                Look::Is(value) => return Ok(value),
                Look::Becomes(value) => return value.await,
                Look::Other => {}
                Look::Seen(line) => {
                    seen.push_back(line);
                    if seen.len() > SHOWN {
                        seen.pop_front();
                        more += 1;
                    }
                }
            }
            if is_gone.is_ok() && matches!(heard.event, PageEvent::Closed | PageEvent::Crashed) {
                is_gone = self.check();
            }
        }
    }

    fn check(&self) -> Result<()> {
        match &self.source {
            Source::Page(page) => page.check(&page.lifecycle(), &self.what),
            Source::Context(_) => Ok(()),
        }
    }

    fn ended(&self) -> Error {
        let core = match &self.source {
            Source::Page(page) => page.core(),
            Source::Context(context) => context.core(),
        };
        let unknown = || Error::BrowserGone { what: self.what.clone(), log: Vec::new() };
        core.link.ended(&self.what).unwrap_or_else(unknown)
    }
}

impl<T: Send + 'static> IntoFuture for Expectation<T> {
    type Output = Result<T>;
    type IntoFuture = Boxed<Result<T>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.wait())
    }
}

impl<T> std::fmt::Debug for Expectation<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)
    }
}

/// `value`, when the predicate takes it.
fn picked<T: Clone + Display>(value: &T, predicate: &mut impl FnMut(&T) -> bool) -> Look<T> {
    if predicate(value) { Look::Is(value.clone()) } else { Look::Seen(value.to_string()) }
}

impl Page {
    pub(super) fn subscribe(&self) -> Subscription {
        self.core().monitor.subscribe(Scope::Page(self.id().to_owned()))
    }

    #[track_caller]
    fn expect_one<T>(&self, what: &str, look: impl FnMut(&PageEvent) -> Look<T> + Send + 'static) -> Expectation<T> {
        let mut look = look;
        Expectation::new(Source::Page(self.clone()), what, move |heard| look(&heard.event))
    }

    /// A request that `predicate` holds for, when it goes out.
    #[track_caller]
    pub fn expect_request(&self, predicate: impl FnMut(&Request) -> bool + Send + 'static) -> Expectation<Request> {
        let mut predicate = predicate;
        self.expect_one("a request", move |event| match event {
            PageEvent::Request(request) => picked(request, &mut predicate),
            _ => Look::Other,
        })
    }

    /// A request that `predicate` holds for, when its answer has come to its end or it has failed.
    #[track_caller]
    pub fn expect_request_finished(
        &self,
        predicate: impl FnMut(&Request) -> bool + Send + 'static,
    ) -> Expectation<Request> {
        let mut predicate = predicate;
        self.expect_one("the end of a request", move |event| match event {
            PageEvent::RequestFinished(request) | PageEvent::RequestFailed(request) => picked(request, &mut predicate),
            _ => Look::Other,
        })
    }

    /// A response that `predicate` holds for, when its head has come; [`Response::body`] waits for the rest.
    #[track_caller]
    pub fn expect_response(&self, predicate: impl FnMut(&Response) -> bool + Send + 'static) -> Expectation<Response> {
        let mut predicate = predicate;
        self.expect_one("a response", move |event| match event {
            PageEvent::Response(response) => picked(response, &mut predicate),
            // The call log says why no response came.
            PageEvent::RequestFailed(request) => Look::Seen(request.to_string()),
            _ => Look::Other,
        })
    }

    /// A console call that `predicate` holds for.
    #[track_caller]
    pub fn expect_console(
        &self,
        predicate: impl FnMut(&ConsoleEntry) -> bool + Send + 'static,
    ) -> Expectation<ConsoleEntry> {
        let mut predicate = predicate;
        self.expect_one("a console call", move |event| match event {
            PageEvent::Console(entry) => picked(entry, &mut predicate),
            PageEvent::PageError(entry) => Look::Seen(entry.to_string()),
            _ => Look::Other,
        })
    }

    /// Any event that `pick` makes something of.
    #[track_caller]
    pub fn expect_event<T>(&self, pick: impl FnMut(&PageEvent) -> Option<T> + Send + 'static) -> Expectation<T> {
        let mut pick = pick;
        self.expect_one("an event", move |event| match pick(event) {
            Some(value) => Look::Is(value),
            None => Look::Seen(line(event)),
        })
    }

    /// A dialog, and how to answer it. The dialog is answered at once, since the page stands still until then; the await
    /// only gives back what it was.
    #[track_caller]
    pub fn expect_dialog(&self, answer: DialogAnswer) -> Expectation<Dialog> {
        let claim = self.core().monitor.claim_dialog(Scope::Page(self.id().to_owned()), answer);
        let id = claim.id;
        let expectation = self.expect_one("a dialog", move |event| match event {
            PageEvent::Dialog(dialog) if dialog.claim == Some(id) => Look::Is(dialog.clone()),
            PageEvent::Dialog(dialog) => Look::Seen(dialog.to_string()),
            _ => Look::Other,
        });
        Expectation { _claim: Some(claim), ..expectation }
    }

    /// A download that begins.
    #[track_caller]
    pub fn expect_download(&self) -> Expectation<Download> {
        self.expect_one("a download", |event| match event {
            PageEvent::Download(download) => Look::Is(download.clone()),
            // A link that should have been a download, but was a page.
            PageEvent::FrameNavigated { url, .. } => Look::Seen(format!("the page went to {url}")),
            PageEvent::RequestFailed(request) => Look::Seen(request.to_string()),
            _ => Look::Other,
        })
    }

    /// The page asking for files.
    #[track_caller]
    pub fn expect_file_chooser(&self) -> Expectation<FileChooser> {
        self.expect_one("a file chooser", |event| match event {
            PageEvent::FileChooser(chooser) => Look::Is(chooser.clone()),
            _ => Look::Other,
        })
    }

    /// A page that this one opens, with `window.open` or a link. The address it was opened with has been answered by
    /// then, unless that takes longer than the deadline.
    #[track_caller]
    pub fn expect_popup(&self) -> Expectation<Page> {
        let context = self.context().clone();
        self.expect_one("a popup", move |event| match event {
            PageEvent::Popup { page } => Look::Becomes(Box::pin(opened(context.clone(), page.clone()))),
            PageEvent::PageError(entry) => Look::Seen(entry.to_string()),
            _ => Look::Other,
        })
    }

    /// Everything that happens in the page from now on.
    pub fn events(&self) -> Events {
        Events { subscription: self.subscribe(), ends: true }
    }
}

impl Context {
    /// A page that is opened in the context: by a page of it, or with [`new_page`](Self::new_page).
    #[track_caller]
    pub fn expect_page(&self) -> Expectation<Page> {
        let context = self.clone();
        Expectation::new(Source::Context(self.clone()), "a page", move |heard| match heard.event {
            PageEvent::Opened => Look::Becomes(Box::pin(opened(context.clone(), heard.page.to_string()))),
            _ => Look::Other,
        })
    }

    /// The open pages, oldest first.
    pub fn pages(&self) -> Vec<Page> {
        let ids = self.core().monitor.open_pages(self.id());
        ids.iter().map(|id| Page::known(self.clone(), id)).collect()
    }

    /// The open page with this browsing context id.
    pub fn page(&self, id: &str) -> Option<Page> {
        self.pages().into_iter().find(|page| page.id() == id)
    }

    /// Everything that happens in its pages from now on.
    pub fn events(&self) -> Events {
        Events { subscription: self.core().monitor.subscribe(Scope::Context(self.id().to_owned())), ends: false }
    }
}

/// What happens, in order. Nothing is dropped: take what you do not need, too, or drop the stream.
#[derive(Debug)]
pub struct Events {
    subscription: Subscription,
    ends: bool,
}

impl Events {
    /// The next event with the id of its page, which is empty for shared workers and service workers. `None` after the
    /// page has closed, or the connection has ended.
    pub async fn next(&mut self) -> Option<(String, PageEvent)> {
        let Heard { page, event } = self.subscription.next().await?;
        if self.ends && matches!(event, PageEvent::Closed) {
            self.subscription.close();
        }
        Some((page.to_string(), event))
    }

    /// An event that is here already.
    pub fn try_next(&mut self) -> Option<(String, PageEvent)> {
        let Heard { page, event } = self.subscription.try_next()?;
        Some((page.to_string(), event))
    }
}

/// A page that has just been opened, once it is usable.
async fn opened(context: Context, id: String) -> Result<Page> {
    let page = Page::known(context, &id);
    let core = page.core();
    // What the browser did in the same breath as opening has been told of after this: going to an address, mostly.
    let there = GetTree { root: Some(id.clone()), max_depth: Some(0) };
    core.link.call(&there).await.map_err(|error| page.explain("looking at a new page", error))?;
    let mut changes = page.changes();
    let arrived = changes.wait_for(|lifecycle| lifecycle.pending.is_none() || lifecycle.closed || lifecycle.crashed);
    // A server that takes its time: the page is there all the same.
    let _ = tokio::time::timeout(core.settings.action_deadline, arrived).await;
    core.monitor.popups.usable(&id).await;
    Ok(page)
}

/// A line for the call log.
fn line(event: &PageEvent) -> String {
    match event {
        PageEvent::Console(entry) | PageEvent::PageError(entry) => entry.to_string(),
        PageEvent::Request(request) | PageEvent::RequestFinished(request) | PageEvent::RequestFailed(request) => {
            request.to_string()
        }
        PageEvent::Response(response) => response.to_string(),
        PageEvent::Dialog(dialog) => dialog.to_string(),
        PageEvent::Download(download) => format!("download of {}", download.url()),
        PageEvent::FileChooser(_) => "file chooser".to_owned(),
        PageEvent::FrameNavigated { url, .. } => format!("went to {url}"),
        other => format!("{other:?}"),
    }
}
