//! Assertions that wait until they hold. Each fails with [`Error::Timeout`](crate::Error::Timeout)
//! and what was seen instead.

use super::{Locator, TextMatch};
use crate::error::Result;
use serde_json::Value;

/// Assertions about a locator's element. The budget is the locator's: see [`Locator::within`].
#[derive(Debug, Clone, Copy)]
pub struct Expect<'a> {
    pub(super) locator: &'a Locator,
}

/// The assertions that need nothing but the element: method, check of the page script, words.
macro_rules! states {
    ($($(#[$doc:meta])* $method:ident: $check:literal, $words:literal;)*) => {
        impl Expect<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Timeout`](crate::Error::Timeout) with what was seen; also
            /// [`Strict`](crate::Error::Strict) and [`PageClosed`](crate::Error::PageClosed).
            pub async fn $method(&self) -> Result<()> {
                self.check($check, $words.to_owned(), Value::Null).await
            })*
        }
    };
}

states! {
    /// The element is on screen.
    to_be_visible: "visible", "to be visible";
    /// No such element is on screen.
    to_be_hidden: "hidden", "to be hidden";
    /// The element is in the document.
    to_be_attached: "attached", "to be attached";
    /// No such element is in the document.
    to_be_detached: "detached", "to be detached";
    /// The element can be used.
    to_be_enabled: "enabled", "to be enabled";
    /// The element can't be used.
    to_be_disabled: "disabled", "to be disabled";
    /// The element takes text.
    to_be_editable: "editable", "to be editable";
    /// The element has the focus.
    to_be_focused: "focused", "to be focused";
    /// The element is checked.
    to_be_checked: "checked", "to be checked";
    /// The element is not checked.
    to_be_unchecked: "unchecked", "to be unchecked";
}

impl Expect<'_> {
    /// The element's text, white space squeezed, is this one.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_text(&self, text: impl Into<TextMatch>) -> Result<()> {
        self.check_text("text", text.into()).await
    }

    /// What is entered in the control is this.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_value(&self, value: impl Into<TextMatch>) -> Result<()> {
        self.check_text("value", value.into()).await
    }

    /// There are this many elements.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_count(&self, count: usize) -> Result<()> {
        self.check("count", format!("to be {count} elements"), count.into()).await
    }

    async fn check_text(&self, check: &str, text: TextMatch) -> Result<()> {
        let words = format!("to have the {check} {text}");
        self.check(check, words, serde_json::to_value(text).unwrap_or_default()).await
    }

    async fn check(&self, check: &str, words: String, expected: Value) -> Result<()> {
        let verb = format!("expecting {words}:");
        self.locator.ask("expect", &verb, &[("check", check.into()), ("expected", expected)]).await.map(|_| ())
    }
}
