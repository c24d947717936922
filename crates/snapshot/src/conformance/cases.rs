//! Putting the cases to a browser: a page load for all cases of one page, several pages at a time.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use aria::Snapshot;
use browser::{Browser, ContextOptions, Page};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::corpus::{Case, Step};
use super::report::{Outcome, Verdict};
use super::{decided, role_query};
use crate::file_url::file_url;

/// Cases that share a page load.
struct Group {
    html: String,
    steps: Vec<Step>,
    cases: Vec<Case>,
    /// One for each case, as the page-side half takes it.
    questions: Vec<Value>,
}

/// Runs all cases, `jobs` pages at a time; the outcomes stand in the order of the cases.
pub(super) async fn run(
    browser: &Browser,
    corpus: &Path,
    cases: Vec<Case>,
    jobs: usize,
) -> anyhow::Result<Vec<Outcome>> {
    let groups = Arc::new(grouped(corpus, cases)?);
    let next = Arc::new(AtomicUsize::new(0));
    let mut workers = JoinSet::new();
    for worker in 0..jobs.min(groups.len()) {
        let (browser, groups, next) = (browser.clone(), groups.clone(), next.clone());
        workers.spawn(async move {
            let context = browser.new_context(ContextOptions::default()).await?;
            let page = context.new_page().await?;
            let file = browser.folder().join(format!("case-{worker}.html"));
            let mut outcomes = Vec::new();
            while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                outcomes.extend(answer(&page, &file, group).await?);
            }
            anyhow::Ok(outcomes)
        });
    }
    let mut outcomes = Vec::new();
    while let Some(done) = workers.join_next().await {
        outcomes.extend(done??);
    }
    outcomes.sort_by_key(|outcome: &Outcome| outcome.number);
    Ok(outcomes)
}

fn grouped(corpus: &Path, cases: Vec<Case>) -> anyhow::Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known = std::collections::HashMap::new();
    for case in cases {
        let key = (case.html(corpus)?, case.steps.clone());
        let at = *known.entry(key.clone()).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Group { html: key.0, steps: key.1, cases: Vec::new(), questions: Vec::new() });
        }
        groups[at].questions.push(question(&case)?);
        groups[at].cases.push(case);
    }
    Ok(groups)
}

/// What the page-side half says to one question.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Ok(Value),
    Error(String),
}

async fn answer(page: &Page, file: &Path, group: &Group) -> anyhow::Result<Vec<Outcome>> {
    let answers = match ask(page, file, group).await {
        Ok(answers) => answers,
        Err(error @ browser::Error::BrowserGone { .. }) => return Err(error.into()),
        // A page that can't be had fails its own cases and no others.
        Err(error) => group.cases.iter().map(|_| Answer::Error(error.to_string())).collect(),
    };
    Ok(group.cases.iter().zip(answers).map(|(case, answer)| judge(case, answer)).collect())
}

async fn ask(page: &Page, file: &Path, group: &Group) -> browser::Result<Vec<Answer>> {
    // The mark in front makes it UTF-8 without adding anything to the document.
    std::fs::write(file, format!("\u{FEFF}{}", group.html))
        .map_err(|source| browser::Error::Spawn { program: file.display().to_string(), source })?;
    page.goto(&file_url(file)).await?;
    for step in &group.steps {
        take(page, step).await?;
    }
    page.evaluate_isolated(include_str!("answer.js"), &[group.questions.clone().into()]).await
}

async fn take(page: &Page, step: &Step) -> browser::Result<()> {
    match step {
        Step::All { selector, function } => {
            let call = format!("(selector) => void ({function})([...document.querySelectorAll(selector)])");
            page.evaluate(&call, &[selector.as_str().into()]).await
        }
        Step::Evaluate { evaluate, selector } => {
            let call = format!("(selector) => void ({evaluate})(selector && document.querySelector(selector))");
            page.evaluate(&call, &[selector.as_deref().into()]).await
        }
        Step::Focus { focus, frame_selector } => {
            let call = "(css, frame) => (frame ? document.querySelector(frame) : document.querySelector(css)).focus()";
            page.evaluate(call, &[focus.as_str().into(), frame_selector.as_deref().into()]).await
        }
    }
}

fn question(case: &Case) -> anyhow::Result<Value> {
    let query = match &case.selector {
        Some(selector) if case.kind == "role-query" => role_query::parse(selector).with_context(|| case.to_string())?,
        _ => None,
    };
    Ok(json!({
        "ask": case.kind, "selector": case.selector, "nth": case.nth, "frame": case.frame, "query": query,
    }))
}

fn judge(case: &Case, answer: Answer) -> Outcome {
    let (expected, got) = match answer {
        Answer::Error(error) => (text_of(&case.expected), format!("error: {error}")),
        Answer::Ok(value) => match case.kind.as_str() {
            "snapshot" => (text_of(&case.expected), snapshot_yaml(&value, case.options.depth)),
            "role" => (role_of(&case.expected), role_of(&value)),
            _ => (text_of(&case.expected), text_of(&value)),
        },
    };
    let verdict = match (expected == got, decided::of_case(&case.id)) {
        (true, None) => Verdict::Passed,
        (true, Some(row)) => Verdict::Agrees(row),
        (false, Some(row)) => Verdict::Decided(row),
        (false, None) => decided::of_form(&case.options).map_or(Verdict::Failed, Verdict::Decided),
    };
    let subject = case.selector.clone().unwrap_or_else(|| "page".to_owned());
    Outcome { number: case.number, kind: case.file, id: case.id.clone(), subject, expected, got, verdict }
}

fn snapshot_yaml(captured: &Value, depth: Option<usize>) -> String {
    match Snapshot::from_json(captured.as_str().unwrap_or_default()) {
        Ok(snapshot) => snapshot.with_depth(depth.unwrap_or(usize::MAX)).to_yaml(),
        Err(error) => format!("error: {error}"),
    }
}

/// Strings as they are, all else as JSON.
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
