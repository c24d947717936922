//! The real tool on the real shell.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tools::{Bash, BashLimits, Invocation, Tool, ToolOutput};

const LIMITS: BashLimits =
    BashLimits { timeout: Duration::from_secs(20), max_timeout: Duration::from_secs(60), max_output_bytes: 2_000 };

fn invocation(cwd: &Path, arguments: String) -> Invocation {
    Invocation {
        call_id: "call-1".to_owned(),
        arguments,
        cwd: cwd.to_owned(),
        env: BTreeMap::from([("PATH".to_owned(), "/usr/bin:/bin".to_owned())]),
        cancel: CancellationToken::new(),
    }
}

async fn bash(command: &str) -> ToolOutput {
    let folder = tempfile::tempdir().unwrap();
    Bash::new(LIMITS).run(invocation(folder.path(), json!({"command": command}).to_string())).await
}

async fn refused(arguments: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = Bash::new(LIMITS).run(invocation(folder.path(), arguments.to_owned())).await;
    assert!(output.is_error, "{output:?}");
    output.content
}

/// The process is gone or only waits to be reaped.
fn is_gone(pid: &str) -> bool {
    match std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())) {
        Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
        Err(_) => true,
    }
}

/// Waits until `path` has a whole line, at most ten seconds.
async fn line_of(path: &Path) -> String {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if text.ends_with('\n') {
            return text;
        }
        assert!(Instant::now() < deadline, "no line in {} after 10 s; it holds {text:?}", path.display());
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn plain_output_is_the_whole_result_byte_for_byte() {
    let output = bash("echo WEB_E2E_OK").await;
    assert_eq!(
        output,
        ToolOutput { content: "WEB_E2E_OK\n".into(), is_error: false, meta: Some(json!({"exitCode": 0})) }
    );
    assert_eq!(bash("printf 'no newline'").await.content, "no newline");
    assert_eq!(bash("true").await.content, "(no output)");
}

#[tokio::test]
async fn both_outputs_stand_in_the_order_they_were_written() {
    assert_eq!(bash("echo one; echo two >&2; echo three").await.content, "one\ntwo\nthree\n");
}

#[tokio::test]
async fn an_exit_code_is_told_and_is_no_failure_of_the_tool() {
    let output = bash("printf partial; exit 3").await;
    assert_eq!(output.content, "partial\n[exit code 3]");
    assert!(!output.is_error);
    assert_eq!(output.meta, Some(json!({"exitCode": 3})));
    assert_eq!(bash("kill -KILL $$").await.content, "[killed by signal 9]");
}

#[tokio::test]
async fn directory_and_environment_are_the_invocations_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut invocation = invocation(folder.path(), json!({"command": "pwd -P; env | cut -d= -f1 | sort"}).to_string());
    invocation.env.insert("GIVEN".to_owned(), "1".to_owned());
    let output = Bash::new(LIMITS).run(invocation).await;
    let cwd = folder.path().canonicalize().unwrap();
    // PWD, SHLVL and _ are bash's own.
    assert_eq!(output.content, format!("{}\nGIVEN\nPATH\nPWD\nSHLVL\n_\n", cwd.display()));
}

#[tokio::test]
async fn commands_have_no_input_to_wait_for() {
    assert_eq!(bash("cat; echo done").await.content, "done\n");
}

#[tokio::test]
async fn long_output_keeps_head_and_tail_and_says_what_is_missing() {
    let output = bash("seq 1 10000").await;
    assert!(output.content.starts_with("1\n2\n3\n"), "{}", output.content);
    assert!(output.content.ends_with("9999\n10000\n"), "{}", output.content);
    assert!(output.content.contains("of 48894 bytes omitted here"), "{}", output.content);
    assert_eq!(output.meta.unwrap()["omittedBytes"], json!(48894 - 2000));
}

