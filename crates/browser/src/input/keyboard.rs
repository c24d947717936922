//! Real keys, to whatever has the focus.

use super::{chrome, keys};
use crate::error::Result;
use crate::frame::Asked;
use crate::page::Page;
use bidi::command::input::{KeyAction, Source};
use serde_json::{Map, Value};
use std::time::Duration;

/// A page's keyboard. The page gets trusted events; nothing is waited for. [`Locator::press`](crate::Locator::press)
/// and [`Locator::press_sequentially`](crate::Locator::press_sequentially) wait for an element and give it the focus.
#[derive(Debug, Clone, Copy)]
pub struct Keyboard<'a> {
    page: &'a Page,
}

impl Page {
    /// Real keys, to whatever has the focus.
    pub fn keyboard(&self) -> Keyboard<'_> {
        Keyboard { page: self }
    }
}

impl Keyboard<'_> {
    /// Presses a key or a combination: `Enter`, `a`, `Control+Shift+K`, `ControlOrMeta+KeyA`. Names are those of
    /// `KeyboardEvent.key` and, for the keys of a US keyboard, of `KeyboardEvent.code`.
    ///
    /// # Errors
    /// [`UnknownKey`](crate::Error::UnknownKey), [`PageClosed`](crate::Error::PageClosed),
    /// [`PageCrashed`](crate::Error::PageCrashed).
    pub async fn press(&self, combination: &str) -> Result<()> {
        let title = format!("press {combination}");
        let actions = keys::combination(combination, Duration::ZERO)?;
        self.page.act(title.clone(), press(self.page, &title, actions)).await
    }

    /// Presses a key, or several in order, and holds them until [`up`](Self::up).
    ///
    /// # Errors
    /// As for [`press`](Self::press).
    pub async fn down(&self, combination: &str) -> Result<()> {
        let title = format!("hold {combination}");
        let held = keys::parse(combination)?;
        let actions = held.iter().map(|value| KeyAction::KeyDown { value: value.clone() }).collect();
        self.page.core().devices.note(self.page.id(), |state| state.held.extend(held));
        self.page.act(title.clone(), press(self.page, &title, actions)).await
    }

    /// Releases what [`down`](Self::down) holds.
    ///
    /// # Errors
    /// As for [`press`](Self::press).
    pub async fn up(&self, combination: &str) -> Result<()> {
        let title = format!("release {combination}");
        let released = keys::parse(combination)?;
        let actions = released.iter().rev().map(|value| KeyAction::KeyUp { value: value.clone() }).collect();
        self.page.act(title.clone(), press(self.page, &title, actions)).await?;
        self.page.core().devices.note(self.page.id(), |state| state.held.retain(|key| !released.contains(key)));
        Ok(())
    }

    /// Types `text` key by key; a line break is the Enter key.
    ///
    /// # Errors
    /// [`PageClosed`](crate::Error::PageClosed), [`PageCrashed`](crate::Error::PageCrashed).
    pub async fn type_text(&self, text: &str) -> Result<()> {
        let title = "type text".to_owned();
        self.page.act(title.clone(), type_text(self.page, &title, text, Duration::ZERO)).await
    }

    /// Puts `text` at the caret in one piece, as pasting does: one trusted `input` event, no key events.
    ///
    /// # Errors
    /// As for [`type_text`](Self::type_text).
    pub async fn insert_text(&self, text: &str) -> Result<()> {
        let title = "insert text".to_owned();
        let work = async {
            let deadline = self.page.core().settings.action_deadline;
            for frame in self.page.frames().await? {
                let arguments = Map::from_iter([("text".to_owned(), Value::from(text))]);
                let asked = Asked { command: "insertText", arguments, action: title.clone(), deadline };
                if frame.ask(asked).await? == Value::Bool(true) {
                    break;
                }
            }
            Ok(())
        };
        self.page.act(title.clone(), work).await
    }

    /// Composes text with an input method, as people type Chinese, Japanese and Korean: `steps` are what stands under
    /// the line meanwhile (`["ｋ", "か"]`), `text` is what is chosen in the end. The page gets trusted
    /// `compositionstart`, `compositionupdate` and `input` events, a `compositionend` that Chromium itself leaves
    /// untrusted, and no key events. Chromium only: made by `Input.imeSetComposition` of its own protocol.
    ///
    /// # Errors
    /// [`Unsuitable`](crate::Error::Unsuitable) in other browsers; else as for [`type_text`](Self::type_text).
    pub async fn compose(&self, steps: &[&str], text: &str) -> Result<()> {
        let title = "compose text".to_owned();
        self.page.act(title.clone(), compose(self.page, &title, steps, text)).await
    }
}

/// Presses keys.
pub(crate) async fn press(page: &Page, action: &str, mut actions: Vec<KeyAction>) -> Result<()> {
    let held = page.core().devices.of(page.id()).held;
    keys::shift(&mut actions, held.iter().any(|key| keys::is_shift(key)));
    page.perform(action, vec![Source::Key { id: "keyboard".into(), actions }]).await
}

/// Types text. The quick way knows nothing of keys that are held, and no pauses.
pub(crate) async fn type_text(page: &Page, action: &str, text: &str, delay: Duration) -> Result<()> {
    if delay == Duration::ZERO && page.core().devices.of(page.id()).held.is_empty() {
        return chrome::type_text(page, action, text).await;
    }
    press(page, action, keys::text(text, delay)).await
}

/// Composes text with an input method.
pub(crate) async fn compose(page: &Page, action: &str, steps: &[&str], text: &str) -> Result<()> {
    chrome::compose(page, action, steps, text).await.map_err(|error| Page::chromium_only(action, error))
}
