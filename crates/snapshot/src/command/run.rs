//! One run of the command.

use std::fs;
use std::io::{self, Read, stdin};
use std::path::Path;

use anyhow::Context as _;
use aria::{Snapshot, Template};
use browser::{LaunchOptions, Page, RequestState};

use super::args::Options;
use super::look::{Look, Seen, What, json, lines, yaml};
use super::serve::serve;
use super::session::{Place, Session};
use super::source::Source;
use crate::file_url::file_url;
use crate::output::{complain, nobody_listens, say};

/// Looks at all pages and prints what was asked for; says whether all trees matched and all selectors found something.
///
/// # Errors
/// The first thing that could not be done, with what to do about it.
pub async fn run(options: &Options, launch: LaunchOptions) -> anyhow::Result<bool> {
    let template = match &options.template {
        Some(file) => read_template(file, options.update)?,
        None => None,
    };
    let mut session = Session::start(launch, options.headed, options.timeout).await?;
    let done = if options.serve {
        serve(&mut session).await.map(|()| true)
    } else {
        look(options, template.as_ref(), &mut session).await
    };
    session.close().await?;
    match done {
        Err(error) if nobody_listens(&error) => Ok(true),
        done => done,
    }
}

async fn look(options: &Options, template: Option<&Template>, session: &mut Session) -> anyhow::Result<bool> {
    let look = Look {
        selector: options.selector.clone(),
        wait: options.wait.clone(),
        depth: options.depth,
        full: options.full,
        what: options.roles.clone().map_or(What::Tree, What::Roles),
    };
    let mut good = true;
    for source in &options.sources {
        let html;
        let url;
        let place = match source {
            Source::Url(url) => Place::Url(url),
            Source::File { path, .. } => {
                url = file_url(path);
                Place::Url(&url)
            }
            Source::Stdin => {
                let mut text = String::new();
                stdin().read_to_string(&mut text).context("cannot read HTML in UTF-8 from the standard input")?;
                html = text;
                Place::Html(&html)
            }
        };
        let (page, seen) = session.visit(place, &look).await.with_context(|| format!("{source}"))?;
        note_status(&page).await?;
        if options.sources.len() > 1 && !options.json {
            say(format_args!("# {source}"))?;
        }
        good &= tell(options, template, source, seen)?;
    }
    Ok(good)
}

/// Prints what was seen; says whether it is as it should be.
fn tell(options: &Options, template: Option<&Template>, source: &Source, seen: Seen) -> anyhow::Result<bool> {
    if let (Seen::Tree(tree), Some(file), true) = (&seen, &options.template, options.update) {
        return update(file, template, tree).map(|()| true);
    }
    match (seen, template) {
        (Seen::Roles(elements), _) => {
            if options.json {
                say(serde_json::to_string(&elements)?)?;
            } else if !elements.is_empty() {
                say(lines(&elements))?;
            }
            if elements.is_empty() {
                let css = options.roles.as_deref().unwrap_or_default();
                complain(format_args!("snapshot: {source}: no element matches {css:?}"));
            }
            Ok(!elements.is_empty())
        }
        (Seen::Tree(tree), Some(template)) => {
            let matching = template.matches(&tree);
            if !matching.is_match() {
                say(&matching)?;
            }
            Ok(matching.is_match())
        }
        (Seen::Tree(tree), None) if options.json => say(json(&tree, options.full)).map(|()| true),
        (Seen::Tree(tree), None) => say(yaml(&tree, options.full)).map(|()| true),
    }
}

/// The template of a file; `None` for a file that is yet to be written.
fn read_template(file: &Path, may_be_missing: bool) -> anyhow::Result<Option<Template>> {
    let text = match fs::read_to_string(file) {
        Err(error) if may_be_missing && error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.with_context(|| format!("cannot read the template {}", file.display()))?,
    };
    Ok(Some(Template::parse(&text).with_context(|| format!("the template {}", file.display()))?))
}

/// Brings the template's file up to date, or writes it.
fn update(file: &Path, template: Option<&Template>, tree: &Snapshot) -> anyhow::Result<()> {
    let (text, done) = match template {
        Some(template) if template.is_match(tree) => return Ok(()),
        Some(template) => (template.rebaseline(tree), "brought up to date"),
        None => (tree.to_template(), "written"),
    };
    fs::write(file, format!("{}\n", text.trim_end_matches('\n')))
        .with_context(|| format!("cannot write the template {}", file.display()))?;
    complain(format_args!("snapshot: {} {done}", file.display()));
    Ok(())
}

/// A page of status 404 is a page, but seldom the one that was meant.
async fn note_status(page: &Page) -> anyhow::Result<()> {
    let url = page.url().await?;
    let address = url.split('#').next().unwrap_or_default();
    let request = page.requests().into_iter().rev().find(|request| request.url == address);
    if let Some(RequestState::Completed { status } | RequestState::Answering { status }) = request.map(|r| r.state)
        && status >= 400
    {
        complain(format_args!("snapshot: note: {address} was answered with status {status}"));
    }
    Ok(())
}