#[tokio::test]
async fn the_deadline_kills_the_tree_and_keeps_what_was_printed() {
    let folder = tempfile::tempdir().unwrap();
    let command = "echo begun; (sleep 600 & echo $! > grandchild; wait); echo never";
    let arguments = json!({"command": command, "timeout_ms": 400}).to_string();
    let began = Instant::now();
    let output = Bash::new(LIMITS).run(invocation(folder.path(), arguments)).await;
    assert!(began.elapsed() < Duration::from_secs(10), "took {:?}", began.elapsed());
    assert!(output.is_error);
    assert!(output.content.starts_with("begun\n[stopped after 400 ms, its deadline;"), "{}", output.content);
    assert!(is_gone(&line_of(&folder.path().join("grandchild")).await));
}

#[tokio::test]
async fn cancel_kills_grandchildren_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let command = "trap '' TERM; (sleep 600 & echo $! > grandchild; wait)";
    let invocation = invocation(folder.path(), json!({"command": command}).to_string());
    let cancel = invocation.cancel.clone();
    let call = tokio::spawn(async move { Bash::new(LIMITS).run(invocation).await });
    let pid = line_of(&folder.path().join("grandchild")).await;
    assert!(!is_gone(&pid));
    cancel.cancel();
    let output = tokio::time::timeout(Duration::from_secs(10), call).await.expect("returns after cancel").unwrap();
    assert_eq!(output.content, "[cancelled; everything it started was killed]");
    assert!(output.is_error && is_gone(&pid));
}

#[tokio::test]
async fn a_background_child_that_holds_the_pipe_does_not_hang_the_call() {
    let output = bash("sleep 600 & echo $!").await;
    let (pid, note) = output.content.split_once('\n').unwrap();
    assert_eq!(
        note,
        "[processes outlived the shell; their process group was killed, as each call ends with what it started]"
    );
    assert!(is_gone(pid) && !output.is_error);
}

#[tokio::test]
async fn a_child_that_left_the_group_does_not_hang_the_call_and_is_told() {
    let began = Instant::now();
    let output = bash("setsid sleep 5 & echo out").await;
    assert!(began.elapsed() < Duration::from_secs(4), "took {:?}", began.elapsed());
    assert!(output.content.starts_with("out\n"), "{}", output.content);
    let note = "[a process that left the call's process group (`setsid`) still runs and holds its output; find it with \
                `ps` and end it by its id]";
    assert!(output.content.ends_with(note), "{}", output.content);
    assert_eq!(output.meta.unwrap()["escaped"], json!(true));
}

/// A shell becomes this command without a fork, so that it leaves its group. The line says that it has.
const LEAVES: &str = "setsid bash -c 'sleep 600 & echo $$ $! > left; wait'";

#[track_caller]
fn all_gone(pids: &str) {
    assert_eq!(pids.split_whitespace().count(), 2, "{pids:?}");
    for pid in pids.split_whitespace() {
        assert!(is_gone(pid), "process {pid} still runs");
    }
}

#[tokio::test]
async fn the_deadline_ends_a_shell_that_left_its_group() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["setsid sleep 600", LEAVES] {
        let arguments = json!({"command": command, "timeout_ms": 1000}).to_string();
        let tool = Bash::new(LIMITS);
        let call = tool.run(invocation(folder.path(), arguments));
        let output = tokio::time::timeout(Duration::from_secs(10), call).await.expect("returns after its deadline");
        assert_eq!(
            output.content,
            "[stopped after 1000 ms, its deadline; everything it started was killed. Ask for a longer `timeout_ms` or \
             split the work.]"
        );
    }
    all_gone(&line_of(&folder.path().join("left")).await);
}

#[tokio::test]
async fn cancel_ends_a_shell_that_left_its_group() {
    let folder = tempfile::tempdir().unwrap();
    let invocation = invocation(folder.path(), json!({"command": LEAVES}).to_string());
    let cancel = invocation.cancel.clone();
    let call = tokio::spawn(async move { Bash::new(LIMITS).run(invocation).await });
    let pids = line_of(&folder.path().join("left")).await;
    cancel.cancel();
    let output = tokio::time::timeout(Duration::from_secs(10), call).await.expect("returns after cancel").unwrap();
    assert_eq!(output.content, "[cancelled; everything it started was killed]");
    all_gone(&pids);
}

