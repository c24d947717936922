//! Real keys, to whatever has the focus.

use super::Page;
use crate::error::Result;
use crate::keys;
use bidi::command::input::{KeyAction, PerformActions, Source};

/// A page's keyboard. The page gets trusted events.
#[derive(Debug, Clone, Copy)]
pub struct Keyboard<'a> {
    pub(super) page: &'a Page,
}

impl Keyboard<'_> {
    /// Presses a key or a combination: `Enter`, `a`, `Control+Shift+K`.
    ///
    /// # Errors
    /// [`UnknownKey`](crate::Error::UnknownKey), [`PageClosed`](crate::Error::PageClosed).
    pub async fn press(&self, combination: &str) -> Result<()> {
        let actions = keys::combination(combination)?;
        self.page.act(format!("press {combination}"), self.perform(actions)).await
    }

    /// Types `text` key by key; a line break is the Enter key.
    ///
    /// # Errors
    /// [`PageClosed`](crate::Error::PageClosed).
    pub async fn type_text(&self, text: &str) -> Result<()> {
        self.page.act("type".to_owned(), self.perform(keys::text(text))).await
    }

    pub(crate) async fn perform(&self, actions: Vec<KeyAction>) -> Result<()> {
        let source = Source::Key { id: "keyboard".into(), actions };
        let perform = PerformActions { context: self.page.id().to_owned(), actions: vec![source] };
        let done = self.page.core().link.call(&perform).await;
        done.map(|_| ()).map_err(|error| self.page.explain("typing", error))
    }
}
