//! Doing something with the element, and reading it.

use super::Locator;
use crate::error::{Error, Result};
use crate::frame::Frame;
use crate::page::SnapshotOptions;
use bidi::command::input::{PerformActions, PointerAction, Source};
use serde_json::Value;

impl Locator {
    /// Clicks the middle of the element with a real mouse, once it is visible, enabled, at rest and
    /// not covered.
    ///
    /// # Errors
    /// [`Error::Timeout`] with what was in the way, [`Error::Strict`], [`Error::PageClosed`].
    pub async fn click(&self) -> Result<()> {
        let (x, y, frame) = self.point("click").await?;
        let actions = vec![
            PointerAction::PointerMove { x, y },
            PointerAction::PointerDown { button: 0 },
            PointerAction::PointerUp { button: 0 },
        ];
        self.mouse(&frame, actions).await
    }

    /// Moves the mouse over the element.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn hover(&self) -> Result<()> {
        let (x, y, frame) = self.point("hover").await?;
        self.mouse(&frame, vec![PointerAction::PointerMove { x, y }]).await
    }

    async fn point(&self, verb: &str) -> Result<(f64, f64, Frame)> {
        self.page().slow_down().await;
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
        self.page().slow_down().await;
        self.ask("fill", "fill", &[("text", text.into())]).await.map(|_| ())
    }

    /// Gives the element the focus.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] for elements that can't have it; else as for [`click`](Self::click).
    pub async fn focus(&self) -> Result<()> {
        self.page().slow_down().await;
        self.ask("focus", "focus", &[]).await.map(|_| ())
    }

    /// Focuses the element and presses a key or a combination such as `Control+Enter`.
    ///
    /// # Errors
    /// [`Error::UnknownKey`]; else as for [`focus`](Self::focus).
    pub async fn press(&self, combination: &str) -> Result<()> {
        self.ask("focus", "press a key in", &[]).await?;
        self.page().keyboard().press(combination).await
    }

    /// Focuses the element and types `text` key by key; a line break is the Enter key.
    ///
    /// # Errors
    /// As for [`focus`](Self::focus).
    pub async fn press_sequentially(&self, text: &str) -> Result<()> {
        self.ask("focus", "type into", &[]).await?;
        self.page().keyboard().type_text(text).await
    }

    /// The text in the element, hidden text included, as the document has it.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::Strict`], [`Error::PageClosed`].
    pub async fn text_content(&self) -> Result<String> {
        self.ask("text", "read the text of", &[]).await.map(into_text)
    }

    /// What is entered in the control.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] for elements without a value; else as for
    /// [`text_content`](Self::text_content).
    pub async fn input_value(&self) -> Result<String> {
        self.ask("value", "read the value of", &[]).await.map(into_text)
    }

    /// An attribute, or `None` when the element has none of that name.
    ///
    /// # Errors
    /// As for [`text_content`](Self::text_content).
    pub async fn attribute(&self, name: &str) -> Result<Option<String>> {
        let (value, _) = self.ask("attribute", "read an attribute of", &[("name", name.into())]).await?;
        Ok(value.as_str().map(str::to_owned))
    }

    /// How many elements there are now.
    ///
    /// # Errors
    /// [`Error::PageClosed`], or a page that does not answer.
    pub async fn count(&self) -> Result<usize> {
        let (count, _) = self.ask("count", "count", &[]).await?;
        Ok(count.as_u64().unwrap_or_default() as usize)
    }

    /// Whether the element is on screen now. One that is not there is not.
    ///
    /// # Errors
    /// [`Error::Strict`], [`Error::PageClosed`].
    pub async fn is_visible(&self) -> Result<bool> {
        Ok(self.ask("isVisible", "look at", &[]).await?.0 == Value::Bool(true))
    }

    /// The accessibility tree of the element, itself included, once it is there.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::Strict`], [`Error::PageClosed`].
    pub async fn aria_snapshot(&self, options: &SnapshotOptions) -> Result<aria::Snapshot> {
        let (json, _) = self.ask("snapshot", "snapshot", &[("options", options.to_json().into())]).await?;
        aria::Snapshot::from_json(json.as_str().unwrap_or_default())
            .map_err(|source| Error::Snapshot { what: self.to_string(), source })
    }
}

fn into_text((value, _): (Value, Frame)) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
