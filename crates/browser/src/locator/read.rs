//! Reading elements.

use super::Locator;
use crate::error::{Error, Result};
use crate::frame::misshapen;
use crate::page::SnapshotOptions;
use serde::Deserialize;
use serde_json::Value;

/// A place in the viewport of the frame an element is in, in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct BoundingBox {
    /// From the left edge of the viewport.
    pub x: f64,
    /// From the top edge of the viewport.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// The methods that tell a state of the element as it is now: method, state of the page script.
macro_rules! states_now {
    ($($(#[$doc:meta])* $method:ident: $state:literal;)*) => {
        impl Locator {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Strict`], [`Error::PageClosed`]; for all but visibility also [`Error::Timeout`] when the element
            /// does not come, and [`Error::Unsuitable`] for elements that don't have the state.
            pub async fn $method(&self) -> Result<bool> {
                let (is, _) = self.ask("state", concat!("look whether ", $state, ":"), &[("state", $state.into())]).await?;
                Ok(is == Value::Bool(true))
            })*
        }
    };
}

states_now! {
    /// Whether the element is on screen now. One that is not there is not.
    is_visible: "visible";
    /// Whether the element is not on screen now, or not there.
    is_hidden: "hidden";
    /// Whether the element can be used now.
    is_enabled: "enabled";
    /// Whether the element can't be used now.
    is_disabled: "disabled";
    /// Whether the element takes text now.
    is_editable: "editable";
    /// Whether the checkbox, radio or switch is checked now.
    is_checked: "checked";
    /// Whether the element has the focus now.
    is_focused: "focused";
}

impl Locator {
    /// The text in the element, hidden text included, as the document has it.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::Strict`], [`Error::PageClosed`].
    pub async fn text_content(&self) -> Result<String> {
        self.read("text", "read the text of").await
    }

    /// The text of the element as it is shown: no hidden text, lines as they are broken.
    ///
    /// # Errors
    /// As for [`text_content`](Self::text_content).
    pub async fn inner_text(&self) -> Result<String> {
        self.read("innerText", "read the shown text of").await
    }

    /// The source of what is in the element.
    ///
    /// # Errors
    /// As for [`text_content`](Self::text_content).
    pub async fn inner_html(&self) -> Result<String> {
        self.read("innerHtml", "read the source of").await
    }

    /// What is entered in the control.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] for elements without a value; else as for
    /// [`text_content`](Self::text_content).
    pub async fn input_value(&self) -> Result<String> {
        self.read("value", "read the value of").await
    }

    /// Where the element is, or `None` when it has no box. [`BoundingBox`] says from where it counts.
    ///
    /// # Errors
    /// As for [`text_content`](Self::text_content).
    pub async fn bounding_box(&self) -> Result<Option<BoundingBox>> {
        self.read("box", "read the box of").await
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

    /// [`text_content`](Self::text_content) of each of the elements there now.
    ///
    /// # Errors
    /// As for [`count`](Self::count).
    pub async fn all_text_contents(&self) -> Result<Vec<String>> {
        self.read_all("texts").await
    }

    /// [`inner_text`](Self::inner_text) of each of the elements there now.
    ///
    /// # Errors
    /// As for [`count`](Self::count).
    pub async fn all_inner_texts(&self) -> Result<Vec<String>> {
        self.read_all("innerTexts").await
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

    async fn read<T: for<'de> Deserialize<'de>>(&self, what: &str, verb: &str) -> Result<T> {
        let (value, _) = self.ask("read", verb, &[("what", what.into())]).await?;
        shaped(value)
    }

    async fn read_all(&self, what: &str) -> Result<Vec<String>> {
        let (value, _) = self.ask("readAll", "read the texts of", &[("what", what.into())]).await?;
        shaped(value)
    }
}

fn shaped<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T> {
    T::deserialize(&value)
        .map_err(|error| misshapen("read", error.to_string(), value.to_string().chars().take(200).collect()))
}
