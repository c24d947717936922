//! Doing something with the element, and reading it.

use super::Locator;
use crate::error::Result;
use crate::frame::Frame;
use crate::keys;
use bidi::command::input::{PerformActions, PointerAction, Source};

impl Locator {
    /// Clicks the middle of the element with a real mouse, once it is visible, enabled, at rest and
    /// not covered.
    ///
    /// # Errors
    /// [`Error::Timeout`] with what was in the way, [`Error::Strict`], [`Error::PageClosed`].
    pub async fn click(&self) -> Result<()> {
        let work = async {
            let (x, y, frame) = self.point("click").await?;
            let actions = vec![
                PointerAction::PointerMove { x, y },
                PointerAction::PointerDown { button: 0 },
                PointerAction::PointerUp { button: 0 },
            ];
            self.mouse(&frame, actions).await
        };
        self.page().act(format!("click {self}"), work).await
    }

    /// Moves the mouse over the element.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn hover(&self) -> Result<()> {
        let work = async {
            let (x, y, frame) = self.point("hover").await?;
            self.mouse(&frame, vec![PointerAction::PointerMove { x, y }]).await
        };
        self.page().act(format!("hover {self}"), work).await
    }

    async fn point(&self, verb: &str) -> Result<(f64, f64, Frame)> {
        let (point, frame) = self.ask("point", verb, &[]).await?;
        Ok((point["x"].as_f64().unwrap_or_default(), point["y"].as_f64().unwrap_or_default(), frame))
    }

    async fn mouse(&self, frame: &Frame, actions: Vec<PointerAction>) -> Result<()> {
        let source = Source::Pointer { id: "mouse".into(), actions };
        let perform = PerformActions { context: frame.id().to_owned(), actions: vec![source] };
        self.page().core().link.call(&perform).await?;
        Ok(())
    }

    /// Replaces the content of an input, a text area or an editable element. The page gets one trusted
    /// `input` event a line, and no key events; inputs with a picker (dates, colours, ranges) get
    /// untrusted ones.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] for elements that take no text; else as for [`click`](Self::click).
    pub async fn fill(&self, text: &str) -> Result<()> {
        let arguments = [("text", text.into())];
        let work = self.ask("fill", "fill", &arguments);
        self.page().act(format!("fill {self}"), work).await.map(|_| ())
    }

    /// Gives the element the focus.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] for elements that can't have it; else as for [`click`](Self::click).
    pub async fn focus(&self) -> Result<()> {
        self.page().act(format!("focus {self}"), self.ask("focus", "focus", &[])).await.map(|_| ())
    }

    /// Focuses the element and presses a key or a combination such as `Control+Enter`.
    ///
    /// # Errors
    /// [`Error::UnknownKey`]; else as for [`focus`](Self::focus).
    pub async fn press(&self, combination: &str) -> Result<()> {
        let work = async {
            self.ask("focus", "press a key in", &[]).await?;
            self.page().keyboard().perform(keys::combination(combination)?).await
        };
        self.page().act(format!("press {combination} in {self}"), work).await
    }

    /// Focuses the element and types `text` key by key; a line break is the Enter key.
    ///
    /// # Errors
    /// As for [`focus`](Self::focus).
    pub async fn press_sequentially(&self, text: &str) -> Result<()> {
        let work = async {
            self.ask("focus", "type into", &[]).await?;
            self.page().keyboard().perform(keys::text(text)).await
        };
        self.page().act(format!("type into {self}"), work).await
    }
}
