//! The process that cleans up after the browser, whatever happens to the test.

use crate::error::{Error, Result};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

// Reads the driver's process group, then waits for the pipe to close. The folder is also in the
// environment of every process of the browser, which finds those that left the group. Removing is
// repeated because a dying process may still be writing. When the test dies before it has read the
// folder's name, printing that must not end the watchdog.
const SCRIPT: &str = r#"
trap '' PIPE
dir=$(mktemp -d "$1/browser-XXXXXXXX") || exit 1
printf '%s\n' "$dir"
exec >/dev/null 2>&1
if read -r group; then
    read -r _
    kill -KILL "-$group"
fi
for file in $(grep -lsF -e "$dir" /proc/[0-9]*/environ); do
    pid=${file#/proc/}
    kill -KILL "${pid%/environ}"
done
tries=0
while rm -rf "$dir"; [ -e "$dir" ] && [ "$tries" -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.05
done
"#;

/// The watchdog. It cleans up as soon as this value is dropped or this process dies.
#[derive(Debug)]
pub(crate) struct Watchdog {
    child: Child,
    pipe: ChildStdin,
    folder: PathBuf,
}

impl Watchdog {
    /// Starts it; it makes a new private folder inside `temp_dir`.
    ///
    /// # Errors
    /// [`Error::Spawn`].
    pub(crate) fn start(temp_dir: &Path) -> Result<Self> {
        let failed = |source| Error::Spawn { program: "the watchdog (/bin/sh)".into(), source };
        let mut child = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "browser-watchdog"])
            .arg(temp_dir)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            // A kill of the test's whole group must not reach it.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (pipe, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(pipe), Some(stdout)) = (pipe, stdout) else { unreachable!("both were asked for") };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(failed)?;
        let folder = PathBuf::from(line.trim_end_matches('\n'));
        if folder.as_os_str().is_empty() {
            let _ = child.wait();
            let reason = format!("no folder can be made in {}", temp_dir.display());
            return Err(failed(std::io::Error::other(reason)));
        }
        Ok(Self { child, pipe, folder })
    }

    /// The browser's folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Tells which process group to kill at the end.
    ///
    /// # Errors
    /// When the watchdog is gone.
    pub(crate) fn guard(&mut self, group: i32) -> std::io::Result<()> {
        writeln!(self.pipe, "{group}")
    }

    /// Lets it clean up now and waits until it has.
    pub(crate) fn finish(mut self) {
        drop(self.pipe);
        let _ = self.child.wait();
    }
}
