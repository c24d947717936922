//! Dialogs: `alert`, `confirm`, `prompt`, and the question whether to leave.
//!
//! While a dialog is open its page stands still, and with it every action and script. So answers are given beforehand:
//! by [`Page::expect_dialog`] or [`Page::on_dialog`]. A dialog that nobody announced is dismissed, as if the person had
//! pressed Escape; the question whether to leave is answered with yes, since the test navigated or closed. Each is in
//! [`Page::dialogs`] with how it was answered, so that a test can assert that there was none.

use super::Page;
use crate::error::{Error, Result};
use crate::monitor::{Monitor, Scope};
use bidi::command::prompt::CloseAsking;
use std::sync::{Arc, Weak};
use tokio::time::{Instant, timeout_at};

/// A dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    /// Which kind.
    pub kind: DialogKind,
    /// What it says; browsers hide what `beforeunload` handlers say.
    pub message: String,
    /// What a prompt begins with.
    pub default_value: String,
    /// How it was answered; `None` while that is being decided.
    pub answer: Option<DialogAnswer>,
    /// Who decided that.
    pub answered_by: AnsweredBy,
    /// The expectation that announced it.
    pub(crate) claim: Option<u64>,
}

/// Kinds of dialogs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DialogKind {
    /// OK only.
    Alert,
    /// OK or Cancel.
    Confirm,
    /// A text, or Cancel.
    Prompt,
    /// Leave or stay.
    BeforeUnload,
}

impl DialogKind {
    pub(crate) fn of(word: &str) -> Self {
        match word {
            "confirm" => Self::Confirm,
            "prompt" => Self::Prompt,
            "beforeunload" => Self::BeforeUnload,
            _ => Self::Alert,
        }
    }
}

/// How to answer a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialogAnswer {
    /// OK; leave the page. A prompt keeps the text it began with.
    Accept,
    /// Cancel; stay on the page.
    Dismiss,
    /// OK with this text; for prompts.
    Type(String),
}

/// Who decided about a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnsweredBy {
    /// [`Page::expect_dialog`].
    Expectation,
    /// [`Page::on_dialog`].
    Handler,
    /// Nobody: it was not announced.
    Nobody,
}

/// One line: `confirm "Sure?"`.
impl std::fmt::Display for Dialog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.kind {
            DialogKind::Alert => "alert",
            DialogKind::Confirm => "confirm",
            DialogKind::Prompt => "prompt",
            DialogKind::BeforeUnload => "beforeunload",
        };
        write!(f, "{kind} {:?}", self.message)
    }
}

/// Decides how dialogs are answered.
pub(crate) type DialogHandler = Arc<dyn Fn(&Dialog) -> DialogAnswer + Send + Sync>;

/// Takes an announcement back when it is dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    pub(crate) id: u64,
    pub(crate) monitor: Weak<Monitor>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(monitor) = self.monitor.upgrade() {
            monitor.unclaim_dialog(self.id);
        }
    }
}

impl Page {
    /// Decides from now on how dialogs of this page are answered that no [`expect_dialog`](Self::expect_dialog)
    /// announces, in place of the decider before.
    pub fn on_dialog(&self, decide: impl Fn(&Dialog) -> DialogAnswer + Send + Sync + 'static) {
        self.core().monitor.set_dialog_handler(Scope::Page(self.id().to_owned()), Arc::new(decide));
    }

    /// All dialogs of the page since it was opened.
    pub fn dialogs(&self) -> Vec<Dialog> {
        self.log().dialogs()
    }

    /// Closes the page as a person does: a `beforeunload` handler may ask. Gives back whether the page is closed; it is
    /// not when the question was answered with [`DialogAnswer::Dismiss`].
    ///
    /// # Errors
    /// [`Error::BrowserGone`], [`Error::Timeout`] when the page does not answer within the navigation deadline. A page
    /// that is closed already is fine.
    pub async fn close_asking(&self) -> Result<bool> {
        let deadline = self.core().settings.navigation_deadline;
        let mut heard = self.subscribe();
        let command = CloseAsking { context: self.id().to_owned(), prompt_unload: true };
        let closing = self.core().link.call_within(&command, deadline);
        let stays = async {
            while let Some(heard) = heard.next().await {
                if let crate::PageEvent::Dialog(dialog) = heard.event
                    && dialog.kind == DialogKind::BeforeUnload
                    && dialog.answer == Some(DialogAnswer::Dismiss)
                {
                    return;
                }
            }
            std::future::pending().await
        };
        let end = Instant::now() + deadline;
        tokio::select! {
            closed = closing => match closed.map_err(|error| self.explain("closing", error)) {
                Ok(_) | Err(Error::PageClosed { .. }) => Ok(true),
                Err(other) => Err(other),
            },
            // The browser gives no answer to the command then.
            stayed = timeout_at(end, stays) => match stayed {
                Ok(()) => Ok(false),
                Err(_) => Err(Error::Timeout { action: "closing the page".into(), deadline, log: Default::default() }),
            },
        }
    }
}
