//! Assertions about elements. Each fails with [`Error::Timeout`](crate::Error::Timeout): what was expected, what was seen
//! last, and what was seen before.

use crate::error::Result;
use crate::locator::{Locator, TextMatch};
use serde::Serialize;
use serde_json::{Value, json};

/// Assertions about a locator's element. The budget is the locator's: see [`Locator::within`].
#[derive(Debug, Clone, Copy)]
pub struct Expect<'a> {
    pub(super) locator: &'a Locator,
    pub(super) negated: bool,
}

/// The assertions that need nothing but the element: method, check of the page script, what it takes, words.
macro_rules! states {
    ($($(#[$doc:meta])* $method:ident: $check:literal, $expected:expr, $words:literal;)*) => {
        impl Expect<'_> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Timeout`](crate::Error::Timeout) with what was seen; also
            /// [`Strict`](crate::Error::Strict) and [`PageClosed`](crate::Error::PageClosed).
            pub async fn $method(&self) -> Result<()> {
                self.check($check, $words, json!($expected)).await
            })*
        }
    };
}

states! {
    /// The element is on screen.
    to_be_visible: "visible", (), "to be visible";
    /// No such element is on screen.
    to_be_hidden: "hidden", (), "to be hidden";
    /// The element is in the document.
    to_be_attached: "attached", (), "to be attached";
    /// No such element is in the document.
    to_be_detached: "detached", (), "to be detached";
    /// The element can be used.
    to_be_enabled: "enabled", (), "to be enabled";
    /// The element can't be used.
    to_be_disabled: "disabled", (), "to be disabled";
    /// The element takes text.
    to_be_editable: "editable", (), "to be editable";
    /// The element does not take text, or not now.
    to_be_readonly: "readonly", (), "to be read-only";
    /// The element has the focus.
    to_be_focused: "focused", (), "to be focused";
    /// The checkbox, radio or switch is checked.
    to_be_checked: "checked", true, "to be checked";
    /// The checkbox, radio or switch is not checked.
    to_be_unchecked: "checked", false, "to be unchecked";
    /// The checkbox is neither checked nor not.
    to_be_indeterminate: "checked", "mixed", "to be indeterminate";
    /// The element has no text, or the control nothing entered.
    to_be_empty: "empty", (), "to be empty";
    /// Some part of the element is in the viewport.
    to_be_in_viewport: "viewport", 0, "to be in the viewport";
}

impl<'a> Expect<'a> {
    pub(crate) fn new(locator: &'a Locator) -> Self {
        Self { locator, negated: false }
    }

