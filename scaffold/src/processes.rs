use std::fmt;
use std::fs;

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

/// Live processes whose environment carries the mark.
pub(crate) fn marked(mark: &str) -> Vec<LeakedProcess> {
    let wanted = format!("{MARK_VARIABLE}={mark}");
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|pid| {
            fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|environ| environ.split(|byte| *byte == 0).any(|pair| pair == wanted.as_bytes()))
        })
        .filter(|pid| !is_zombie(*pid))
        .map(|pid| LeakedProcess { pid, command: command_line(pid) })
        .collect()
}

/// Ends what was leaked, so that one scenario's leak does not burden the next.
pub(crate) fn kill(leaks: &[LeakedProcess]) {
    for leak in leaks {
        // Gone already is as good as killed.
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(leak.pid), nix::sys::signal::Signal::SIGKILL);
    }
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
