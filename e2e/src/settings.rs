use std::path::{Path, PathBuf};
use std::time::Duration;

use browser::LaunchOptions;
use scaffold::Provider;

/// Who may write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapshotMode {
    /// Compare only.
    #[default]
    Replay,
    /// Write goldens from replayed fixtures.
    Refresh,
    /// Write fixtures from a real provider, with a key.
    Record,
}

/// What the person who runs the lane decided, read once at start.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `DSH_SNAPSHOT`.
    pub mode: SnapshotMode,
    /// `DSH_KEEP=1`: server and browser stay up after the scenario until Ctrl-C.
    pub keep: bool,
    /// Folder of goldens, one folder a scenario.
    pub goldens: PathBuf,
    /// Folder of fixtures, one folder a scenario.
    pub fixtures: PathBuf,
    /// Folder of this run's report (`DSH_REPORT_DIR`, else one of its own under `target/lane/`).
    pub report: PathBuf,
    /// The provider to record from.
    pub provider: Option<Provider>,
    /// How the browser is started; `DSH_HEADED` and `DSH_SLOWMO` are in it.
    pub browser: LaunchOptions,
    /// Longest a scenario may take, apart from the budgets of its single waits.
    pub scenario_deadline: Duration,
}

/// A setting that does not make sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// `DSH_SNAPSHOT` has an unknown value.
    #[error(
        "DSH_SNAPSHOT={0:?} is not a mode; the three are: replay (compare, the default), refresh (write goldens), \
         record (write fixtures, needs DEEPSEEK_API_KEY)"
    )]
    Mode(String),
    /// A variable that is on or off has another value.
    #[error("{name}={value:?} is neither 1 nor 0; use {name}=1 to switch it on")]
    Switch {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// `DSH_SLOWMO` is not a number.
    #[error("DSH_SLOWMO={0:?} is not a whole number of milliseconds; for example DSH_SLOWMO=250")]
    SlowMotion(String),
    /// Recording without a key.
    #[error("DSH_SNAPSHOT=record talks to the real provider and needs DEEPSEEK_API_KEY")]
    RecordWithoutKey,
}

impl Settings {
    /// Reads the environment of the process.
    pub fn from_env() -> Result<Self, SettingsError> {
        Self::read(LaunchOptions::from_env(), |name| std::env::var_os(name)?.into_string().ok())
    }

    /// Reads variables from `lookup`; `browser` says how to start the browser otherwise. An empty value is as good as
    /// none.
    pub fn read(browser: LaunchOptions, lookup: impl Fn(&str) -> Option<String>) -> Result<Self, SettingsError> {
        let value = |name: &str| lookup(name).filter(|value| !value.is_empty());
        let switch = |name: &'static str| match value(name).as_deref() {
            None | Some("0") => Ok(false),
            Some("1") => Ok(true),
            Some(other) => Err(SettingsError::Switch { name, value: other.to_owned() }),
        };
        let mode = match value("DSH_SNAPSHOT").as_deref() {
            None | Some("replay") => SnapshotMode::Replay,
            Some("refresh") => SnapshotMode::Refresh,
            Some("record") => SnapshotMode::Record,
            Some(other) => return Err(SettingsError::Mode(other.to_owned())),
        };
        let provider = value("DEEPSEEK_API_KEY")
            .map(|api_key| Provider { api_key, base_url: value("DEEPSEEK_BASE_URL") })
            .filter(|_| mode == SnapshotMode::Record);
        if mode == SnapshotMode::Record && provider.is_none() {
            return Err(SettingsError::RecordWithoutKey);
        }
        let slow_motion = match value("DSH_SLOWMO") {
            None => Duration::ZERO,
            Some(text) => match text.parse() {
                Ok(milliseconds) => Duration::from_millis(milliseconds),
                Err(_) => return Err(SettingsError::SlowMotion(text)),
            },
        };
        let headed = switch("DSH_HEADED")?;
        let root = workspace_root();
        Ok(Self {
            mode,
            keep: switch("DSH_KEEP")?,
            goldens: root.join("goldens"),
            fixtures: root.join("fixtures"),
            report: value("DSH_REPORT_DIR").map_or_else(own_report_folder, PathBuf::from),
            provider,
            browser: LaunchOptions { headed, slow_motion, ..browser },
            scenario_deadline: Duration::from_secs(90),
        })
    }
}

fn workspace_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the lane lies in a workspace")
}

/// `<target>/lane/<seconds>-<pid>`: no two runs share a folder.
fn own_report_folder() -> PathBuf {
    let target = std::env::current_exe()
        .ok()
        .and_then(|exe| exe.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists()).map(Path::to_owned))
        .unwrap_or_else(|| workspace_root().join("target"));
    let seconds =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    target.join("lane").join(format!("{seconds}-{}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, SettingsError> {
        let pairs: Vec<(String, String)> = pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        Settings::read(LaunchOptions::new("", ""), move |name| {
            pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
        })
    }

    #[test]
    fn nothing_set_means_compare_only() {
        let settings = read(&[]).expect("defaults");
        assert_eq!(settings.mode, SnapshotMode::Replay);
        assert!(!settings.browser.headed && !settings.keep && settings.browser.slow_motion.is_zero());
    }

    #[test]
    fn an_unknown_mode_names_the_three() {
        let message = read(&[("DSH_SNAPSHOT", "update")]).expect_err("unknown").to_string();
        for word in ["\"update\"", "replay", "refresh", "record"] {
            assert!(message.contains(word), "{message}");
        }
    }

    #[test]
    fn record_without_a_key_is_refused_before_boot() {
        assert_eq!(read(&[("DSH_SNAPSHOT", "record")]).expect_err("no key"), SettingsError::RecordWithoutKey);
        let settings = read(&[("DSH_SNAPSHOT", "record"), ("DEEPSEEK_API_KEY", "k")]).expect("with key");
        assert!(settings.provider.is_some());
    }

    #[test]
    fn a_key_lying_around_is_not_used_for_replay() {
        assert!(read(&[("DEEPSEEK_API_KEY", "k")]).expect("replay").provider.is_none());
    }

    #[test]
    fn switches_and_numbers_say_what_they_take() {
        assert_eq!(
            read(&[("DSH_KEEP", "yes")]).expect_err("yes").to_string(),
            "DSH_KEEP=\"yes\" is neither 1 nor 0; use DSH_KEEP=1 to switch it on"
        );
        assert!(read(&[("DSH_SLOWMO", "fast")]).expect_err("fast").to_string().contains("milliseconds"));
        assert_eq!(read(&[("DSH_SLOWMO", "250")]).expect("250").browser.slow_motion, Duration::from_millis(250));
    }
}
