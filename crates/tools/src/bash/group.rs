//! A shell and its process group, which can't outlive their owner.
//!
//! The group's leader is a guard: a shell that waits for the end of its standard input, whose other end only this
//! process holds. However this process ends, SIGKILL included, the kernel closes that end; the guard then kills its own
//! group, itself with it. Unlike a parent-death signal this reaches grandchildren too and does not depend on which
//! thread started what. The unreaped guard also keeps the group's id from being given to somebody else.
//!
//! The shell itself is killed by its id as well, with the group it may lead by then: `bash -c 'setsid X'` becomes
//! `setsid X` without a fork and so leaves the guard's group. The guard knows that id too.
//!
//! Out of reach is what leaves the group after a fork (`setsid X &`, a daemon), and what the shell left in a session of
//! its own once it has ended by itself.

use std::io::{self, PipeWriter, Write};
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio::time::{Instant, timeout_at};

/// How long killed members may take to be dead.
pub(super) const DEATH_DEADLINE: Duration = Duration::from_secs(2);

/// Waits for the end of its input, deaf to what the group's members may send to the whole group. Each line is the id of
/// the shell to kill then, an empty one that there is none any more.
const GUARD: &str = r#"trap '' HUP INT QUIT TERM USR1 USR2
shell=
while read -r line; do shell=$line; done
[ -n "$shell" ] && kill -KILL -- "-$shell" "$shell"
kill -KILL 0"#;

/// Tells the guard the shell's id through its input, which is the lifeline, and becomes the shell. Told from inside and
/// before the command, so that there is no moment at which the command could have left a group whose guard does not know.
const ENROL: &str = r#"echo $$ >&0; exec "$0" --noprofile --norc -c "$1" </dev/null"#;

/// The guard, its group and the shell; dropping it kills every member.
pub(super) struct Group {
    guard: Child,
    id: Pid,
    /// Owned here because its id must not be free for somebody else while [`Group::kill`] may use it.
    shell: Option<Child>,
    /// Held open for as long as the group may live.
    lifeline: PipeWriter,
}

impl Group {
    /// Starts the guard with the bash at `bash`.
    pub(super) fn start(bash: &Path) -> io::Result<Self> {
        let (input, lifeline) = io::pipe()?;
        let guard = Command::new(bash)
            .args(["--noprofile", "--norc", "-c", GUARD])
            .env_clear()
            .current_dir("/")
            .stdin(input)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let Some(id) = pid_of(&guard) else {
            return Err(io::Error::other("the guard of the process group ended at once"));
        };
        Ok(Self { guard, id, shell: None, lifeline })
    }

    /// Starts the shell as a member, `bash` with `command` as its command line and no input. Once a group.
    pub(super) fn spawn(&mut self, bash: &mut Command, command: &str) -> io::Result<()> {
        let path = bash.as_std().get_program().to_owned();
        bash.args(["--noprofile", "--norc", "-c", ENROL]).arg(path).arg(command);
        self.shell = Some(bash.stdin(self.lifeline.try_clone()?).process_group(self.id.as_raw()).spawn()?);
        Ok(())
    }

    /// Waits for the end of the shell. May be dropped and called again.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        let Some(shell) = &mut self.shell else { return Err(io::Error::other("no shell was started")) };
        let status = shell.wait().await?;
        // Its id is free from here on. A guard that is gone does not need to know.
        let _ = writeln!(self.lifeline);
        Ok(status)
    }

    /// The shell that is not reaped yet.
    fn shell_id(&self) -> Option<Pid> {
        self.shell.as_ref().and_then(pid_of)
    }

    /// Kills every member, and the shell with what it leads wherever it went. Errors say that there is none, which is
    /// what was wanted.
    fn kill(&self) {
        if let Some(shell) = self.shell_id() {
            let _ = killpg(shell, Signal::SIGKILL);
            let _ = kill(shell, Signal::SIGKILL);
        }
        // A reaped guard no longer reserves the id.
        if self.guard.id().is_some() {
            let _ = killpg(self.id, Signal::SIGKILL);
        }
    }

    /// Kills every member, reaps guard and shell and waits until the others are dead too; false when some are not
    /// within [`DEATH_DEADLINE`].
    pub(super) async fn end(mut self) -> bool {
        self.kill();
        self.dead_by(Instant::now() + DEATH_DEADLINE).await
    }

    /// True once guard, shell and all members are dead; false when they are not in time. SIGKILL can't be refused, but a
    /// process stuck in the kernel dies only when it comes out.
    async fn dead_by(&mut self, deadline: Instant) -> bool {
        let groups = [Some(self.id), self.shell_id()];
        // An error of a wait means that it is reaped already.
        if let Some(shell) = &mut self.shell
            && timeout_at(deadline, shell.wait()).await.is_err()
        {
            return false;
        }
        if timeout_at(deadline, self.guard.wait()).await.is_err() {
            return false;
        }
        // A signalled process still needs to be scheduled to die, and nothing tells when somebody else's child has: so
        // look, a little later each time.
        let mut pause = Duration::from_millis(1);
        while groups.into_iter().flatten().any(has_living_members) {
            if Instant::now() >= deadline {
                return false;
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(Duration::from_millis(50));
        }
        true
    }
}

/// Of a child that is not reaped yet.
fn pid_of(child: &Child) -> Option<Pid> {
    child.id().map(|id| Pid::from_raw(id.cast_signed()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_does_not_die_is_waited_for_until_the_deadline_only() {
        let bash = Path::new("/bin/bash");
        let mut group = Group::start(bash).unwrap();
        group.spawn(&mut Command::new(bash), "sleep 600").unwrap();
        // Nobody killed it.
        assert!(!group.dead_by(Instant::now() + Duration::from_millis(50)).await);
        assert!(group.end().await);
    }
}
