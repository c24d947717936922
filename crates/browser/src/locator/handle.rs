//! Saying which element is meant.

use super::Expect;
use super::step::{Step, TextMatch};
use crate::error::Result;
use crate::page::{Asked, Page};
use serde_json::{Map, Value};
use std::fmt;
use std::time::Duration;

/// Says which element is meant. It holds no element: every action and assertion looks anew, so it
/// stays good when the page redraws. Actions want exactly one element.
#[derive(Debug, Clone)]
pub struct Locator {
    pub(super) page: Page,
    steps: Vec<Step>,
    deadline: Duration,
}

impl fmt::Display for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> = self.steps.iter().map(Step::to_string).collect();
        f.write_str(&steps.join("."))
    }
}

impl Locator {
    pub(crate) fn new(page: Page) -> Self {
        let deadline = page.core().settings.action_deadline;
        Self { page, steps: Vec::new(), deadline }
    }

    fn and(&self, step: Step) -> Self {
        let mut narrowed = self.clone();
        narrowed.steps.push(step);
        narrowed
    }

    /// Elements inside, by CSS selector.
    pub fn locator(&self, css: &str) -> Self {
        self.and(Step::Css { css: css.to_owned() })
    }

    /// Elements inside, by role and accessible name.
    pub fn get_by_role(&self, role: &str, name: impl Into<TextMatch>) -> Self {
        self.and(Step::Role { role: role.to_owned(), name: name.into() })
    }

    /// The innermost elements inside with this text.
    pub fn get_by_text(&self, text: impl Into<TextMatch>) -> Self {
        self.and(Step::Text { text: text.into() })
    }

    /// Form controls inside, by label.
    pub fn get_by_label(&self, label: impl Into<TextMatch>) -> Self {
        self.and(Step::Label { text: label.into() })
    }

    /// Elements inside, by their `data-testid`.
    pub fn get_by_test_id(&self, id: &str) -> Self {
        self.and(Step::TestId { id: id.to_owned() })
    }

    /// Those of the elements whose text matches.
    pub fn filter(&self, text: impl Into<TextMatch>) -> Self {
        self.and(Step::HasText { text: text.into() })
    }

    /// The element at `index`, counted from 0; from the end when negative (-1 is the last).
    pub fn nth(&self, index: i64) -> Self {
        self.and(Step::Nth { index })
    }

    /// The first of the elements.
    pub fn first(&self) -> Self {
        self.nth(0)
    }

    /// The last of the elements.
    pub fn last(&self) -> Self {
        self.nth(-1)
    }

    /// The same elements with another budget for actions and assertions.
    pub fn within(&self, deadline: Duration) -> Self {
        Self { deadline, ..self.clone() }
    }

    /// Assertions that wait until they hold.
    pub fn expect(&self) -> Expect<'_> {
        Expect { locator: self }
    }

    /// Puts a question about this locator to the page.
    pub(super) async fn ask(&self, command: &str, verb: &str, more: &[(&str, Value)]) -> Result<Value> {
        let mut arguments: Map<String, Value> =
            more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        arguments.insert("steps".into(), self.steps.iter().map(step_json).collect());
        let asked = Asked { command, arguments, action: format!("{verb} {self}"), deadline: self.deadline };
        self.page.ask(asked).await
    }
}

fn step_json(step: &Step) -> Value {
    serde_json::to_value(step).unwrap_or_default()
}
