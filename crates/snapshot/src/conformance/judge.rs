//! What a case expects, and what came of it, as texts to compare.

use std::collections::BTreeMap;

use anyhow::Context as _;
use aria::{Dialect, Snapshot};
use serde_json::{Value, json};

use super::corpus::Case;
use super::report::{Outcome, Verdict};
use super::role_query::{self, Query};
use super::{decided, templates};

/// Whether a case can only be answered by a page.
pub(super) fn needs_page(case: &Case) -> bool {
    case.kind != "strings"
}

/// What is asked for a case.
pub(super) enum Question {
    /// The page-side half.
    Script(Value),
    /// The browser library: the markup of all matches.
    Elements(Query),
}

impl Question {
    /// What the page-side half is asked.
    pub(super) fn script(&self) -> Option<&Value> {
        match self {
            Self::Script(script) => Some(script),
            Self::Elements(_) => None,
        }
    }
}

/// The question of a case.
pub(super) fn question(case: &Case) -> anyhow::Result<Question> {
    if case.kind == "role-query" {
        let selector = case.selector.as_deref().with_context(|| format!("{case} has no `selector`; give it one"))?;
        return Ok(Question::Elements(role_query::parse(selector).with_context(|| case.to_string())?));
    }
    let ask = match case.kind.as_str() {
        kind @ ("role" | "name" | "description") => kind,
        _ => "snapshot",
    };
    Ok(Question::Script(json!({ "ask": ask, "selector": case.selector, "nth": case.nth, "frame": case.frame })))
}

/// Compares the answer with what is expected. `answer` is what the page said or why it could not; `Value::Null` for a
/// case that needs none.
pub(super) fn judge(case: &Case, answer: Result<&Value, &str>) -> Outcome {
    let compared = answer.map_err(str::to_owned).and_then(|answer| compared(case, answer));
    let Compared { expected, got, equal } = compared.unwrap_or_else(|error| Compared {
        expected: text_of(&case.expected),
        got: format!("error: {error}"),
        equal: false,
    });
    let verdict = match (equal, decided::of_case(&case.id)) {
        (true, None) => Verdict::Passed,
        (true, Some(decision)) => Verdict::Agrees(decision),
        (false, Some(decision)) => Verdict::Decided(decision),
        (false, None) => decided::of_form(&case.options).map_or(Verdict::Failed, Verdict::Decided),
    };
    let subject = match (&case.selector, &case.written) {
        (_, Some(written)) => written.input.clone(),
        (Some(selector), _) if case.template.is_empty() => selector.clone(),
        (None, _) if case.template.is_empty() => "page".to_owned(),
        _ => case.template.clone(),
    };
    Outcome { number: case.number, kind: case.file, id: case.id.clone(), subject, expected, got, verdict }
}

/// The two texts, and whether they say the same.
pub(super) struct Compared {
    pub(super) expected: String,
    pub(super) got: String,
    pub(super) equal: bool,
}

impl Compared {
    /// Texts that must be equal.
    pub(super) fn exactly(expected: String, got: String) -> Self {
        Self { equal: expected == got, expected, got }
    }
}

fn compared(case: &Case, answer: &Value) -> Result<Compared, String> {
    let snapshot = || {
        let captured = answer.as_str().unwrap_or_default();
        let snapshot = Snapshot::from_json(captured).map_err(|error| error.to_string())?;
        Ok::<_, String>(snapshot.with_depth(case.options.depth.unwrap_or(usize::MAX)))
    };
    let expected = text_of(&case.expected);
    Ok(match case.kind.as_str() {
        "snapshot" => Compared::exactly(expected, snapshot()?.to_yaml()),
        "snapshot-json" => Compared::exactly(pretty(&case.expected), pretty(&snapshot()?.to_json())),
        "role" => Compared::exactly(role_of(&case.expected), role_of(answer)),
        "match-pass" | "match-fail" => templates::of_match(case, Ok(case.kind == "match-pass"), &snapshot()?),
        "match-edge" | "parser" => {
            let expected = case.error.as_deref().map_or(Ok(case.matches == Some(true)), Err);
            templates::of_match(case, expected, &snapshot()?)
        }
        "parse-error" => templates::of_error(case, &expected),
        "rebaseline" => Compared::exactly(expected, snapshot()?.to_template_as(Dialect::Playwright)),
        "strings" => templates::of_strings(case.written.as_ref().ok_or("the case has no `input`; give it one")?)?,
        _ => Compared::exactly(expected, text_of(answer)),
    })
}

/// JSON over several lines, the members in one order.
fn pretty(value: &Value) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(sorted).collect(),
            Value::Object(members) => {
                let members: BTreeMap<_, _> = members.iter().map(|(name, value)| (name, sorted(value))).collect();
                Value::Object(members.into_iter().map(|(name, value)| (name.clone(), value)).collect())
            }
            other => other.clone(),
        }
    }
    format!("{:#}", sorted(value))
}

/// Strings as they are, lists a line an item, all else as JSON.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

/// `none` and `presentation` say that there is no role.
fn role_of(value: &Value) -> String {
    match value.as_str() {
        None | Some("none" | "presentation") => "no role".to_owned(),
        Some(role) => role.to_owned(),
    }
}
