//! Putting the cases to a browser: a page load for all cases of one page, several pages at a time.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use browser::{Browser, ContextOptions, Locator, Page};
use serde::Deserialize;
use serde_json::Value;
use tokio::task::JoinSet;

use super::corpus::{Case, Step};
use super::judge::{self, Question};
use super::report::Outcome;
use crate::file_url::file_url;

/// Cases that share a page load.
struct Group {
    html: String,
    steps: Vec<Step>,
    cases: Vec<Case>,
    /// One for each case.
    questions: Vec<Question>,
}

/// Runs all cases, `jobs` pages at a time; the outcomes stand in the order of the cases.
pub(super) async fn run(
    browser: &Browser,
    corpus: &Path,
    cases: Vec<Case>,
    jobs: usize,
) -> anyhow::Result<Vec<Outcome>> {
    let (paged, plain): (Vec<_>, Vec<_>) = cases.into_iter().partition(judge::needs_page);
    let groups = Arc::new(grouped(corpus, paged)?);
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
    let mut outcomes: Vec<_> = plain.iter().map(|case| judge::judge(case, Ok(&Value::Null))).collect();
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
        groups[at].questions.push(judge::question(&case)?);
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
    Ok(group
        .cases
        .iter()
        .zip(answers)
        .map(|(case, answer)| match answer {
            Answer::Ok(value) => judge::judge(case, Ok(&value)),
            Answer::Error(error) => judge::judge(case, Err(&error)),
        })
        .collect())
}

async fn ask(page: &Page, file: &Path, group: &Group) -> browser::Result<Vec<Answer>> {
    // The mark in front makes it UTF-8 without adding anything to the document.
    std::fs::write(file, format!("\u{FEFF}{}", group.html))
        .map_err(|source| browser::Error::Spawn { program: file.display().to_string(), source })?;
    page.goto(&file_url(file)).await?;
    for step in &group.steps {
        take(page, step).await?;
    }
    let scripts: Value = group.questions.iter().filter_map(Question::script).cloned().collect();
    let answers: Vec<Answer> = page.evaluate_isolated(include_str!("answer.js"), &[scripts]).await?;
    let mut answers = answers.into_iter();
    let mut all = Vec::new();
    for question in &group.questions {
        all.push(match question {
            Question::Script(_) => answers.next().unwrap_or(Answer::Error("the page did not answer".into())),
            Question::Elements(query) => match markup(&query.on(page)).await {
                Ok(markup) => Answer::Ok(markup.into()),
                Err(error @ browser::Error::BrowserGone { .. }) => return Err(error),
                Err(error) => Answer::Error(error.to_string()),
            },
        });
    }
    Ok(all)
}

/// The markup of all elements that a locator finds.
async fn markup(locator: &Locator) -> browser::Result<Vec<String>> {
    let mut all = Vec::new();
    for element in locator.all().await? {
        all.push(element.evaluate("(element) => element.outerHTML", &[]).await?);
    }
    Ok(all)
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
