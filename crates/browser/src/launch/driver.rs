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
use tokio::time::{Instant, timeout_at};

// The driver waits here until the watchdog knows its process group; without the word it never
// starts.
const GATE: &str = r#"read -r go && exec "$@" </dev/null"#;

const PORT_TAKEN: &str = "port not available";

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
    /// [`Error::Spawn`], [`Error::DriverStart`], [`Error::DriverEnded`].
    pub(crate) async fn start(program: &Path, options: &LaunchOptions) -> Result<Self> {
        let end = Instant::now() + options.start_deadline;
        loop {
            match Self::start_once(program, options, end).await {
                // The driver takes a port that is free for IPv6 and gives up when the number is in use for IPv4: nothing
                // of ours can prevent that, and each start takes another number.
                Err(Error::DriverEnded { log, .. }) if log.iter().any(|line| line.contains(PORT_TAKEN)) => {}
                other => return other,
            }
        }
    }

    async fn start_once(program: &Path, options: &LaunchOptions, end: Instant) -> Result<Self> {
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
        let (stderr_open, stderr_ended) = oneshot::channel::<()>();
        output.collect(stderr, move |_| {
            let _ = &stderr_open;
        });
        // From here on dropping it cleans up.
        let running = Mutex::new(Some(Running { child, watchdog }));
        let mut driver = Self { group, folder, port: 0, output, running };
        opened.map_err(failed)?;
        match timeout_at(end, port).await {
            Ok(Ok(port)) => driver.port = port,
            // Its output ended without a port: no need to wait on.
            Ok(Err(_)) => {
                let ended = timeout_at(end, async {
                    let _ = stderr_ended.await;
                    driver.exit_status().await
                });
                if let Ok(status) = ended.await {
                    let (program, log) = (program.display().to_string(), driver.output.snapshot());
                    return Err(Error::DriverEnded { program, status, log });
                }
                return Err(driver.not_ready(program, options));
            }
            Err(_) => return Err(driver.not_ready(program, options)),
        }
        Ok(driver)
    }

    fn not_ready(&self, program: &Path, options: &LaunchOptions) -> Error {
        let (program, log) = (program.display().to_string(), self.output.snapshot());
        Error::DriverStart { program, deadline: options.start_deadline, log }
    }

    /// How the driver ended, once it has.
    async fn exit_status(&self) -> String {
        loop {
            if let Some(running) = self.running.lock().unwrap_or_else(PoisonError::into_inner).as_mut()
                && let Ok(Some(status)) = running.child.try_wait()
            {
                return status.to_string();
            }
            // Its output has ended, so this is a matter of moments; signals of children are the program's, not ours.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
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
    async fn driver_that_ends_at_once_is_reported_with_its_status_and_output() {
        let (folder, program) = fake_driver("echo cannot bind >&2; exit 3");
        let error = Driver::start(&program, &options(&folder)).await.unwrap_err().to_string();
        let program = program.display();
        assert_eq!(
            error,
            format!(
                "{program} ended with exit status: 3 before it reported its port; check that it is ChromeDriver; \
                 its output: \n  - cannot bind"
            )
        );
        let (folder, program) = fake_driver("");
        let error = Driver::start(&program, &options(&folder)).await.unwrap_err().to_string();
        assert!(error.ends_with(" ended with exit status: 0 before it reported its port; check that it is ChromeDriver; its output: none"), "{error}");
    }

    #[tokio::test]
    async fn silent_driver_is_given_up_at_the_deadline() {
        for script in ["exec sleep 60", "exec >&- 2>&-; exec sleep 60"] {
            let (folder, program) = fake_driver(script);
            let options = LaunchOptions { start_deadline: Duration::from_millis(200), ..options(&folder) };
            let error = Driver::start(&program, &options).await.unwrap_err().to_string();
            let end = "did not report its port within 200ms; check that it is ChromeDriver; its output: none";
            assert!(error.ends_with(end), "{error}");
        }
    }

    #[tokio::test]
    async fn driver_that_lost_its_port_to_another_program_is_started_again() {
        let (folder, program) = fake_driver(
            r#"touch "$0.$$"; if [ $(ls "$0".* | wc -l) -lt 3 ]; then echo 'IPv4 port not available. Exiting...'; exit 1; fi
            echo ChromeDriver was started successfully on port 9.; sleep 60"#,
        );
        let driver = Driver::start(&program, &options(&folder)).await.unwrap();
        assert_eq!(driver.port(), 9);
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
