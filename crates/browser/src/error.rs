//! The one error type of this crate. Each message ends with the next thing to do.

use crate::launch::Process;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Result of anything in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong between a test and its browser.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A program is not installed, or not where the options say.
    #[error(
        "{what} not found: looked for {}; install it, or name it with LaunchOptions::{option}, which \
         LaunchOptions::from_env takes from the variable {variable}",
        list(searched)
    )]
    NotFound {
        /// `Chromium` or `ChromeDriver`.
        what: &'static str,
        /// Every path tried.
        searched: Vec<PathBuf>,
        /// The field of the options to set.
        option: &'static str,
        /// The variable it comes from when the options are read from the environment.
        variable: &'static str,
    },
    /// A program could not be started.
    #[error("cannot start {program}: {source}; check that it may be run and that the temporary folder can be written")]
    Spawn {
        /// What was run.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The driver did not become ready.
    #[error(
        "{program} did not report its port within {deadline:?}; check that it is ChromeDriver; its output: {}",
        tail(log)
    )]
    DriverStart {
        /// The driver.
        program: String,
        /// How long was waited.
        deadline: Duration,
        /// All it said.
        log: Vec<String>,
    },
    /// The driver ended before it was ready.
    #[error(
        "{program} ended with {status} before it reported its port; check that it is ChromeDriver; its output: {}",
        tail(log)
    )]
    DriverEnded {
        /// The driver.
        program: String,
        /// How it ended, for example `exit status: 1`.
        status: String,
        /// All it said.
        log: Vec<String>,
    },
    /// Driver and browser do not belong together.
    #[error("ChromeDriver {driver} cannot drive Chromium {browser}: install both in the same major version")]
    VersionMismatch {
        /// The driver's version.
        driver: String,
        /// The browser's version.
        browser: String,
    },
    /// The driver could not start the browser.
    #[error("the browser did not start: {reason}; driver output: {}", tail(log))]
    SessionNotCreated {
        /// The driver's words.
        reason: String,
        /// The driver's output.
        log: Vec<String>,
    },
    /// Browser or driver died. All pending and later calls fail with this.
    #[error("the browser is gone ({what}); launch a new one. Last driver output: {}", tail(log))]
    BrowserGone {
        /// Which call noticed, and how the connection ended.
        what: String,
        /// The last lines of the driver's output.
        log: Vec<String>,
    },
    /// The page was closed, by the test or by itself.
    #[error("{action}: the page {page} is closed; open another with Context::new_page")]
    PageClosed {
        /// What was tried.
        action: String,
        /// Browsing context id.
        page: String,
    },
    /// A frame's element was removed, or the frame was asked for before its page went elsewhere.
    #[error(
        "{action}: the frame {frame} is gone; ask Page::frames anew, or use Page::frame_locator, which looks each time"
    )]
    FrameDetached {
        /// What was tried.
        action: String,
        /// Browsing context id.
        frame: String,
    },
    /// The process that drew the page died.
    #[error("{action}: the page {page} has crashed; load it again with Page::goto or Page::reload")]
    PageCrashed {
        /// What was tried.
        action: String,
        /// Browsing context id.
        page: String,
    },
    /// Time can't go on by order while the clock is the machine's.
    #[error("the clock is the machine's own; call Clock::install first")]
    ClockNotInstalled,
    /// The browser does not take a setting.
    #[error("cannot set {option}: {reason}; correct it")]
    OptionRefused {
        /// Its name.
        option: &'static str,
        /// The browser's words.
        reason: String,
    },
    /// A file with a storage state is of no use.
    #[error("cannot use the storage state file {}: {reason}; write it with StorageState::save", path.display())]
    StateFile {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A page did not load.
    #[error("cannot load {url}: {reason}; check the address and that its server is up")]
    Navigation {
        /// Where to.
        url: String,
        /// The browser's words.
        reason: String,
    },
    /// A body is not to be had.
    #[error("no body of {method} {url}: {reason}; ask for it while its page is open, once the answer has ended")]
    Body {
        /// HTTP method.
        method: String,
        /// Address.
        url: String,
        /// Why.
        reason: String,
    },
    /// A download came to nothing.
    #[error("the download {name:?} of {url} is not to be had: {reason}; look at the server's answer")]
    Download {
        /// Suggested file name.
        name: String,
        /// Address.
        url: String,
        /// Why.
        reason: String,
    },
    /// A file of the test can't be used.
    #[error("{action}: {}: {source}; check the path", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// An action or assertion did not come true in time.
    #[error("{action} did not succeed within {deadline:?}\n{log}")]
    Timeout {
        /// What was tried, with the locator.
        action: String,
        /// How long.
        deadline: Duration,
        /// What was seen meanwhile.
        log: CallLog,
    },
    /// A locator that must name one element names several.
    #[error(
        "{action}: the locator matches {count} elements; make it match one, for example by what stands behind each:{}",
        bullets(candidates)
    )]
    Strict {
        /// What was tried, with the locator.
        action: String,
        /// How many.
        count: usize,
        /// The first of them.
        candidates: Vec<String>,
    },
    /// Assertions that were collected did not hold.
    #[error("{} of {checked} soft assertions failed; each is to be put right:{}", failures.len(), bullets(failures))]
    Soft {
        /// How many were made.
        checked: usize,
        /// What did not hold, in order.
        failures: Vec<Error>,
    },
    /// The element can never take this action.
    #[error("{action}: {reason}")]
    Unsuitable {
        /// What was tried, with the locator.
        action: String,
        /// Why not, and what to use instead.
        reason: String,
    },
    /// A script of the test threw.
    #[error("the script failed: {text}{}; fix the script or the page it ran in", bullets(stack))]
    Script {
        /// What was thrown.
        text: String,
        /// Innermost first.
        stack: Vec<String>,
    },
    /// A key name that means no key.
    #[error("unknown key {key:?} in {combination:?}; use one character or one of: {known}")]
    UnknownKey {
        /// The part that is wrong.
        key: String,
        /// The whole.
        combination: String,
        /// Names that work.
        known: String,
    },
    /// The page's snapshot could not be read.
    #[error("cannot take the accessibility snapshot of {what}: {source}")]
    Snapshot {
        /// The locator.
        what: String,
        /// Why.
        source: aria::Error,
    },
    /// Processes outlived the browser. They have been killed.
    #[error("{} left after the browser was closed (killed now):{}", count(processes.len()), bullets(processes))]
    Leaked {
        /// Who.
        processes: Vec<Process>,
    },
    /// The browser's temporary folder could not be removed.
    #[error("the browser's folder {} is still there after {deadline:?}; remove it by hand", folder.display())]
    FolderLeft {
        /// Where.
        folder: PathBuf,
        /// How long was waited.
        deadline: Duration,
    },
    /// The protocol went wrong in a way no other variant describes.
    #[error(transparent)]
    Protocol(#[from] bidi::Error),
}

/// What an action or assertion saw while it waited: one line per change, the newest last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallLog(
    /// The lines.
    pub Vec<String>,
);

impl fmt::Display for CallLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            f.write_str("call log: nothing was seen")
        } else {
            write!(f, "call log:{}", bullets(&self.0))
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    if paths.is_empty() { "it in an empty search path".to_owned() } else { paths.join(", ") }
}

fn bullets(lines: &[impl fmt::Display]) -> String {
    lines.iter().map(|line| format!("\n  - {line}")).collect()
}

fn count(processes: usize) -> String {
    if processes == 1 { "one process was".to_owned() } else { format!("{processes} processes were") }
}

/// The last lines of the driver's output; all of it is in `Browser::driver_log`.
fn tail(log: &[String]) -> String {
    const SHOWN: usize = 12;
    if log.is_empty() { "none".to_owned() } else { bullets(&log[log.len().saturating_sub(SHOWN)..]) }
}
