//! Where the key can be read.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};

use nix::unistd::geteuid;

use crate::program::{Program, World};

/// Stands in for a person where root runs the tests: from root nothing can be hidden.
const NOBODY: u32 = 65_534;

const KEY: &str = "sk-of-a-test";

fn as_a_person(command: &mut Command) -> &mut Command {
    if geteuid().is_root() { command.uid(NOBODY).gid(NOBODY) } else { command }
}

/// What another process of the same person gets.
fn environment_of(pid: u32) -> Output {
    as_a_person(Command::new("cat").arg(format!("/proc/{pid}/environ"))).current_dir("/").output().unwrap()
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn other_processes_of_the_same_user_cannot_read_the_key_in_the_environment() {
    let world = World::new();
    // A copy, since that person may not be let into the folder of the build.
    let program = world.path("dsh");
    std::fs::copy(env!("CARGO_BIN_EXE_dsh"), &program).unwrap();
    if geteuid().is_root() {
        for folder in ["", "home", "work", "tmp", "dsh"] {
            chown(world.path(folder), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }

    // Any other program can be looked into, so it is not this machine that hides it.
    let mut other = Command::new("cat");
    as_a_person(other.env("DEEPSEEK_API_KEY", KEY).current_dir("/").stdin(Stdio::piped()));
    let other = Killed(other.spawn().unwrap());
    let open = environment_of(other.0.id());
    assert!(String::from_utf8_lossy(&open.stdout).contains(KEY), "{open:?}");

    let mut command = world.command_of(&program, &["web"]);
    as_a_person(command.env("DEEPSEEK_API_KEY", KEY));
    let mut program = Program::start(command);
    program.address();
    let shut = environment_of(program.id());
    assert!(!shut.status.success() && shut.stdout.is_empty(), "{shut:?}");
    assert!(String::from_utf8_lossy(&shut.stderr).contains("Permission denied"), "{shut:?}");
}
