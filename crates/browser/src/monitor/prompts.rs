//! Answers dialogs as soon as they open.

use super::event::{PageEvent, Scope};
use super::router::{Monitor, PageEntry};
use crate::page::{AnsweredBy, Claim, Dialog, DialogAnswer, DialogHandler, DialogKind};
use bidi::command::prompt::HandleUserPrompt;
use bidi::event::browsing_context::UserPromptOpened;
use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

/// Who has announced dialogs.
#[derive(Default)]
pub(crate) struct Prompts {
    last_id: u64,
    /// Expectations, oldest first; each takes one dialog.
    claims: Vec<(u64, Scope, DialogAnswer)>,
    handlers: HashMap<Scope, DialogHandler>,
}

impl std::fmt::Debug for Prompts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} expected dialogs, {} deciders", self.claims.len(), self.handlers.len())
    }
}

impl Monitor {
    /// The next dialog of a page is to be answered so.
    pub(crate) fn claim_dialog(self: &Arc<Self>, scope: Scope, answer: DialogAnswer) -> Claim {
        let mut prompts = self.prompts();
        prompts.last_id += 1;
        let id = prompts.last_id;
        prompts.claims.push((id, scope, answer));
        Claim { id, monitor: Arc::downgrade(self) }
    }

    pub(crate) fn unclaim_dialog(&self, id: u64) {
        self.prompts().claims.retain(|(claim, ..)| *claim != id);
    }

    pub(crate) fn set_dialog_handler(&self, scope: Scope, handler: DialogHandler) {
        self.prompts().handlers.insert(scope, handler);
    }

    pub(super) fn forget_prompts(&self, scope: &Scope) {
        let mut prompts = self.prompts();
        prompts.claims.retain(|(_, other, _)| other != scope);
        prompts.handlers.remove(scope);
    }

    pub(super) fn answer_prompt(self: &Arc<Self>, entry: PageEntry, opened: UserPromptOpened) {
        let mut dialog = Dialog {
            kind: DialogKind::of(&opened.kind),
            message: opened.message,
            default_value: opened.default_value.unwrap_or_default(),
            answer: None,
            answered_by: AnsweredBy::Nobody,
            claim: None,
        };
        let scopes = [Scope::Page(entry.page.to_string()), Scope::Context(entry.user_context.to_string())];
        let (announced, handler) = {
            let mut prompts = self.prompts();
            let claim = prompts.claims.iter().position(|(_, scope, _)| scopes.contains(scope));
            let claim = claim.map(|position| prompts.claims.remove(position));
            (claim, scopes.iter().find_map(|scope| prompts.handlers.get(scope).cloned()))
        };
        if let Some((id, ..)) = announced {
            (dialog.claim, dialog.answered_by) = (Some(id), AnsweredBy::Expectation);
        } else if handler.is_some() {
            dialog.answered_by = AnsweredBy::Handler;
        }
        let order = entry.log.add_dialog(dialog.clone());
        let monitor = self.clone();
        // The browser goes on telling meanwhile, and a decider may take its time.
        tokio::spawn(async move {
            let by_default = match dialog.kind {
                DialogKind::BeforeUnload => DialogAnswer::Accept,
                DialogKind::Alert | DialogKind::Confirm | DialogKind::Prompt => DialogAnswer::Dismiss,
            };
            let answer = match (announced, handler) {
                (Some((.., answer)), _) => answer,
                (None, Some(decide)) => {
                    let asked = dialog.clone();
                    // A task of its own: a decider that panics must not leave the page standing still.
                    tokio::spawn(async move { decide(&asked) }).await.unwrap_or(by_default)
                }
                (None, None) => by_default,
            };
            let user_text = match &answer {
                DialogAnswer::Type(text) => Some(text.clone()),
                // Chrome would make it empty.
                DialogAnswer::Accept if dialog.kind == DialogKind::Prompt => Some(dialog.default_value.clone()),
                DialogAnswer::Accept | DialogAnswer::Dismiss => None,
            };
            let accept = answer != DialogAnswer::Dismiss;
            dialog.answer = Some(answer);
            // Before the page goes on: what it does then comes after this, in the record and for those who wait.
            entry.log.answer_dialog(order, dialog.clone());
            monitor.tell(&entry, PageEvent::Dialog(dialog));
            if let Ok(link) = monitor.remote.link("answering a dialog") {
                // A dialog that is gone with its page needs no answer.
                let _ = link.call(&HandleUserPrompt { context: opened.context, accept, user_text }).await;
            }
        });
    }

    fn prompts(&self) -> MutexGuard<'_, Prompts> {
        self.prompts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
