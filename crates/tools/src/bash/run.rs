//! One command from start to the end of its last process.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::process::Command;
use tokio::time::{Instant, timeout_at};

use super::capture::Capture;
use super::group::{DEATH_DEADLINE, Group};
use crate::{Invocation, ToolOutput};

/// How long children that outlive the shell may go on writing (a process substitution ends just after it), and how long
/// the pipe of a killed group may take to end. Whatever the shell and its foreground commands wrote is in the pipe by
/// then and never depends on this time.
const BACKGROUND_GRACE: Duration = Duration::from_millis(250);

enum End {
    Exited(ExitStatus),
    TimedOut,
    Cancelled,
}

/// What the end of the shell left over.
#[derive(Clone, Copy, Default)]
struct Leftovers {
    /// Processes outlived the shell, which had ended by itself.
    background: bool,
    /// Killed processes are not dead.
    stuck: bool,
    /// A process out of reach holds the output.
    escaped: bool,
}

pub(super) async fn run(command: &str, timeout: Duration, limit: usize, invocation: &Invocation) -> ToolOutput {
    if !invocation.cwd.is_dir() {
        return ToolOutput::error(format!(
            "the working directory {} is gone; make it again or work in another session.",
            invocation.cwd.display()
        ));
    }
    let Some(shell) = find_shell(invocation.env.get("PATH").map_or("/usr/bin:/bin", String::as_str)) else {
        return ToolOutput::error("there is no bash on PATH; install bash or correct PATH.");
    };
    let (mut group, mut pipe) = match start(&shell, command, invocation) {
        Ok(started) => started,
        Err(error) => return ToolOutput::error(format!("bash could not be started: {error}.")),
    };

    let deadline = Instant::now() + timeout;
    let mut capture = Capture::new(limit);
    let mut open = true;
    let end = {
        let exit = group.wait();
        tokio::pin!(exit);
        loop {
            tokio::select! {
                biased;
                () = invocation.cancel.cancelled() => break Ok(End::Cancelled),
                status = &mut exit => break status.map(End::Exited),
                () = tokio::time::sleep_until(deadline) => break Ok(End::TimedOut),
                more = read(&mut pipe, &mut capture), if open => open = more,
            }
        }
    };
    let mut left = Leftovers::default();
    if open && matches!(end, Ok(End::Exited(_))) {
        open = !read_rest(&mut pipe, &mut capture).await;
        left.background = open;
    }
    left.stuck = !group.end().await;
    // Nobody should be left to write: a pipe that does not end is held by a process that left the group.
    left.escaped = !left.stuck && open && !read_rest(&mut pipe, &mut capture).await;
    report(end, capture, left, timeout)
}

/// Starts the guard, then the shell as a member of its group, both ends of the shell's output in one pipe.
fn start(shell: &Path, command: &str, invocation: &Invocation) -> io::Result<(Group, pipe::Receiver)> {
    let (reader, writer) = io::pipe()?;
    let mut group = Group::start(shell)?;
    group.spawn(
        Command::new(shell)
            .env_clear()
            .envs(&invocation.env)
            .current_dir(&invocation.cwd)
            .stdout(writer.try_clone()?)
            .stderr(writer),
        command,
    )?;
    Ok((group, pipe::Receiver::from_owned_fd(OwnedFd::from(reader))?))
}

/// `bash` in the directories of `path`, looked up here because the guard runs without an environment.
fn find_shell(path: &str) -> Option<PathBuf> {
    path.split(':')
        .filter(|part| part.starts_with('/'))
        .map(|part| Path::new(part).join("bash"))
        .find(|at| at.is_file())
}

/// Reads what is there; false at the end. A pipe that can't be read is at its end.
async fn read(pipe: &mut pipe::Receiver, capture: &mut Capture) -> bool {
    let mut buffer = [0; 16 * 1024];
    match pipe.read(&mut buffer).await {
        Ok(0) | Err(_) => false,
        Ok(count) => {
            capture.push(&buffer[..count]);
            true
        }
    }
}

/// Reads to the end, for [`BACKGROUND_GRACE`] at most; true when the end was there by then. A process that left the
/// group may hold the pipe open, and write, for ever.
async fn read_rest(pipe: &mut pipe::Receiver, capture: &mut Capture) -> bool {
    let rest = async { while read(pipe, capture).await {} };
    timeout_at(Instant::now() + BACKGROUND_GRACE, rest).await.is_ok()
}

fn report(end: io::Result<End>, capture: Capture, left: Leftovers, timeout: Duration) -> ToolOutput {
    let killed = match left {
        Leftovers { stuck: false, escaped: false, .. } => "everything it started was killed",
        _ => "what could be reached was killed",
    };
    let (mut content, omitted) = capture.finish();
    let mut meta = json!({});
    let mut notes = Vec::new();
    let mut is_error = true;
    match end {
        Ok(End::Exited(status)) => match (status.code(), status.signal()) {
            (Some(0), _) => {
                meta["exitCode"] = json!(0);
                is_error = false;
            }
            (Some(code), _) => {
                meta["exitCode"] = json!(code);
                notes.push(format!("[exit code {code}]"));
                // The tool did its work; the code is the command's own answer (`grep` says 1 for "nothing found").
                is_error = false;
            }
            (None, signal) => {
                let signal = signal.unwrap_or_default();
                meta["signal"] = json!(signal);
                notes.push(format!("[killed by signal {signal}]"));
            }
        },
        Ok(End::TimedOut) => {
            meta["timedOut"] = json!(true);
            notes.push(format!(
                "[stopped after {} ms, its deadline; {killed}. Ask for a longer `timeout_ms` or split the work.]",
                timeout.as_millis()
            ));
        }
        Ok(End::Cancelled) => {
            meta["cancelled"] = json!(true);
            notes.push(format!("[cancelled; {killed}]"));
        }
        Err(error) => notes.push(format!("[how it ended is unknown: {error}]")),
    }
    if left.background {
        meta["backgroundKilled"] = json!(true);
        notes.push(
            "[processes outlived the shell; their process group was killed, as each call ends with what it started]"
                .into(),
        );
    }
    if left.stuck {
        meta["stuck"] = json!(true);
        notes.push(format!(
            "[some of its processes were killed but are not dead after {} s: they are stuck in the kernel, as on a disk \
             that does not answer, and may still finish what they do]",
            DEATH_DEADLINE.as_secs()
        ));
    }
    if left.escaped {
        meta["escaped"] = json!(true);
        notes.push(
            "[a process that left the call's process group (`setsid`) still runs and holds its output; find it with \
             `ps` and end it by its id]"
                .into(),
        );
    }
    if omitted > 0 {
        meta["omittedBytes"] = json!(omitted);
    }
    if content.is_empty() && notes.is_empty() {
        notes.push("(no output)".to_owned());
    }
    if !notes.is_empty() {
        if !content.is_empty() && !content.ends_with('\n') {
            content.push('\n');
        }
        content.push_str(&notes.join("\n"));
    }
    ToolOutput { content, is_error, meta: Some(meta) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_do_not_die_are_told() {
        let left = Leftovers { stuck: true, ..Leftovers::default() };
        let output = report(Ok(End::Cancelled), Capture::new(8), left, Duration::ZERO);
        assert_eq!(
            output.content,
            "[cancelled; what could be reached was killed]\n[some of its processes were killed but are not dead after \
             2 s: they are stuck in the kernel, as on a disk that does not answer, and may still finish what they do]"
        );
        assert!(output.is_error);
    }
}
