//! What is done within the page, in one call.

use crate::error::Result;
use crate::locator::Locator;
use serde_json::{Map, Value};

impl Locator {
    async fn do_in_page(&self, command: &str, title: String, more: &[(&str, Value)]) -> Result<Value> {
        let verb = title.strip_suffix(&format!(" {self}")).unwrap_or(&title).to_owned();
        let work = async { self.ask(command, &verb, more).await.map(|(answer, _)| answer) };
        self.page().act(title.clone(), work).await
    }

    /// Replaces the content of an input, a text area or an editable element, or of the one whose label this is. The
    /// page gets one trusted `input` event a line, and no key events; inputs with a picker (dates, colours, ranges)
    /// get untrusted ones, and `change`.
    ///
    /// # Errors
    /// [`Unsuitable`](crate::Error::Unsuitable) for elements that take no text, or not this one; else as for
    /// [`click`](Self::click).
    pub async fn fill(&self, text: &str) -> Result<()> {
        self.do_in_page("fill", format!("fill {self}"), &[("text", text.into())]).await.map(|_| ())
    }

    /// Empties an input, a text area or an editable element, as [`fill`](Self::fill) with no text.
    ///
    /// # Errors
    /// As for [`fill`](Self::fill).
    pub async fn clear(&self) -> Result<()> {
        self.do_in_page("fill", format!("clear {self}"), &[("text", "".into())]).await.map(|_| ())
    }

    /// Gives the element the focus.
    ///
    /// # Errors
    /// [`Unsuitable`](crate::Error::Unsuitable) for elements that can't have it; else as for [`click`](Self::click).
    pub async fn focus(&self) -> Result<()> {
        self.do_in_page("focus", format!("focus {self}"), &[]).await.map(|_| ())
    }

    /// Takes the focus from the element.
    ///
    /// # Errors
    /// [`Timeout`](crate::Error::Timeout), [`Strict`](crate::Error::Strict), [`PageClosed`](crate::Error::PageClosed).
    pub async fn blur(&self) -> Result<()> {
        self.do_in_page("blur", format!("blur {self}"), &[]).await.map(|_| ())
    }

    /// Scrolls until some of the element is in view, once it is visible and at rest.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn scroll_into_view(&self) -> Result<()> {
        self.do_in_page("scrollIntoViewIfNeeded", format!("scroll into view {self}"), &[]).await.map(|_| ())
    }

    /// Selects all text of the element.
    ///
    /// # Errors
    /// As for [`click`](Self::click).
    pub async fn select_text(&self) -> Result<()> {
        self.do_in_page("selectText", format!("select the text of {self}"), &[]).await.map(|_| ())
    }

    /// Sends the element an event made by script, so an untrusted one, visible or not. `init` has the members of the
    /// event, an object; it bubbles unless that says otherwise.
    ///
    /// # Errors
    /// As for [`blur`](Self::blur).
    pub async fn dispatch_event(&self, kind: &str, init: Map<String, Value>) -> Result<()> {
        let more = [("type", kind.into()), ("init", Value::Object(init))];
        self.do_in_page("dispatch", format!("dispatch {kind} to {self}"), &more).await.map(|_| ())
    }
}
