//! What is looked at on a page, and what was seen.

use std::fmt::Write;
use std::time::Duration;

use anyhow::bail;
use aria::Snapshot;
use browser::{Page, SnapshotOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What to look at.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    /// The element; the whole page when `None`.
    pub(super) selector: Option<String>,
    /// Wait for this element first.
    pub(super) wait: Option<String>,
    /// How many levels below the top level; all when `None`.
    pub(super) depth: Option<usize>,
    /// Also what the plain form leaves out.
    pub(super) full: bool,
    /// What to tell.
    pub(super) what: What,
}

/// What to tell of it.
#[derive(Debug, Clone, Default)]
pub(super) enum What {
    /// The tree.
    #[default]
    Tree,
    /// Role and name of each match of a selector.
    Roles(String),
}

/// What was seen.
#[derive(Debug, Clone)]
pub(super) enum Seen {
    Tree(Snapshot),
    Roles(Vec<Element>),
}

/// An element by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Element {
    /// The ARIA role; `None` when it has none.
    pub(super) role: Option<String>,
    /// The accessible name; may be empty.
    pub(super) name: String,
    /// Whether it is absent from the accessible tree.
    pub(super) hidden: bool,
}

impl Look {
    /// Looks at the page as it is once the elements named have come.
    pub(super) async fn at(&self, page: &Page, timeout: Duration) -> anyhow::Result<Seen> {
        if let Some(css) = &self.wait {
            page.locator(css).first().within(timeout).expect().to_be_visible().await?;
        }
        match &self.what {
            What::Roles(css) => roles(page, css).await.map(Seen::Roles),
            What::Tree => {
                let options = SnapshotOptions { full: self.full, ..SnapshotOptions::default() };
                let tree = match &self.selector {
                    Some(css) => page.locator(css).within(timeout).aria_snapshot(&options).await?,
                    None => page.aria_snapshot(&options).await?,
                };
                Ok(Seen::Tree(tree.with_depth(self.depth.unwrap_or(usize::MAX))))
            }
        }
    }
}

/// The tree in YAML, in the form that goes with what was captured.
pub(super) fn yaml(tree: &Snapshot, full: bool) -> String {
    if full { tree.to_yaml_full() } else { tree.to_yaml() }
}

/// The tree in JSON, in the form that goes with what was captured.
pub(super) fn json(tree: &Snapshot, full: bool) -> Value {
    if full { tree.to_json_full() } else { tree.to_json() }
}

async fn roles(page: &Page, css: &str) -> anyhow::Result<Vec<Element>> {
    // A locator's look makes closed shadow trees known to the capture script, also those that came with the source.
    page.locator("*").count().await?;
    #[derive(Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Answer {
        Found(Vec<Element>),
        Wrong(String),
    }
    match page.evaluate_isolated(include_str!("roles.js"), &[css.into()]).await? {
        Answer::Found(elements) => Ok(elements),
        Answer::Wrong(css) => bail!("{css:?} is not a CSS selector; correct it"),
    }
}

/// `button "Send"`, one line an element.
pub(super) fn lines(elements: &[Element]) -> String {
    let mut lines = String::new();
    for Element { role, name, hidden } in elements {
        if !lines.is_empty() {
            lines.push('\n');
        }
        lines.push_str(role.as_deref().unwrap_or("no role"));
        if !name.is_empty() {
            let _ = write!(lines, " {}", Value::from(name.as_str()));
        }
        if *hidden {
            lines.push_str(" (hidden)");
        }
    }
    lines
}
