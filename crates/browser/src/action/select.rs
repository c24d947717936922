//! Options of `<select>` elements.

use crate::error::Result;
use crate::locator::Locator;
use serde::Serialize;

/// Which option of a `<select>`. A text alone is the option's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SelectOption {
    /// By its value: the attribute, else the text.
    Value(String),
    /// By what it shows, white space squeezed.
    Label(String),
    /// By its place, counted from 0.
    Index(usize),
}

impl SelectOption {
    /// By its value: the attribute, else the text.
    pub fn value(value: impl Into<String>) -> Self {
        Self::Value(value.into())
    }

    /// By what it shows, white space squeezed.
    pub fn label(label: impl Into<String>) -> Self {
        Self::Label(label.into())
    }

    /// By its place, counted from 0.
    pub fn index(index: usize) -> Self {
        Self::Index(index)
    }
}

impl<T: Into<String>> From<T> for SelectOption {
    fn from(value: T) -> Self {
        Self::Value(value.into())
    }
}

impl Locator {
    /// Chooses an option of a `<select>`, once it is there and enabled. The page gets `input` and `change`, untrusted:
    /// the list that browsers open is out of reach. Gives back the values that are chosen then.
    ///
    /// # Errors
    /// [`Unsuitable`](crate::Error::Unsuitable) for other elements; [`Timeout`](crate::Error::Timeout) lists the
    /// options there are; else as for [`click`](Self::click).
    pub async fn select_option(&self, option: impl Into<SelectOption>) -> Result<Vec<String>> {
        self.select_options([option]).await
    }

    /// Chooses these options, and no others, of a `<select multiple>`; none at all of any `<select>`.
    ///
    /// # Errors
    /// As for [`select_option`](Self::select_option).
    pub async fn select_options(
        &self,
        options: impl IntoIterator<Item = impl Into<SelectOption>>,
    ) -> Result<Vec<String>> {
        let choices: Vec<SelectOption> = options.into_iter().map(Into::into).collect();
        let more = [("choices", serde_json::to_value(choices).unwrap_or_default())];
        let work = async { self.ask("selectOptions", "select an option of", &more).await };
        let (chosen, _) = self.page().act(format!("select an option of {self}"), work).await?;
        Ok(serde_json::from_value(chosen).unwrap_or_default())
    }
}
