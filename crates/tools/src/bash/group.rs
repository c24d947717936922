//! A process group that can't outlive its owner.
//!
//! The group's leader is a guard: a shell that waits for the end of its standard input, whose other end only this
//! process holds. However this process ends, SIGKILL included, the kernel closes that end; the guard then kills its own
//! group, itself with it. Unlike a parent-death signal this reaches grandchildren too and does not depend on which
//! thread started what. The unreaped guard also keeps the group's id from being given to somebody else.
//!
//! A process that leaves the group (`setsid`) is out of reach.

use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::Instant;

/// How long killed members may take to be dead.
const DEATH_DEADLINE: Duration = Duration::from_secs(2);

/// Waits for the end of its input, deaf to what the group's members may send to the whole group.
const GUARD: &str = "trap '' HUP INT QUIT TERM USR1 USR2; read -r _; kill -KILL 0";

/// The group; dropping it kills every member.
pub(super) struct Group {
    guard: Child,
    id: Pid,
    // Held open for as long as the group may live.
    _lifeline: ChildStdin,
}

impl Group {
    /// Starts the guard with the shell at `shell`.
    pub(super) fn start(shell: &Path) -> io::Result<Self> {
        let mut guard = Command::new(shell)
            .args(["--noprofile", "--norc", "-c", GUARD])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let (Some(id), Some(lifeline)) = (guard.id(), guard.stdin.take()) else {
            return Err(io::Error::other("the guard of the process group ended at once"));
        };
        Ok(Self { guard, id: Pid::from_raw(id.cast_signed()), _lifeline: lifeline })
    }

    /// The group's id, for `process_group`.
    pub(super) fn id(&self) -> i32 {
        self.id.as_raw()
    }

    /// Kills every member. Only fails when there is none, which is what was wanted.
    pub(super) fn kill(&self) {
        // A reaped guard no longer reserves the id.
        if self.guard.id().is_some() {
            let _ = killpg(self.id, Signal::SIGKILL);
        }
    }

    /// Kills every member, reaps the guard and waits until the others are dead too.
    pub(super) async fn end(mut self) {
        self.kill();
        // SIGKILL can't be refused; an error means that it is reaped already.
        let _ = self.guard.wait().await;
        // A signalled process still needs to be scheduled to die, and nothing tells when somebody else's child has: so
        // look, a little later each time. A process stuck in the kernel is not waited for beyond the deadline.
        let deadline = Instant::now() + DEATH_DEADLINE;
        let mut pause = Duration::from_millis(1);
        while has_living_members(self.id) && Instant::now() < deadline {
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(Duration::from_millis(50));
        }
    }
}

/// Only asks: should the id belong to another group by now, nothing happens to it.
fn has_living_members(group: Pid) -> bool {
    // The usual case, without a look at every process.
    if killpg(group, None) == Err(Errno::ESRCH) {
        return false;
    }
    // What is there may be dead and only wait to be reaped by its parent.
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    processes.flatten().any(|process| {
        // `pid (name) state ppid pgrp …`; the name may hold anything.
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        let state = fields.next();
        let of_group = fields.nth(1).and_then(|pgrp| pgrp.parse().ok()) == Some(group.as_raw());
        of_group && !matches!(state, Some("Z" | "X"))
    })
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
