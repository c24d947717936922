use std::path::PathBuf;

use anyhow::{anyhow, bail};
use lexopt::prelude::*;

use super::corpus::KINDS;
use crate::options::{text, unexpected};

/// Text of `conformance --help`.
pub const HELP: &str = "\
conformance - checks accessibility snapshots against a corpus and against Chromium's own tree

Usage: conformance [OPTIONS] DIR
       conformance [OPTIONS] --pages DIR

DIR/corpus/KIND.json holds the cases of a kind, DIR/pages/*.html the pages whose elements are compared with Chromium's
accessibility tree; a file or folder that is missing holds none. Each failure is printed with what was expected and what
was got, then the counts by kind. Cases that differ by decision (crates/snapshot/src/conformance/decided.rs) are counted
apart, and must differ.

Options:
      --kind KIND   only this kind of case, or `pages`; may be given again
      --case TEXT   only cases and pages whose id contains TEXT, each printed whatever comes of it; may be given again
      --pages DIR   compare the pages of this folder with Chromium's tree, and nothing else
      --jobs N      pages open at a time [default: 4]
      --all         print cases that differ by decision too, and elements with a role that only the snapshot has
  -h, --help        print this help

Exit code: 0 when all is as expected or decided, 1 when not, 2 when it could not run.

Examples:
  conformance shared/aria
  conformance shared/aria --kind name --case labelledby
  conformance --pages my/site/build
";

const OPTIONS: &[&str] = &["kind", "case", "pages", "jobs", "all", "help"];

/// What is to be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Print [`HELP`].
    Help,
    /// Check.
    Check(Checks),
}

/// The checks of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checks {
    /// Folder with `corpus` and `pages`.
    pub(super) corpus: Option<PathBuf>,
    /// Folder of pages; that of `corpus` when `None`.
    pub(super) pages: Option<PathBuf>,
    /// Kinds wanted; all when empty.
    pub(super) kinds: Vec<String>,
    /// Parts of the ids wanted; all when empty.
    pub(super) cases: Vec<String>,
    /// Pages open at a time.
    pub(super) jobs: usize,
    /// Print what was decided too.
    pub(super) all: bool,
}

impl Checks {
    /// Whether a case or page of this id is wanted.
    pub(super) fn wants(&self, id: &str) -> bool {
        self.cases.is_empty() || self.cases.iter().any(|part| id.contains(part.as_str()))
    }
}

/// Reads the arguments.
///
/// # Errors
/// What is wrong with them and what to write instead.
pub fn parse(mut parser: lexopt::Parser) -> anyhow::Result<Request> {
    let mut checks = Checks { corpus: None, pages: None, kinds: vec![], cases: vec![], jobs: 4, all: false };
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Request::Help),
            Long("kind") => {
                let kind = text("--kind", parser.value()?)?;
                if kind != "pages" && !KINDS.contains(&kind.as_str()) {
                    bail!("there is no kind {kind:?}; the kinds are {}, pages", KINDS.join(", "));
                }
                checks.kinds.push(kind);
            }
            Long("case") => checks.cases.push(text("--case", parser.value()?)?),
            Long("pages") => checks.pages = Some(parser.value()?.into()),
            Long("jobs") => {
                let jobs = text("--jobs", parser.value()?)?;
                checks.jobs = jobs
                    .parse()
                    .ok()
                    .filter(|jobs| (1..=64).contains(jobs))
                    .ok_or_else(|| anyhow!("--jobs {jobs:?} is not a number from 1 to 64; give one"))?;
            }
            Long("all") => checks.all = true,
            Value(folder) if checks.corpus.is_none() => checks.corpus = Some(folder.into()),
            other => return Err(unexpected(&other, OPTIONS, "conformance")),
        }
    }
    for folder in checks.corpus.iter().chain(&checks.pages) {
        if !folder.is_dir() {
            bail!("{} is not a folder; name the folder of the corpus or of the pages", folder.display());
        }
    }
    match (&checks.corpus, &checks.pages) {
        (None, None) => bail!("no folder is given; write `conformance DIR` or `conformance --pages DIR`"),
        (Some(_), Some(_)) => bail!("both DIR and --pages are given; DIR has pages of its own, so give one of the two"),
        _ => Ok(Request::Check(checks)),
    }
}