    /// The opposite: waits until the next assertion does not hold. The element itself must be there, except for
    /// `to_be_visible` and `to_be_attached`.
    #[expect(clippy::should_implement_trait, reason = "the word of the field; `!` would not read")]
    pub fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    /// At least this part of the element's area, 0 to 1, is in the viewport.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_be_in_viewport_by(&self, ratio: f64) -> Result<()> {
        self.check("viewport", &format!("to be in the viewport by {ratio}"), json!(ratio)).await
    }

    /// The element's text, white space squeezed, is this one.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_text(&self, text: impl Into<TextMatch>) -> Result<()> {
        self.check_text("text", "text", text.into()).await
    }

    /// The element's text, white space squeezed, has this one in it, upper and lower case as given.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_contain_text(&self, text: &str) -> Result<()> {
        self.check("containText", &format!("to contain the text {text:?}"), text.into()).await
    }

    /// The elements are as many as the texts, and have these texts in this order.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible); any number of elements is fine.
    pub async fn to_have_texts<T: Into<TextMatch>>(&self, texts: impl IntoIterator<Item = T>) -> Result<()> {
        self.check_list("texts", texts).await
    }

    /// What is entered in the control is this.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_value(&self, value: impl Into<TextMatch>) -> Result<()> {
        self.check_text("value", "value", value.into()).await
    }

    /// The values of the chosen options of a `<select multiple>` are these, in the order of the options.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_values<T: Into<TextMatch>>(&self, values: impl IntoIterator<Item = T>) -> Result<()> {
        self.check_list("values", values).await
    }

    /// There are this many elements.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_count(&self, count: usize) -> Result<()> {
        self.check("count", &format!("to be {count} elements"), count.into()).await
    }

    /// The attribute has this value; [`TextMatch::Any`]: the element has the attribute.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_attribute(&self, name: &str, value: impl Into<TextMatch>) -> Result<()> {
        let value = value.into();
        let words = format!("to have the attribute {name:?} with {value}");
        self.check("attribute", &words, json!({ "name": name, "match": value })).await
    }

    /// The computed value of a CSS property is this. Colours come as `rgb(…)`, lengths in pixels.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_css(&self, property: &str, value: impl Into<TextMatch>) -> Result<()> {
        let value = value.into();
        let words = format!("to have the CSS property {property:?} with {value}");
        self.check("css", &words, json!({ "name": property, "match": value })).await
    }

    /// The whole `class` is this, names separated by one space.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_class(&self, class: impl Into<TextMatch>) -> Result<()> {
        self.check_text("class", "class", class.into()).await
    }

    /// The `class` has all of these names, separated by spaces.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_contain_class(&self, names: &str) -> Result<()> {
        let expected: Vec<&str> = names.split_whitespace().collect();
        self.check("containClass", &format!("to contain the class {names:?}"), json!(expected)).await
    }

    /// The id is this.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_id(&self, id: impl Into<TextMatch>) -> Result<()> {
        self.check_text("id", "id", id.into()).await
    }

    /// The ARIA role is this.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_role(&self, role: &str) -> Result<()> {
        self.check("role", &format!("to have the role {role:?}"), role.into()).await
    }

    /// The accessible name is this.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_accessible_name(&self, name: impl Into<TextMatch>) -> Result<()> {
        self.check_text("accessibleName", "accessible name", name.into()).await
    }

    /// The accessible description is this.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_accessible_description(&self, description: impl Into<TextMatch>) -> Result<()> {
        self.check_text("accessibleDescription", "accessible description", description.into()).await
    }

    /// A JavaScript property of the element, as the page's own scripts see it, is equal to `value` as JSON.
    ///
    /// # Errors
    /// As for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_have_js_property(&self, name: &str, value: impl Serialize) -> Result<()> {
        let wanted = serde_json::to_value(value).unwrap_or_default();
        let not = if self.negated { "not " } else { "" };
        let what = format!("{}: the property {name:?}", self.locator);
        let read = "(element, name) => element[name]";
        let probe = async || self.locator.evaluate::<Value>(read, &[name.into()]).await;
        let told =
            |seen: &Result<Value>| seen.as_ref().map_or_else(ToString::to_string, |seen| format!("it is {seen}"));
        // An element that does not come has had the whole budget: its error ends the wait.
        let accept = |seen: &Result<Value>| seen.as_ref().map_or(true, |seen| (*seen == wanted) != self.negated);
        let polled = super::poll(&what, probe).within(self.locator.deadline());
        polled.wait(&format!("{not}to be {wanted}"), told, accept).await?.map(|_| ())
    }

    async fn check_text(&self, check: &str, what: &str, text: TextMatch) -> Result<()> {
        self.check(check, &format!("to have the {what} {text}"), json!(text)).await
    }

    async fn check_list<T: Into<TextMatch>>(&self, what: &str, texts: impl IntoIterator<Item = T>) -> Result<()> {
        let texts: Vec<TextMatch> = texts.into_iter().map(Into::into).collect();
        let shown: Vec<String> = texts.iter().map(TextMatch::to_string).collect();
        self.check(what, &format!("to have the {what} [{}]", shown.join(", ")), json!(texts)).await
    }

    async fn check(&self, check: &str, words: &str, expected: Value) -> Result<()> {
        let not = if self.negated { "not " } else { "" };
        let more = [("check", check.into()), ("expected", expected), ("not", self.negated.into())];
        let verb = format!("expecting {not}{words}:");
        let held = async { self.locator.ask("expect", &verb, &more).await.map(|_| ()) };
        self.locator.page().look(format!("{verb} {}", self.locator), held).await
    }
}
