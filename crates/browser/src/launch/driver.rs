//! The driver process.

use super::processes::{self, Process};
use super::watchdog::Watchdog;
use super::{LaunchOptions, Output};
use crate::error::{Error, Result};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

// The driver waits here until the watchdog knows its process group; without the word it never
// starts.
const GATE: &str = r#"read -r go && exec "$@" </dev/null"#;

/// A running driver with everything it starts. Dropping it kills all of that.
#[derive(Debug)]
pub(crate) struct Driver {
    group: i32,
    folder: PathBuf,
    port: u16,
    output: Arc<Output>,
    // Taken when ended.
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    watchdog: Watchdog,
}

impl Driver {
    /// Starts `program` on a free port and waits until it listens.
    ///
    /// # Errors
    /// [`Error::Spawn`], [`Error::DriverStart`].
    pub(crate) async fn start(program: &Path, options: &LaunchOptions) -> Result<Self> {
        let failed = |source| Error::Spawn { program: program.display().to_string(), source };
        let mut watchdog = Watchdog::start(&options.temp_dir)?;
        let folder = watchdog.folder().to_owned();
        let mut child = Command::new("/bin/sh")
            .args(["-c", GATE, "browser-gate"])
            .arg(program)
            .arg("--port=0")
            .env_clear()
            .env("PATH", &options.search_path)
            .env("LC_ALL", "C.UTF-8")
            .envs(options.env.iter().map(|(name, value)| (name, value)))
            .env("HOME", &folder)
            .env("TMPDIR", &folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let group = child.id() as i32;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut gate), Some(stdout), Some(stderr)) = pipes else { unreachable!("all were asked for") };
        let opened = watchdog.guard(group).and_then(|()| gate.write_all(b"go\n"));
        drop(gate);

        let output = Arc::new(Output::default());
        let (sender, port) = oneshot::channel();
        let mut sender = Some(sender);
        output.collect(stdout, move |line| {
            if let Some(port) = port_in(line)
                && let Some(sender) = sender.take()
            {
                let _ = sender.send(port);
            }
        });
        output.collect(stderr, |_| {});
        // From here on dropping it cleans up.
        let running = Mutex::new(Some(Running { child, watchdog }));
        let mut driver = Self { group, folder, port: 0, output, running };
        opened.map_err(failed)?;
        // An error of the channel means that the output ended without a port: no need to wait on.
        match tokio::time::timeout(options.start_deadline, port).await {
            Ok(Ok(port)) => driver.port = port,
            Ok(Err(_)) | Err(_) => {
                return Err(Error::DriverStart {
                    program: program.display().to_string(),
                    deadline: options.start_deadline,
                    log: driver.output.snapshot(),
                });
            }
        }
        Ok(driver)
    }

    /// Where the driver listens.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Process id of the driver, which is its process group too.
    pub(crate) fn group(&self) -> i32 {
        self.group
    }

    /// The folder all its files are in.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What driver and browser print.
    pub(crate) fn output(&self) -> &Arc<Output> {
        &self.output
    }

    /// All live processes of driver and browser.
    pub(crate) fn processes(&self) -> Vec<Process> {
        processes::of(self.group, &self.folder)
    }

    /// Ends the driver, whose session has been ended already, and waits until all processes and
    /// the folder are gone.
    ///
    /// # Errors
    /// [`Error::Leaked`], [`Error::FolderLeft`].
    pub(crate) async fn end(&self, deadline: Duration) -> Result<()> {
        let until = Instant::now() + deadline;
        // Only the driver: the browser must end by itself, or it is a leak.
        let _ = kill(Pid::from_raw(self.group), Signal::SIGTERM);
        let mut left = self.processes();
        while !left.is_empty() && Instant::now() < until {
            // Other people's children can't be waited for; their end shows in the table only.
            tokio::time::sleep(Duration::from_millis(10)).await;
            left = self.processes();
        }
        left.iter().for_each(Process::kill);
        if let Some(Running { mut child, watchdog }) = self.take() {
            let cleaning = tokio::task::spawn_blocking(move || {
                let _ = child.wait();
                watchdog.finish();
            });
            let _ = tokio::time::timeout(deadline, cleaning).await;
        }
        if !left.is_empty() {
            return Err(Error::Leaked { processes: left });
        }
        if self.folder.exists() {
            return Err(Error::FolderLeft { folder: self.folder.clone(), deadline });
        }
        Ok(())
    }

    /// Kills all processes at once.
    pub(crate) fn kill(&self) {
        let _ = killpg(Pid::from_raw(self.group), Signal::SIGKILL);
    }

    fn take(&self) -> Option<Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(Running { mut child, watchdog }) = self.take() {
            self.kill();
            // Removing the folder takes a while, and a drop must not block the runtime.
            std::thread::spawn(move || {
                let _ = child.wait();
                watchdog.finish();
            });
        }
    }
}

/// The port in the driver's line `ChromeDriver was started successfully on port N.`. An earlier
/// line names the port asked for, which is 0.
fn port_in(line: &str) -> Option<u16> {
    line.split_once("started successfully on port ")?.1.trim_end_matches('.').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn fake_driver(script: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("chromedriver");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        (folder, program)
    }

    fn options(folder: &tempfile::TempDir) -> LaunchOptions {
        LaunchOptions { start_deadline: Duration::from_secs(20), ..LaunchOptions::new("/usr/bin:/bin", folder.path()) }
    }

    #[test]
    fn port_is_read_from_the_success_line_only() {
        assert_eq!(port_in("Starting ChromeDriver 156.0 (abc) on port 0"), None);
        assert_eq!(port_in("ChromeDriver was started successfully on port 43211."), Some(43211));
    }

    #[tokio::test]
    async fn driver_that_ends_at_once_is_reported_with_its_output_before_the_deadline() {
        let (folder, program) = fake_driver("echo cannot bind >&2; exit 3");
        let started = Instant::now();
        let error = Driver::start(&program, &options(&folder)).await.unwrap_err();
        assert!(started.elapsed() < Duration::from_secs(10));
        assert!(error.to_string().contains("did not report its port"), "{error}");
    }

    #[tokio::test]
    async fn silent_driver_is_given_up_at_the_deadline() {
        let (folder, program) = fake_driver("exec sleep 60");
        let options = LaunchOptions { start_deadline: Duration::from_millis(200), ..options(&folder) };
        let error = Driver::start(&program, &options).await.unwrap_err().to_string();
        assert!(error.ends_with("did not report its port within 200ms; its output:  none"), "{error}");
    }

    #[tokio::test]
    async fn process_that_stays_is_named_as_leaked_and_killed() {
        let (folder, program) = fake_driver(
            "setsid sleep 61 & echo ChromeDriver was started successfully on port 9.; trap 'exit 0' TERM; while :; do sleep 0.05; done",
        );
        let driver = Driver::start(&program, &options(&folder)).await.unwrap();
        assert_eq!(driver.port(), 9);
        let error = driver.end(Duration::from_millis(500)).await.unwrap_err().to_string();
        assert!(error.contains("left after the browser was closed (killed now):"), "{error}");
        assert!(error.contains("sleep 61"), "{error}");
        assert!(driver.processes().is_empty());
        assert!(!driver.folder().exists());
    }
}
