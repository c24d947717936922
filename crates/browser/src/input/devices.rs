//! What is known of a page's devices between two actions, and sending them what to do.

use super::chrome;
use super::gesture::Gesture;
use crate::error::{Error, Result};
use crate::link::COMMAND_DEADLINE;
use crate::page::Page;
use bidi::command::input::{PerformActions, Source};
use bidi::event::browsing_context::ContextDestroyed;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The devices of all pages, by browsing context id.
#[derive(Debug, Default)]
pub(crate) struct Devices {
    states: Mutex<HashMap<String, State>>,
    uploads: AtomicU64,
}

/// What a page's devices are left in, and where its frames are.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    /// Where the mouse is, in CSS pixels of the viewport.
    pub(crate) mouse: (f64, f64),
    /// Whether the driver does not know where the mouse is.
    pub(super) is_ahead: bool,
    /// Keys that are held, by their WebDriver code points.
    pub(crate) held: BTreeSet<String>,
    /// DevTools session, once asked for.
    pub(super) session: Option<String>,
    /// Of a frame: browsing context around it and the shared id of its element there.
    pub(crate) owner: Option<(Arc<str>, Arc<str>)>,
}

impl Devices {
    /// Takes one event.
    pub(crate) fn hear(&self, event: &bidi::Event) {
        if let Ok(Some(ContextDestroyed { context, .. })) = event.as_type() {
            self.all().remove(&context);
        }
    }

    /// The state of a context's devices.
    pub(crate) fn of(&self, context: &str) -> State {
        self.all().get(context).cloned().unwrap_or_default()
    }

    /// Changes it.
    pub(crate) fn note(&self, context: &str, change: impl FnOnce(&mut State)) {
        change(self.all().entry(context.to_owned()).or_default());
    }

    /// A number that was not given before.
    pub(crate) fn next_upload(&self) -> u64 {
        self.uploads.fetch_add(1, Ordering::Relaxed)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Page {
    /// Sends the devices what to do. Points are those of the page's viewport, also for what is in a frame.
    ///
    /// # Errors
    /// [`Error::PageClosed`], [`Error::PageCrashed`].
    pub(crate) async fn perform(&self, action: &str, sources: Vec<Source>) -> Result<()> {
        let command = PerformActions { context: self.id().to_owned(), actions: sources };
        match self.call(action, &command, COMMAND_DEADLINE).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.explain(action, error)),
        }
    }

    /// Sends a pointer what to do. A click goes the quick way: there press and release reach the page together, so that
    /// nothing can come between them.
    ///
    /// # Errors
    /// As for [`perform`](Self::perform).
    pub(crate) async fn point(&self, action: &str, gesture: Gesture) -> Result<()> {
        if gesture.is_plain_click() {
            self.core().devices.note(self.id(), |state| state.is_ahead = true);
            return chrome::click(self, action, gesture.actions()).await;
        }
        self.core().devices.note(self.id(), |state| state.is_ahead = false);
        self.perform(action, gesture.sources()).await
    }

    /// The error when this browser has none of Chromium's own commands.
    pub(crate) fn chromium_only(action: &str, error: Error) -> Error {
        match error {
            Error::Protocol(bidi::Error::Refused { code, .. }) if code == "unknown command" => Error::Unsuitable {
                action: action.to_owned(),
                reason: "this browser has no command for it; run this test on Chromium only".to_owned(),
            },
            other => other,
        }
    }
}
