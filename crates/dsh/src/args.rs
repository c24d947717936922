use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use lexopt::prelude::*;

/// Text of `dsh --help`.
pub(crate) const HELP: &str = "\
dsh - an agent with a web interface

Usage: dsh web [OPTIONS]

Starts the web interface on this machine and prints its address. The address holds a token that works once.

Options of dsh web:
      --port N          port to listen on [default: any free one]
      --workspace DIR   folder the agent works in [default: the current one; with --replay a temporary one]
      --state DIR       folder of sessions and lists [default: dsh under $XDG_STATE_HOME or ~/.local/state; with
                        --replay a temporary one]
      --replay LOG      look at the recorded session LOG without a key: it is in the list, and a new session that is
                        sent its prompts gets its answers; commands in it really run
      --pace MS         with --replay: wait MS milliseconds before each piece of an answer

Everywhere:
  -h, --help            print this help
  -V, --version         print the version

Environment:
  DEEPSEEK_API_KEY      key of the provider; without it, or --replay, prompts are not answered
  HOME, XDG_STATE_HOME  where sessions are kept

Signals: Ctrl-C (or SIGTERM) stops in order, a second one at once. SIGUSR1 prints another address for one more browser.
";

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Version,
    Web(WebOptions),
}

/// Options of `dsh web`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WebOptions {
    pub(crate) port: Option<u16>,
    pub(crate) workspace: Option<PathBuf>,
    pub(crate) state: Option<PathBuf>,
    pub(crate) replay: Option<PathBuf>,
    pub(crate) pace: Option<Duration>,
}

pub(crate) fn parse(mut parser: lexopt::Parser) -> anyhow::Result<Command> {
    let mut web = None;
    while let Some(argument) = parser.next()? {
        match (argument, &mut web) {
            (Short('h') | Long("help"), _) => return Ok(Command::Help),
            (Short('V') | Long("version"), _) => return Ok(Command::Version),
            (Value(word), None) if word == "web" => web = Some(WebOptions::default()),
            (Value(word), None) => bail!("there is no command {word:?}; there is `dsh web`"),
            (Long("port"), Some(web)) => {
                let text = parser.value()?.string()?;
                let port = text
                    .parse()
                    .map_err(|_| anyhow!("--port {text:?} is not a port; give a number from 0 to 65535"))?;
                web.port = Some(port);
            }
            (Long("workspace"), Some(web)) => web.workspace = Some(folder("--workspace", parser.value()?)?),
            (Long("state"), Some(web)) => web.state = Some(folder("--state", parser.value()?)?),
            (Long("replay"), Some(web)) => web.replay = Some(folder("--replay", parser.value()?)?),
            (Long("pace"), Some(web)) => {
                let text = parser.value()?.string()?;
                let millis =
                    text.parse().map_err(|_| anyhow!("--pace {text:?} is not a count of milliseconds; give one"))?;
                web.pace = Some(Duration::from_millis(millis));
            }
            (Long(option), None) => bail!("--{option} stands before the command; write `dsh web --{option} …`"),
            (argument, _) => return Err(argument.unexpected().into()),
        }
    }
    let web = web.context("no command is given; there is `dsh web`")?;
    if web.pace.is_some() && web.replay.is_none() {
        bail!("--pace is the pace of a recording; give the recording with --replay LOG");
    }
    Ok(Command::Web(web))
}

fn folder(option: &str, value: std::ffi::OsString) -> anyhow::Result<PathBuf> {
    if value.is_empty() {
        bail!("{option} is given an empty path; name a path, or leave the option out");
    }
    Ok(value.into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Command, HELP, WebOptions, parse};

    fn parsed(arguments: &[&str]) -> Result<Command, String> {
        parse(lexopt::Parser::from_args(arguments)).map_err(|error| error.to_string())
    }

    #[test]
    fn all_options_are_read() {
        let all = "web --port 4100 --workspace=w --state s --replay log.jsonl --pace 15";
        let options = WebOptions {
            port: Some(4100),
            workspace: Some("w".into()),
            state: Some("s".into()),
            replay: Some("log.jsonl".into()),
            pace: Some(Duration::from_millis(15)),
        };
        assert_eq!(parsed(&all.split(' ').collect::<Vec<_>>()), Ok(Command::Web(options)));
        assert_eq!(parsed(&["web"]), Ok(Command::Web(WebOptions::default())));
    }

    #[test]
    fn help_and_version_win_wherever_they_stand() {
        for arguments in [&["--help"][..], &["-h"], &["web", "--help"], &["web", "--port", "1", "-h"]] {
            assert_eq!(parsed(arguments), Ok(Command::Help), "{arguments:?}");
        }
        assert_eq!(parsed(&["-V"]), Ok(Command::Version));
    }

    #[test]
    fn every_mistake_says_what_to_write() {
        let cases: [(&[&str], &str); 11] = [
            (&[], "no command is given; there is `dsh web`"),
            (&["wep"], "there is no command \"wep\"; there is `dsh web`"),
            (&["--port", "1", "web"], "--port stands before the command; write `dsh web --port …`"),
            (&["web", "web"], "unexpected argument \"web\""),
            (&["web", "--prot", "1"], "invalid option '--prot'"),
            (&["web", "-p"], "invalid option '-p'"),
            (&["web", "--port"], "missing argument for option '--port'"),
            (&["web", "--port", "65536"], "--port \"65536\" is not a port; give a number from 0 to 65535"),
            (&["web", "--replay", "l", "--pace", "soon"], "--pace \"soon\" is not a count of milliseconds; give one"),
            (&["web", "--pace", "5"], "--pace is the pace of a recording; give the recording with --replay LOG"),
            (&["web", "--state", ""], "--state is given an empty path; name a path, or leave the option out"),
        ];
        for (arguments, message) in cases {
            assert_eq!(parsed(arguments), Err(message.to_owned()), "{arguments:?}");
        }
    }

    #[test]
    fn the_help_names_every_option_and_fits_a_terminal() {
        for option in ["--port", "--workspace", "--state", "--replay", "--pace", "--help", "--version"] {
            assert!(HELP.contains(option), "{option}");
        }
        assert!(HELP.lines().all(|line| line.chars().count() <= 120));
    }
}
