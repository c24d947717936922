//! Assertions about the accessibility tree.

use super::Expect;
use crate::error::{CallLog, Error, Result};
use crate::page::SnapshotOptions;
use aria::{Snapshot, Template};
use serde_json::Value;
use tokio::time::Instant;

impl Expect<'_> {
    /// The accessibility tree of the element, itself included, is as the template says, to the last node: see
    /// [`aria::Template`] for patterns, and for `/children: contain`, which leaves free what is not written.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] with all that is wrong with the template; [`Error::Timeout`] with what differs, node by
    /// node; else as for [`to_be_visible`](Self::to_be_visible).
    pub async fn to_match_aria_snapshot(&self, template: &str) -> Result<()> {
        let template = Template::parse(template).map_err(|errors| Error::Unsuitable {
            action: format!("expecting a snapshot: {}", self.locator),
            reason: format!("the template can't be read; correct it: {errors}"),
        })?;
        self.to_match_aria_template(&template).await
    }

    /// [`to_match_aria_snapshot`](Self::to_match_aria_snapshot) with a template that has been read, for example one
    /// written for Playwright ([`aria::Dialect::Playwright`]).
    ///
    /// # Errors
    /// As for [`to_match_aria_snapshot`](Self::to_match_aria_snapshot), but for the template.
    pub async fn to_match_aria_template(&self, template: &Template) -> Result<()> {
        let not = if self.negated { "not " } else { "" };
        let verb = format!("expecting {not}to match the snapshot:");
        let action = format!("{verb} {}", self.locator);
        self.locator.page().look(action.clone(), self.matching(template, &verb, &action)).await
    }

    /// One answer of the page for each change of its tree: it is compared here, where the rules are.
    async fn matching(&self, template: &Template, verb: &str, action: &str) -> Result<()> {
        let end = Instant::now() + self.locator.deadline();
        // Everything is captured: a template says itself what of it counts.
        let options = SnapshotOptions { full: true, ..SnapshotOptions::default() };
        let (mut unlike, mut last) = (Value::Null, None);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let more = [("options", options.to_json().into()), ("unlike", unlike)];
            let answer = match self.locator.within(left).ask("snapshotUnlike", verb, &more).await {
                Ok((answer, _)) => answer,
                Err(Error::Timeout { log, .. }) => {
                    let seen = last.map(|snapshot| self.seen(template, &snapshot));
                    let log = CallLog(log.0.into_iter().chain(seen).collect());
                    return Err(Error::Timeout { action: action.to_owned(), deadline: self.locator.deadline(), log });
                }
                Err(other) => return Err(other),
            };
            let snapshot = Snapshot::from_json(answer["json"].as_str().unwrap_or_default())
                .map_err(|source| Error::Snapshot { what: self.locator.to_string(), source })?;
            if template.is_match(&snapshot) != self.negated {
                return Ok(());
            }
            unlike = answer["hash"].clone();
            last = Some(snapshot);
        }
    }

    fn seen(&self, template: &Template, snapshot: &Snapshot) -> String {
        if self.negated {
            format!("the snapshot is as the template says:\n{}", snapshot.to_yaml())
        } else {
            template.matches(snapshot).to_string()
        }
    }
}
