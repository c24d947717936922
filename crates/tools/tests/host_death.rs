//! What a command started dies with the process that ran the tool, also when that one is killed.
//!
//! The test starts itself again as a victim, which runs a long command, and kills the victim.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use tools::{Bash, BashLimits, Invocation, Tool};

const FOLDER: &str = "BASH_TOOL_VICTIM_FOLDER";
const COMMAND: &str = "BASH_TOOL_VICTIM_COMMAND";

fn until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !condition() {
        assert!(Instant::now() < deadline, "after 20 s still not: {what}");
        std::thread::yield_now();
    }
}

fn is_gone(pid: &str) -> bool {
    match std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())) {
        Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
        Err(_) => true,
    }
}

fn victim(folder: &Path) {
    let command = std::env::var(COMMAND).unwrap();
    let limit = Duration::from_secs(60);
    let tool = Bash::new(BashLimits { timeout: limit, max_timeout: limit, max_output_bytes: 1_000 });
    let invocation = Invocation {
        call_id: "call-1".to_owned(),
        arguments: serde_json::json!({"command": command}).to_string(),
        cwd: folder.to_owned(),
        env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        cancel: CancellationToken::new(),
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(tool.run(invocation));
}

/// Runs `command`, which writes ids of processes to `note`, in a victim, kills the victim and waits for their end.
fn dies_with_the_host(test: &str, command: &str) {
    if let Some(folder) = std::env::var_os(FOLDER) {
        return victim(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let mut host = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(FOLDER, folder.path())
        .env(COMMAND, command)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let note = folder.path().join("note");
    until("the command wrote its processes' ids", || {
        std::fs::read_to_string(&note).is_ok_and(|text| text.ends_with('\n'))
    });
    let pids = std::fs::read_to_string(&note).unwrap();
    assert!(!pids.split_whitespace().any(is_gone), "{pids}");
    host.kill().unwrap();
    host.wait().unwrap();
    for pid in pids.split_whitespace() {
        until(&format!("process {pid} of {pids:?} is gone"), || is_gone(pid));
    }
}

#[test]
fn grandchildren_die_with_a_killed_host() {
    dies_with_the_host("grandchildren_die_with_a_killed_host", "(sleep 600 & echo $! > note; wait); echo $$");
}

#[test]
fn a_shell_that_left_its_group_dies_with_a_killed_host() {
    let command = "setsid bash -c 'sleep 600 & echo $$ $! > note; wait'";
    dies_with_the_host("a_shell_that_left_its_group_dies_with_a_killed_host", command);
}
