//! Keys to an element.

use super::options::TypeOptions;
use super::strike::Attempts;
use crate::error::Result;
use crate::input::{compose, keys, press, type_text};
use crate::locator::Locator;

impl Locator {
    /// Gives the element the focus and presses a key or a combination such as `Control+Enter`: see
    /// [`Keyboard::press`](crate::Keyboard::press). When the page takes the focus away at that moment the keys are kept
    /// from it, and it is tried anew.
    ///
    /// # Errors
    /// [`UnknownKey`](crate::Error::UnknownKey); else as for [`focus`](Self::focus).
    pub async fn press(&self, combination: &str) -> Result<()> {
        self.press_with(combination, TypeOptions::default()).await
    }

    /// [`press`](Self::press) with the keys held for a while.
    ///
    /// # Errors
    /// As for [`press`](Self::press).
    pub async fn press_with(&self, combination: &str, options: TypeOptions) -> Result<()> {
        let actions = keys::combination(combination, options.delay)?;
        let verb = format!("press {combination} in");
        self.keyed(&verb, async |title| press(self.page(), title, actions.clone()).await).await
    }

    /// Gives the element the focus and types `text` key by key; a line break is the Enter key.
    ///
    /// # Errors
    /// As for [`focus`](Self::focus).
    pub async fn press_sequentially(&self, text: &str) -> Result<()> {
        self.press_sequentially_with(text, TypeOptions::default()).await
    }

    /// [`press_sequentially`](Self::press_sequentially) with a pause after each key.
    ///
    /// # Errors
    /// As for [`focus`](Self::focus).
    pub async fn press_sequentially_with(&self, text: &str, options: TypeOptions) -> Result<()> {
        self.keyed("type into", async |title| type_text(self.page(), title, text, options.delay).await).await
    }

    /// Gives the element the focus and composes text with an input method: see
    /// [`Keyboard::compose`](crate::Keyboard::compose). Chromium only.
    ///
    /// # Errors
    /// As for [`focus`](Self::focus); [`Unsuitable`](crate::Error::Unsuitable) in other browsers.
    pub async fn compose(&self, steps: &[&str], text: &str) -> Result<()> {
        let title = format!("compose text in {self}");
        let work = async {
            // An input method sends no keys that could be guarded.
            Attempts::new(self, "compose text in").ask("focus", &[]).await?;
            compose(self.page(), &title, steps, text).await
        };
        self.page().act(title.clone(), work).await
    }

    async fn keyed(&self, verb: &str, input: impl AsyncFn(&str) -> Result<()>) -> Result<()> {
        let mut attempts = Attempts::new(self, verb);
        let title = attempts.title();
        let work = async {
            while let Some(reason) = attempts.press(input(&title)).await? {
                attempts.missed(reason)?;
            }
            Ok(())
        };
        self.page().act(title.clone(), work).await
    }
}
