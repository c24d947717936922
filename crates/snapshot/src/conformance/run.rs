//! One run: the cases, the pages, the report.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use browser::{Browser, ContextOptions, LaunchOptions};

use super::args::Checks;
use super::oracle::Figures;
use super::report::{Verdict, table};
use super::{cases, corpus};
use crate::file_url::file_url;
use crate::output::say;

/// Checks what was asked for and prints the report; says whether all was as expected or decided.
///
/// # Errors
/// A corpus that can't be read, a browser that can't be had, a folder without anything to check.
pub async fn run(checks: &Checks, launch: LaunchOptions) -> anyhow::Result<bool> {
    let folder = checks.corpus.as_ref().map(|folder| folder.join("corpus"));
    let cases = match &folder {
        Some(folder) => corpus::read(folder, &checks.kinds)?,
        None => Vec::new(),
    };
    let cases: Vec<_> = cases.into_iter().filter(|case| checks.wants(&case.id)).collect();
    let pages = pages(checks)?;
    if cases.is_empty() && pages.is_empty() {
        bail!("there is nothing to check: no case and no page has such a kind and such an id");
    }
    let browser = Browser::launch(launch).await?;
    let mut good = true;
    if let Some(folder) = &folder {
        good &= run_cases(checks, &browser, folder, cases).await?;
    }
    if !pages.is_empty() {
        good &= run_pages(checks, &browser, &pages).await?;
    }
    browser.close().await?;
    Ok(good)
}

async fn run_cases(
    checks: &Checks,
    browser: &Browser,
    folder: &Path,
    cases: Vec<corpus::Case>,
) -> anyhow::Result<bool> {
    let outcomes = cases::run(browser, folder, cases, checks.jobs).await?;
    for outcome in &outcomes {
        let shown = match outcome.verdict {
            Verdict::Passed => !checks.cases.is_empty(),
            Verdict::Decided(_) => checks.all || !checks.cases.is_empty(),
            Verdict::Failed | Verdict::Agrees(_) => true,
        };
        if shown {
            say(format_args!("{outcome}\n"))?;
        }
    }
    if !outcomes.is_empty() {
        say(table(&outcomes))?;
    }
    Ok(!outcomes.iter().any(|outcome| matches!(outcome.verdict, Verdict::Failed | Verdict::Agrees(_))))
}

/// The pages to compare, in the order of their names.
fn pages(checks: &Checks) -> anyhow::Result<Vec<PathBuf>> {
    if !checks.kinds.is_empty() && !checks.kinds.iter().any(|kind| kind == "pages") {
        return Ok(Vec::new());
    }
    let folder = match (&checks.pages, &checks.corpus) {
        (Some(pages), _) => pages.clone(),
        (None, Some(corpus)) if corpus.join("pages").is_dir() => corpus.join("pages"),
        _ => return Ok(Vec::new()),
    };
    let cannot = || format!("cannot read the folder {}", folder.display());
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        if path.extension().is_some_and(|extension| extension == "html" || extension == "htm")
            && checks.wants(&name_of(&path))
        {
            pages.push(path.canonicalize().with_context(cannot)?);
        }
    }
    pages.sort();
    Ok(pages)
}

fn name_of(page: &Path) -> String {
    page.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

async fn run_pages(checks: &Checks, browser: &Browser, pages: &[PathBuf]) -> anyhow::Result<bool> {
    let context = browser.new_context(ContextOptions::default()).await?;
    let mut figures = Figures::default();
    for path in pages {
        // A page of its own each: what one did to its window is nothing to the next.
        let page = context.new_page().await?;
        page.goto(&file_url(path)).await?;
        figures.add(&page, &name_of(path)).await?;
        page.close().await?;
    }
    for difference in &figures.differences {
        say(difference)?;
    }
    for stale in &figures.stale {
        say(stale)?;
    }
    if checks.all || !checks.cases.is_empty() {
        for element in &figures.only_ours {
            say(format_args!("{element}  (in the snapshot only)"))?;
        }
    }
    let undecided = figures.differences.iter().filter(|difference| difference.decision.is_none()).count();
    let good = undecided == 0 && figures.stale.is_empty();
    say(&figures)?;
    Ok(good)
}
