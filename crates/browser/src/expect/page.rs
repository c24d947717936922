//! Assertions about pages.

use crate::error::Result;
use crate::frame::Asked;
use crate::locator::TextMatch;
use crate::page::Page;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Assertions about a page.
#[derive(Debug, Clone, Copy)]
pub struct PageExpect<'a> {
    page: &'a Page,
    negated: bool,
    deadline: Duration,
}

impl<'a> PageExpect<'a> {
    pub(crate) fn new(page: &'a Page) -> Self {
        Self { page, negated: false, deadline: page.core().settings.action_deadline }
    }

    /// The opposite: waits until the next assertion does not hold.
    #[expect(clippy::should_implement_trait, reason = "the word of the field; `!` would not read")]
    pub fn not(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    /// With another budget.
    pub fn within(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// The title of the document is this.
    ///
    /// # Errors
    /// [`Timeout`](crate::Error::Timeout) with what was seen, [`PageClosed`](crate::Error::PageClosed).
    pub async fn to_have_title(&self, title: impl Into<TextMatch>) -> Result<()> {
        self.check("title", "title", title.into()).await
    }

    /// The address is this, with query and fragment.
    ///
    /// # Errors
    /// As for [`to_have_title`](Self::to_have_title).
    pub async fn to_have_url(&self, url: impl Into<TextMatch>) -> Result<()> {
        self.check("url", "address", url.into()).await
    }

    /// The accessibility tree of the page is as the template says; see
    /// [`Expect::to_match_aria_snapshot`](crate::Expect::to_match_aria_snapshot).
    ///
    /// # Errors
    /// As there.
    pub async fn to_match_aria_snapshot(&self, template: &str) -> Result<()> {
        let body = self.page.locator("body").within(self.deadline);
        let expect = body.expect();
        if self.negated { expect.not() } else { expect }.to_match_aria_snapshot(template).await
    }

    async fn check(&self, check: &str, what: &str, text: TextMatch) -> Result<()> {
        let not = if self.negated { "not " } else { "" };
        let arguments: [(&str, Value); 3] =
            [("check", check.into()), ("expected", json!(text)), ("not", self.negated.into())];
        let asked = Asked {
            command: "expectPage",
            arguments: Map::from_iter(arguments.map(|(name, value)| (name.to_owned(), value))),
            action: format!("expecting the page {not}to have the {what} {text}"),
            deadline: self.deadline,
        };
        let title = asked.action.clone();
        self.page.look(title, async { self.page.main_frame().ask(asked).await.map(|_| ()) }).await
    }
}
