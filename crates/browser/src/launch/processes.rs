//! Which processes belong to a browser.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A live process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// Process id.
    pub pid: i32,
    /// Its command line, shortened.
    pub command: String,
}

impl fmt::Display for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pid, self.command)
    }
}

impl Process {
    /// Ends it. One that is gone already is what we want.
    pub(crate) fn kill(&self) {
        let _ = kill(Pid::from_raw(self.pid), Signal::SIGKILL);
    }
}

/// Live processes that are in `group` or were started with `folder` in their environment: the
/// crash handlers leave the group, the sandboxed children hide their environment. Zombies do
/// nothing any more and are left out.
pub(crate) fn of(group: i32, folder: &Path) -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut found: Vec<Process> = pids.filter_map(|pid| belonging(pid, group, folder)).collect();
    found.sort_by_key(|process| process.pid);
    found
}

fn belonging(pid: i32, group: i32, folder: &Path) -> Option<Process> {
    let file = |name: &str| std::fs::read(format!("/proc/{pid}/{name}"));
    let stat = String::from_utf8_lossy(&file("stat").ok()?).into_owned();
    let (state, process_group) = state_and_group(&stat)?;
    if matches!(state, 'Z' | 'X') {
        return None;
    }
    if process_group != group {
        let environment = file("environ").ok()?;
        let marker = folder.as_os_str().as_bytes();
        environment.windows(marker.len()).find(|window| *window == marker)?;
    }
    let command = String::from_utf8_lossy(&file("cmdline").ok()?).replace('\0', " ");
    Some(Process { pid, command: command.chars().take(120).collect::<String>().trim_end().to_owned() })
}

/// Fields 3 and 5 of `/proc/PID/stat`. The name in field 2 may hold spaces and parentheses.
fn state_and_group(stat: &str) -> Option<(char, i32)> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_name_with_parentheses_does_not_shift_the_fields() {
        assert_eq!(state_and_group("12 (a) b (c)) S 1 34 5 6"), Some(('S', 34)));
    }

    #[test]
    fn process_is_found_by_its_environment_outside_the_group() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .env_clear()
            .env("HOME", "/tmp/browser-marker-of-this-test")
            .spawn()
            .unwrap();
        let found = of(-1, Path::new("/tmp/browser-marker-of-this-test"));
        child.kill().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        assert_eq!(found.iter().map(|process| process.pid as u32).collect::<Vec<_>>(), [pid]);
    }
}
