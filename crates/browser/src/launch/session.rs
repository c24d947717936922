//! Opening the WebDriver session: the one thing that is done the classic way.

use super::{LaunchOptions, Output};
use crate::error::{Error, Result};
use fantoccini::error::NewSessionError;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Versions of the two programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// For example `156.0.8078.114`.
    pub browser: String,
    /// The driver's, of the same major version.
    pub driver: String,
}

/// A new session.
#[derive(Debug)]
pub(crate) struct Session {
    /// Ends the session; otherwise unused.
    pub(crate) client: Client,
    /// Address of the BiDi websocket.
    pub(crate) websocket: String,
    pub(crate) version: Version,
    /// Process id of the browser.
    pub(crate) pid: i32,
}

/// Where a session is opened, and with what.
#[derive(Debug)]
pub(crate) struct Opening<'a> {
    /// Address of the driver, such as `http://127.0.0.1:9515`.
    pub(crate) address: &'a str,
    /// The browser; the driver's own choice when `None`.
    pub(crate) chromium: Option<&'a Path>,
    /// Folder for its profile; the driver's own choice when `None`.
    pub(crate) profile: Option<PathBuf>,
    /// What the driver prints.
    pub(crate) output: &'a Output,
}

/// Starts the browser.
///
/// # Errors
/// [`Error::SessionNotCreated`], [`Error::VersionMismatch`].
pub(crate) async fn open(opening: Opening<'_>, options: &LaunchOptions) -> Result<Session> {
    let failed = |reason: String| match mismatch_in(&reason) {
        Some((driver, browser)) => Error::VersionMismatch { driver, browser },
        None => Error::SessionNotCreated { reason, log: opening.output.snapshot() },
    };
    let mut builder = ClientBuilder::new(HttpConnector::new());
    builder.capabilities(capabilities(&opening, options));
    let client = within(options.start_deadline, builder.connect(opening.address)).await.map_err(failed)?;
    let granted = Value::Object(client.capabilities().cloned().unwrap_or_default());
    let websocket = granted["webSocketUrl"].as_str().map(str::to_owned);
    let websocket = websocket.ok_or_else(|| failed("the driver offers no BiDi websocket".into()))?;
    let version = version_of(&granted)?;
    let pid = granted["goog:processID"].as_i64().unwrap_or_default() as i32;
    Ok(Session { client, websocket, version, pid })
}

async fn within<T>(
    deadline: Duration,
    connecting: impl Future<Output = Result<T, NewSessionError>>,
) -> Result<T, String> {
    match tokio::time::timeout(deadline, connecting).await {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(_) => Err(format!("no session within {deadline:?}")),
    }
}

fn capabilities(opening: &Opening<'_>, options: &LaunchOptions) -> Map<String, Value> {
    let mut args: Vec<String> = [
        // Nothing of its own accord: no pages, no questions, no traffic.
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-search-engine-choice-screen",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-sync",
        "--disable-quic",
        "--disable-breakpad",
        "--password-store=basic",
        "--use-mock-keychain",
        // Pages beside each other must all run at full speed.
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        // ChromeDriver forgets the frames of a page that comes back from this cache, and refuses the page with them.
        "--disable-back-forward-cache",
        // The same picture on every machine.
        "--force-color-profile=srgb",
        "--font-render-hinting=none",
        "--mute-audio",
    ]
    .map(str::to_owned)
    .into();
    args.extend(opening.profile.iter().map(|profile| format!("--user-data-dir={}", profile.display())));
    if !options.headed {
        args.push("--headless=new".into());
        // Pages are laid out over the whole width, and pictures show nothing but the page.
        args.push("--hide-scrollbars".into());
    }
    if nix::unistd::geteuid().is_root() {
        // Chromium's sandbox refuses to work for root.
        args.push("--no-sandbox".into());
    }
    args.extend(options.args.iter().cloned());
    let mut chrome = json!({ "args": args });
    if let Some(chromium) = opening.chromium {
        chrome["binary"] = chromium.display().to_string().into();
    }
    let wanted = json!({
        "webSocketUrl": true,
        // Dialogs are the test's business.
        "unhandledPromptBehavior": { "default": "ignore" },
        "goog:chromeOptions": chrome,
    });
    match wanted {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The versions in the capabilities granted.
///
/// # Errors
/// [`Error::VersionMismatch`] when they are known and differ in the major number.
fn version_of(granted: &Value) -> Result<Version> {
    let text = |value: &Value| value.as_str().unwrap_or_default().split(' ').next().unwrap_or_default().to_owned();
    let browser = text(&granted["browserVersion"]);
    let driver = text(&granted["chrome"]["chromedriverVersion"]);
    let major = |version: &str| version.split('.').next().unwrap_or_default().to_owned();
    if !driver.is_empty() && major(&browser) != major(&driver) {
        return Err(Error::VersionMismatch { driver, browser });
    }
    Ok(Version { browser, driver })
}

/// The versions in the driver's refusal: `This version of ChromeDriver only supports Chrome version
/// N` and `Current browser version is M with binary path …`.
fn mismatch_in(reason: &str) -> Option<(String, String)> {
    let after = |mark: &str| {
        let rest = reason.split_once(mark)?.1;
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        Some(rest[..end].trim_end_matches('.').to_owned())
    };
    Some((after("only supports Chrome version ")?, after("Current browser version is ").unwrap_or("unknown".into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn driver_refusal_names_both_versions() {
        let reason = "session not created: This version of ChromeDriver only supports Chrome version 150\n\
            Current browser version is 156.0.8078.114 with binary path /usr/bin/chromium";
        assert_eq!(mismatch_in(reason), Some(("150".into(), "156.0.8078.114".into())));
        assert_eq!(mismatch_in("session not created: Chrome failed to start"), None);
    }

    #[test]
    fn differing_major_versions_are_refused_and_minor_ones_are_not() {
        let granted =
            |driver: &str| json!({ "browserVersion": "156.0.1.2", "chrome": { "chromedriverVersion": driver } });
        assert!(version_of(&granted("156.0.9.9 (abc)")).is_ok());
        assert_eq!(
            version_of(&granted("150.0.1.2 (abc)")).unwrap_err().to_string(),
            "ChromeDriver 150.0.1.2 cannot drive Chromium 156.0.1.2: install both in the same major version"
        );
    }
}
