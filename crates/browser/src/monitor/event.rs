//! What pages tell, as a stream.

use super::{ConsoleEntry, Monitor};
use crate::network::{Request, Response};
use crate::page::{Dialog, Download, FileChooser};
use std::sync::{Arc, Weak};
use tokio::sync::mpsc;

/// Something that happened in a page. In the order the browser told of it, except that a dialog is told of once its
/// answer has been decided.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum PageEvent {
    /// The page is there; for those who listen to a context.
    Opened,
    /// The page is gone.
    Closed,
    /// The process that drew it died.
    Crashed,
    /// It opened another page.
    Popup {
        /// Browsing context id of that page; see [`Context::page`](crate::Context::page).
        page: String,
    },
    /// A console call.
    Console(ConsoleEntry),
    /// An exception nobody caught, or a rejection nobody handled.
    PageError(ConsoleEntry),
    /// A request goes out.
    Request(Request),
    /// The head of an answer has come.
    Response(Response),
    /// An answer has come to its end.
    RequestFinished(Request),
    /// A request failed, or was given up.
    RequestFailed(Request),
    /// A dialog opened, and is answered as it says.
    Dialog(Dialog),
    /// A file is being saved.
    Download(Download),
    /// The page asks for files.
    FileChooser(FileChooser),
    /// A frame came to be.
    FrameAttached {
        /// Browsing context id.
        frame: String,
        /// That of the enclosing document.
        parent: String,
    },
    /// A frame, or the page itself, shows another document or address.
    FrameNavigated {
        /// Browsing context id.
        frame: String,
        /// The new address.
        url: String,
        /// Whether the document is the same: a fragment, or `history.pushState`.
        same_document: bool,
    },
    /// A frame is gone.
    FrameDetached {
        /// Browsing context id.
        frame: String,
    },
    /// A document has been parsed.
    DomContentLoaded {
        /// Browsing context id.
        frame: String,
    },
    /// A document has been loaded with all it refers to.
    Load {
        /// Browsing context id.
        frame: String,
    },
    /// A worker has started.
    Worker {
        /// `dedicated-worker`, `service-worker` …
        kind: String,
        /// Address of its script.
        url: String,
    },
}

/// Whose events, routes or handlers are meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    /// Those of one page, by browsing context id.
    Page(String),
    /// Those of all pages of a user context.
    Context(String),
}

/// An event with its page.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) page: Arc<str>,
    pub(crate) event: PageEvent,
}

/// A queue of events from its creation on. Nothing is dropped from it.
#[derive(Debug)]
pub(crate) struct Subscription {
    pub(super) id: u64,
    pub(super) monitor: Weak<Monitor>,
    pub(super) queue: mpsc::UnboundedReceiver<Heard>,
}

impl Subscription {
    /// The next event; `None` once the connection has ended.
    pub(crate) async fn next(&mut self) -> Option<Heard> {
        self.queue.recv().await
    }

    /// Takes no more; what is here already can still be taken.
    pub(crate) fn close(&mut self) {
        self.queue.close();
    }

    /// An event that is here already.
    pub(crate) fn try_next(&mut self) -> Option<Heard> {
        self.queue.try_recv().ok()
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(monitor) = self.monitor.upgrade() {
            monitor.unsubscribe(self.id);
        }
    }
}
