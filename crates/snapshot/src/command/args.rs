use std::path::PathBuf;
use std::time::Duration;

use anyhow::{anyhow, bail};
use lexopt::prelude::*;

use super::source::Source;
use crate::options::{text, unexpected};

/// Text of `snapshot --help`.
pub const HELP: &str = r##"snapshot - prints the accessible tree of a page, as Chromium shows it

Usage: snapshot [OPTIONS] URL|FILE...
       snapshot [OPTIONS] --serve

The tree is printed in Playwright's YAML form. FILE is an HTML file; `-` reads the HTML from the standard input. With
several pages each tree stands under a comment with its source.

What to look at:
      --selector S       only the element that the CSS selector S selects; it is waited for, and must be one
      --wait S           first wait until an element that S selects is visible, for pages that draw themselves late
      --roles S          instead of a tree the role and name of every element that S selects, a line each
      --depth N          only the nodes N levels down and above; the top level is 0
      --full             also what the form leaves out: states that are false, values, descriptions

What to print:
      --json             the JSON form, one line a page
      --match TEMPLATE   compare the tree with the template in this file and print how they differ
      --update           with --match: bring the file up to date instead, with the patterns in it that still hold; a
                         file that is not there is written, with patterns for numbers that look volatile

How to look:
      --headed           show the browser
      --timeout SECONDS  how long a page may load, and an element may take to come [default: 30]
      --serve            answer requests from the standard input, one JSON object a line, one answer a line

  -h, --help             print this help
  -V, --version          print the version

Requests of --serve have exactly one of `url` (also file: and data: addresses) and `html` (the page itself), and may
have `id` (any JSON; the answer repeats it), `selector`, `wait`, `roles`, `match` (the template's text), `depth`,
`full` and `json` (true or false). Answers come in the order of the requests:

  {"id": 1, "ok": {"snapshot": "- button \"Send\""}}                  `snapshot` is the JSON form with `json`
  {"id": 2, "ok": {"roles": [{"role": "button", "name": "Send", "hidden": false}]}}
  {"id": 3, "ok": {"matches": false, "diff": "...", "snapshot": "..."}}
  {"id": 4, "error": "cannot load http://127.0.0.1:1/: ..."}

A line that is no request is answered with an error, as is a page that can't be had; the loop ends with its input. The
pages share a browser profile, which is new at the start.

Environment: CHROMIUM and CHROMEDRIVER name the two programs; otherwise they are looked for in PATH.

Exit code: 0; 1 when a tree does not match or --roles finds nothing; 2 when something could not be done.

Examples:
  snapshot http://localhost:3000/
  snapshot page.html --selector main --json
  snapshot page.html --match page.aria.yml --update; snapshot page.html --match page.aria.yml
  snapshot https://example.org/ --roles "a, button"
  curl -s http://localhost:3000/ | snapshot -
  echo '{"id": 1, "html": "<button>Send</button>"}' | snapshot --serve
"##;

const OPTIONS: &[&str] = &[
    "selector", "wait", "roles", "depth", "full", "json", "match", "update", "headed", "timeout", "serve", "help",
    "version",
];

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Print [`HELP`].
    Help,
    /// Print the version.
    Version,
    /// Look at pages.
    Look(Options),
}

/// The options of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The pages; none with `serve`.
    pub(super) sources: Vec<Source>,
    pub(super) selector: Option<String>,
    pub(super) wait: Option<String>,
    pub(super) roles: Option<String>,
    pub(super) depth: Option<usize>,
    pub(super) full: bool,
    pub(super) json: bool,
    /// File of the template.
    pub(super) template: Option<PathBuf>,
    /// Bring the template up to date.
    pub(super) update: bool,
    pub(super) headed: bool,
    pub(super) timeout: Duration,
    pub(super) serve: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            sources: Vec::new(),
            selector: None,
            wait: None,
            roles: None,
            depth: None,
            full: false,
            json: false,
            template: None,
            update: false,
            headed: false,
            timeout: Duration::from_secs(30),
            serve: false,
        }
    }
}

/// Reads the arguments.
///
/// # Errors
/// What is wrong with them and what to write instead.
pub fn parse(mut parser: lexopt::Parser) -> anyhow::Result<Request> {
    let mut options = Options::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Request::Help),
            Short('V') | Long("version") => return Ok(Request::Version),
            Long("selector") => options.selector = Some(text("--selector", parser.value()?)?),
            Long("wait") => options.wait = Some(text("--wait", parser.value()?)?),
            Long("roles") => options.roles = Some(text("--roles", parser.value()?)?),
            Long("depth") => options.depth = Some(levels(&text("--depth", parser.value()?)?)?),
            Long("full") => options.full = true,
            Long("json") => options.json = true,
            Long("match") => options.template = Some(parser.value()?.into()),
            Long("update") => options.update = true,
            Long("headed") => options.headed = true,
            Long("timeout") => options.timeout = seconds(&text("--timeout", parser.value()?)?)?,
            Long("serve") => options.serve = true,
            Value(source) => options.sources.push(Source::named(source)?),
            other => return Err(unexpected(&other, OPTIONS, "snapshot")),
        }
    }
    options.checked().map(Request::Look)
}

