//! How a browser is started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// How a browser is started. Nothing is read from the environment except by
/// [`from_env`](Self::from_env).
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The browser; looked for in `search_path` when `None`.
    pub chromium: Option<PathBuf>,
    /// The driver; looked for in `search_path` when `None`.
    pub chromedriver: Option<PathBuf>,
    /// Folders to look in, in the form of `PATH`. Also the `PATH` of the browser.
    pub search_path: OsString,
    /// Where the browser's temporary folder is made.
    pub temp_dir: PathBuf,
    /// Variables for the driver and the browser, which otherwise get a clean environment: `PATH`,
    /// a temporary `HOME` and `TMPDIR`, an UTF-8 locale.
    pub env: Vec<(OsString, OsString)>,
    /// Shows the windows instead of drawing them off screen.
    pub headed: bool,
    /// Waits this long before each action, for people who watch.
    pub slow_motion: Duration,
    /// More switches for the browser.
    pub args: Vec<String>,
    /// The attribute that `get_by_test_id` reads.
    pub test_id_attribute: String,
    /// Budget for starting driver and browser together.
    pub start_deadline: Duration,
    /// Default budget of an action or assertion.
    pub action_deadline: Duration,
    /// Budget for loading a page.
    pub navigation_deadline: Duration,
    /// Budget for ending everything.
    pub close_deadline: Duration,
}

impl LaunchOptions {
    /// Headless, with programs looked for in `search_path` and the folder made in `temp_dir`.
    pub fn new(search_path: impl Into<OsString>, temp_dir: impl Into<PathBuf>) -> Self {
        Self {
            chromium: None,
            chromedriver: None,
            search_path: search_path.into(),
            temp_dir: temp_dir.into(),
            env: Vec::new(),
            headed: false,
            slow_motion: Duration::ZERO,
            args: Vec::new(),
            test_id_attribute: "data-testid".to_owned(),
            start_deadline: Duration::from_secs(60),
            action_deadline: Duration::from_secs(10),
            navigation_deadline: Duration::from_secs(30),
            close_deadline: Duration::from_secs(10),
        }
    }

    /// Options from the environment of this process: `PATH` and the folder for temporary files;
    /// the variables `CHROMIUM` and `CHROMEDRIVER` name the programs; the variables of the screen
    /// (`DISPLAY` and such) are handed on, so that a headed browser finds it.
    pub fn from_env() -> Self {
        let program = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let screen = ["DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"];
        Self {
            chromium: program("CHROMIUM"),
            chromedriver: program("CHROMEDRIVER"),
            env: screen.iter().filter_map(|name| Some((name.into(), std::env::var_os(name)?))).collect(),
            ..Self::new(std::env::var_os("PATH").unwrap_or_default(), std::env::temp_dir())
        }
    }
}
