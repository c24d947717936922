use std::fmt;
use std::fs;
use std::path::Path;

/// Variable every tool process of a scaffold carries, with the scaffold's own value, so that a leaked one is known
/// again among the processes of scaffolds beside it.
pub const MARK_VARIABLE: &str = "DSH_SCAFFOLD";

/// A process that outlived its scaffold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeakedProcess {
    /// Process id.
    pub pid: i32,
    /// Its command line.
    pub command: String,
}

impl fmt::Display for LeakedProcess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "pid {} ({}) still ran; the scenario must end what it starts", self.pid, self.command)
    }
}

/// Live processes whose environment carries the mark, or that stand in a folder below `root`: what a tool starts has
/// both, and would have to shed both to be missed.
pub(crate) fn left_over(mark: &str, root: &Path) -> Vec<LeakedProcess> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            is_marked(*pid, mark)
                || fs::read_link(format!("/proc/{pid}/cwd")).is_ok_and(|folder| folder.starts_with(root))
        })
        .filter(|pid| !is_zombie(*pid))
        .map(|pid| LeakedProcess { pid, command: command_line(pid) })
        .collect()
}

/// Ends what was leaked, so that one scenario's leak does not burden the next. Only what carries the mark: a person's
/// shell that stands in the workspace is reported, and theirs.
pub(crate) fn kill(leaks: &[LeakedProcess], mark: &str) {
    for leak in leaks.iter().filter(|leak| is_marked(leak.pid, mark)) {
        // Gone already is as good as killed.
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(leak.pid), nix::sys::signal::Signal::SIGKILL);
    }
}

fn is_marked(pid: i32, mark: &str) -> bool {
    let wanted = format!("{MARK_VARIABLE}={mark}");
    fs::read(format!("/proc/{pid}/environ"))
        .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes()))
}

fn is_zombie(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .ok()
        .and_then(|stat| stat.rsplit(')').next().map(|rest| rest.trim_start().starts_with('Z')))
        .unwrap_or(true)
}

fn command_line(pid: i32) -> String {
    let raw = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&raw).split('\0').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