impl Options {
    /// Refuses what would silently do nothing.
    fn checked(self) -> anyhow::Result<Self> {
        if self.serve {
            if let Some(source) = self.sources.first() {
                bail!("--serve takes its pages from the standard input, not from arguments; leave out {source}");
            }
            let given = [
                ("selector", self.selector.is_some()),
                ("wait", self.wait.is_some()),
                ("roles", self.roles.is_some()),
                ("depth", self.depth.is_some()),
                ("full", self.full),
                ("json", self.json),
                ("match", self.template.is_some()),
                ("update", self.update),
            ];
            if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
                bail!("with --serve each request says what to look at; put `{option}` into the requests");
            }
        } else if self.sources.is_empty() {
            bail!("no page is given; write `snapshot URL` or `snapshot FILE`, or see `snapshot --help`");
        }
        if self.sources.iter().filter(|source| **source == Source::Stdin).count() > 1 {
            bail!("`-` is given twice, but there is one standard input; name it once");
        }
        if self.roles.is_some() {
            let given =
                [("selector", self.selector.is_some()), ("match", self.template.is_some()), ("full", self.full)];
            if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
                bail!(
                    "--roles prints roles and names, no tree, so --{option} has nothing to do; leave one of them out"
                );
            }
        }
        if self.template.is_some() && self.json {
            bail!("--match prints a comparison, which has no JSON form; leave out --json or use --serve");
        }
        if self.update && self.template.is_none() {
            bail!("--update brings a template up to date; name its file with --match");
        }
        if self.update && self.sources.len() > 1 {
            bail!("--update writes the template of one page; name one page");
        }
        Ok(self)
    }
}

fn levels(text: &str) -> anyhow::Result<usize> {
    text.parse().map_err(|_| anyhow!("--depth {text:?} is not a count of levels; give one, such as 0 or 3"))
}

fn seconds(text: &str) -> anyhow::Result<Duration> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 86_400.0);
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| anyhow!("--timeout {text:?} is not a count of seconds; give one, such as 5 or 0.5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Request, String> {
        parse(lexopt::Parser::from_args(arguments)).map_err(|error| error.to_string())
    }

    #[test]
    fn all_options_are_read() {
        let options = Options {
            sources: vec![Source::Stdin],
            selector: Some("main".into()),
            wait: Some("#late".into()),
            depth: Some(3),
            full: true,
            template: Some("t.yml".into()),
            update: true,
            headed: true,
            timeout: Duration::from_millis(500),
            ..Options::default()
        };
        let written = "--selector main --wait=#late --depth 3 --full --match t.yml --update --headed --timeout 0.5 -";
        assert_eq!(parsed(&written.split(' ').collect::<Vec<_>>()), Ok(Request::Look(options)));
        let options = Options {
            sources: vec![Source::Url("http://a/".into())],
            roles: Some("a".into()),
            json: true,
            ..Options::default()
        };
        assert_eq!(parsed(&["--roles", "a", "--json", "http://a/"]), Ok(Request::Look(options)));
        assert_eq!(parsed(&["--serve"]), Ok(Request::Look(Options { serve: true, ..Options::default() })));
        assert_eq!(parsed(&["--bogus=1", "-h"]).unwrap_err().split(';').next(), Some("there is no option --bogus"));
        assert_eq!(parsed(&["-h", "--bogus"]), Ok(Request::Help));
        assert_eq!(parsed(&["http://a/", "-V"]), Ok(Request::Version));
    }

    #[test]
    fn every_mistake_says_what_to_write() {
        let cases: [(&[&str], &str); 16] = [
            (&[], "no page is given; write `snapshot URL` or `snapshot FILE`, or see `snapshot --help`"),
            (&["--jsno", "a"], "there is no option --jsno; did you mean --json? `snapshot --help` lists the options"),
            (&["--zzz"], "there is no option --zzz; `snapshot --help` lists the options"),
            (&["-q"], "there is no option -q; `snapshot --help` lists the options"),
            (&["--selector"], "missing argument for option '--selector'"),
            (&["--json=1"], "unexpected argument for option '--json': \"1\""),
            (&["--depth", "-1"], "--depth \"-1\" is not a count of levels; give one, such as 0 or 3"),
            (&["--timeout", "soon"], "--timeout \"soon\" is not a count of seconds; give one, such as 5 or 0.5"),
            (&["--timeout", "0"], "--timeout \"0\" is not a count of seconds; give one, such as 5 or 0.5"),
            (
                &["--serve", "http://a/"],
                "--serve takes its pages from the standard input, not from arguments; leave out \
             http://a/",
            ),
            (&["--serve", "--full"], "with --serve each request says what to look at; put `full` into the requests"),
            (&["-", "--update"], "--update brings a template up to date; name its file with --match"),
            (
                &["-", "http://a/", "--match", "t", "--update"],
                "--update writes the template of one page; name one page",
            ),
            (&["-", "-"], "`-` is given twice, but there is one standard input; name it once"),
            (
                &["-", "--roles", "a", "--match", "t"],
                "--roles prints roles and names, no tree, so --match has nothing to \
             do; leave one of them out",
            ),
            (
                &["-", "--match", "t", "--json"],
                "--match prints a comparison, which has no JSON form; leave out --json or \
             use --serve",
            ),
        ];
        for (arguments, message) in cases {
            assert_eq!(parsed(arguments), Err(message.to_owned()), "{arguments:?}");
        }
    }

    #[test]
    fn the_help_names_every_option_and_fits_a_terminal() {
        for option in OPTIONS {
            assert!(HELP.contains(&format!("--{option}")), "{option}");
        }
        assert!(HELP.lines().all(|line| line.chars().count() <= 120));
    }
}