#[tokio::test]
async fn a_cancelled_call_does_not_claim_to_have_killed_what_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let command = "setsid bash -c 'echo $$ > left; exec sleep 5' & wait";
    let invocation = invocation(folder.path(), json!({"command": command}).to_string());
    let cancel = invocation.cancel.clone();
    let call = tokio::spawn(async move { Bash::new(LIMITS).run(invocation).await });
    let pid = line_of(&folder.path().join("left")).await;
    cancel.cancel();
    let output = tokio::time::timeout(Duration::from_secs(4), call).await.expect("returns after cancel").unwrap();
    let start = "[cancelled; what could be reached was killed]\n[a process that left the call's process group";
    assert!(output.content.starts_with(start) && !is_gone(&pid), "{}", output.content);
}

#[tokio::test]
async fn a_command_may_signal_its_own_group_without_ending_the_guard_first() {
    assert_eq!(bash("trap 'echo caught' TERM; kill -TERM 0; echo after").await.content, "caught\nafter\n");
}

#[tokio::test]
async fn dropping_the_call_kills_what_it_started() {
    for command in ["sleep 600 & echo $$ $! > left; wait", LEAVES] {
        let folder = tempfile::tempdir().unwrap();
        let invocation = invocation(folder.path(), json!({"command": command}).to_string());
        let call = tokio::spawn(async move { Bash::new(LIMITS).run(invocation).await });
        let pids = line_of(&folder.path().join("left")).await;
        call.abort();
        assert!(call.await.unwrap_err().is_cancelled());
        let deadline = Instant::now() + Duration::from_secs(10);
        while !pids.split_whitespace().all(is_gone) {
            assert!(Instant::now() < deadline, "of {pids} some still run 10 s after the call was dropped");
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_answered_with_what_is_wrong() {
    let missing = refused("{}").await;
    assert!(missing.contains("missing field `command`") && missing.contains("Send a JSON object"), "{missing}");
    assert!(refused("{\"command\": \"ls\"").await.contains("EOF while parsing"));
    assert!(refused(r#"{"command": "ls", "colour": 1}"#).await.contains("unknown field `colour`"));
    assert!(refused(r#"{"command": 7}"#).await.contains("expected a string"));
    assert_eq!(
        refused(r#"{"command": "ls", "timeout_ms": 60001}"#).await,
        "`timeout_ms` is 60001, the most is 60000; ask for less or split the work."
    );
    assert_eq!(
        refused(r#"{"command": "ls", "timeout_ms": 0}"#).await,
        "`timeout_ms` is 0; leave it out or give at least 1."
    );
    assert_eq!(refused(r#"{"command": "  "}"#).await, "`command` is empty; send the command line to run.");
    assert!(refused(r#"{"command": "a\u0000b"}"#).await.contains("NUL"));
}

#[tokio::test]
async fn a_missing_directory_or_shell_is_told() {
    let arguments = json!({"command": "ls"}).to_string();
    let gone = Bash::new(LIMITS).run(invocation(Path::new("/no/such/folder"), arguments.clone())).await;
    assert!(gone.is_error && gone.content.starts_with("the working directory /no/such/folder is gone;"), "{gone:?}");
    let folder = tempfile::tempdir().unwrap();
    let mut bare = invocation(folder.path(), arguments);
    bare.env.insert("PATH".to_owned(), "/no/such/folder".to_owned());
    assert_eq!(Bash::new(LIMITS).run(bare).await.content, "there is no bash on PATH; install bash or correct PATH.");
}

#[test]
fn the_schema_names_what_the_arguments_take() {
    let spec = Bash::new(LIMITS).spec();
    let names: Vec<_> = spec.parameters["properties"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, ["command", "description", "timeout_ms"]);
    assert_eq!(spec.parameters["properties"]["timeout_ms"]["maximum"], Value::from(60_000));
}
