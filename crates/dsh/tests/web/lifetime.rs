//! Start, address, end.

use std::os::unix::fs::PermissionsExt;

use nix::sys::signal::Signal;
use serde_json::json;

use crate::program::{Frames, Program, Visitor, World, exchange};

#[test]
fn it_starts_lets_one_browser_in_answers_and_ends_in_order_on_sigterm() {
    let world = World::new();
    let mut program = Program::start(world.command(&["web"]));
    let address = program.address();
    let (authority, path) = &address;
    assert!(authority.starts_with("127.0.0.1:"), "{authority}");

    assert_eq!(exchange(authority, "GET /", "", "").0, 401, "nobody gets in without the token");
    let visitor = Visitor::by_address(&address);
    assert_eq!(exchange(authority, &format!("GET {path}"), "", "").0, 401, "the token is spent");

    let (status, head, page) = visitor.get("/");
    assert_eq!(status, 200);
    assert!(head.contains("script-src 'self' 'wasm-unsafe-eval'"), "{head}");
    let module = page.split('"').find(|part| part.ends_with(".wasm")).expect("the page names its module");
    let (status, head, _) = visitor.get(module);
    assert_eq!(status, 200);
    assert!(head.contains("content-type: application/wasm"), "{head}");

    assert_eq!(visitor.call("host.describe", json!({}))["version"], env!("CARGO_PKG_VERSION"));
    let workspaces = visitor.call("workspace.list", json!({}));
    assert_eq!(workspaces["items"][0]["path"], world.path("work").canonicalize().unwrap().to_str().unwrap());

    // An open stream must not hold the end up.
    let _frames = visitor.frames();
    program.signal(Signal::SIGTERM);
    let ended = program.ended();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.errors);
    assert_eq!(ended.said.last().unwrap(), "stopping; Ctrl-C again stops at once");
    assert!(std::net::TcpStream::connect(authority).is_err(), "the port is free");
    assert_eq!(world.names_in(&world.path("tmp")), Vec::<String>::new());
    assert_eq!(world.names_in(&world.state().join("servers")), Vec::<String>::new());
    assert_eq!(world.names_in(&world.path("work")), Vec::<String>::new());
    // What was refused is logged, and what let in is not.
    let refusals: Vec<&str> = ended.errors.lines().collect();
    assert_eq!(refusals.len(), 2, "{refusals:?}");
    assert!(refusals[0].contains("credential-missing (401)"), "{refusals:?}");
    assert!(refusals[1].contains("token-used (401)"), "{refusals:?}");
    assert!(!ended.errors.contains(path.split('=').nth(1).unwrap()), "{refusals:?}");
}

#[test]
fn another_address_for_another_browser_comes_on_sigusr1() {
    let world = World::new();
    let mut program = Program::start(world.command(&["web"]));
    let first = program.address();
    program.signal(Signal::SIGUSR1);
    let second = program.address();
    assert_ne!(first, second);
    for address in [&second, &first] {
        assert_eq!(Visitor::by_address(address).get("/").0, 200);
    }
}

#[test]
fn other_programs_of_the_same_user_find_the_credential_in_a_file_only_they_can_read() {
    let world = World::new();
    let mut program = Program::start(world.command(&["web", "--state", "../state"]));
    let (authority, _) = program.address();
    let port = authority.split(':').nth(1).unwrap();
    let folder = world.path("state/servers");
    let file = folder.join(format!("{port}.json"));
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    assert_eq!(Visitor::by_file(&file).call("session.list", json!({})), json!({"items": []}));
    program.signal(Signal::SIGINT);
    assert_eq!(program.ended().status.code(), Some(0));
    assert!(!file.exists());
}

#[test]
fn a_taken_port_and_a_missing_folder_end_the_start_with_the_remedy() {
    let world = World::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let ended = Program::start(world.command(&["web", "--port", &port])).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert_eq!(
        ended.errors,
        format!(
            "dsh: cannot listen on 127.0.0.1:{port}: Address already in use (os error 98); choose another port, or 0 \
             for any free one\n"
        )
    );
    let ended = Program::start(world.command(&["web", "--workspace", "nowhere"])).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert_eq!(
        ended.errors,
        "dsh: cannot open the workspace nowhere: No such file or directory (os error 2); give a folder with \
         --workspace DIR\n"
    );
    let ended = Program::start(world.command(&["web", "--replay", "none.jsonl"])).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert_eq!(
        ended.errors,
        "dsh: cannot read the recording none.jsonl: No such file or directory (os error 2); name a session log \
         (JSONL)\n"
    );
    std::fs::write(world.path("work/damaged.jsonl"), "{\"type\":\"session\"}\n").unwrap();
    let ended = Program::start(world.command(&["web", "--replay", "damaged.jsonl"])).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.errors.starts_with("dsh: damaged.jsonl:1: not a session header"), "{}", ended.errors);
    assert_eq!(world.names_in(&world.path("tmp")), Vec::<String>::new());
}

/// A program whose end is held up by a reader that takes nothing of the megabytes that are waiting for it.
fn with_a_stuck_reader(world: &World) -> (Program, Frames) {
    let mut program = Program::start(world.command(&["web"]));
    let visitor = Visitor::by_address(&program.address());
    let (stuck, mut quick) = (visitor.frames(), visitor.frames());
    let session = visitor.new_session();
    for _ in 0..3 {
        visitor.prompt(&session, &"x".repeat(3 * 1024 * 1024));
        quick.until_turn_end(&session);
    }
    (program, stuck)
}

#[test]
fn what_holds_up_the_end_is_broken_off_at_the_deadline_and_reported() {
    let world = World::new();
    let (program, _stuck) = with_a_stuck_reader(&world);
    program.signal(Signal::SIGTERM);
    let ended = program.ended();
    assert_eq!(ended.status.code(), Some(1));
    let errors = &ended.errors;
    assert!(errors.contains("still busy 2s after the server was told to close"), "{errors}");
    assert!(errors.contains("(GET /api/events.mux)"), "{errors}");
}

#[test]
fn a_second_signal_stops_at_once() {
    let world = World::new();
    let (mut program, _stuck) = with_a_stuck_reader(&world);
    program.signal(Signal::SIGINT);
    program.line("stopping; Ctrl-C again stops at once");
    program.signal(Signal::SIGINT);
    let ended = program.ended();
    assert_eq!(ended.status.code(), Some(130));
    assert!(ended.errors.contains("stopped at once; sessions that were running are repaired"), "{}", ended.errors);
    assert_eq!(world.names_in(&world.state().join("servers")), Vec::<String>::new());
}

#[test]
fn help_and_version_go_to_the_output_and_a_mistake_to_the_errors() {
    let world = World::new();
    let ended = Program::start(world.command(&["--help"])).ended();
    assert_eq!((ended.status.code(), ended.errors.as_str()), (Some(0), ""));
    assert_eq!(ended.said[0], "dsh - an agent with a web interface");
    let ended = Program::start(world.command(&["--version"])).ended();
    assert_eq!(ended.said, [format!("dsh {}", env!("CARGO_PKG_VERSION"))]);
    let ended = Program::start(world.command(&["web", "--prot"])).ended();
    assert_eq!((ended.status.code(), ended.said.len()), (Some(2), 0));
    assert_eq!(ended.errors, "dsh: invalid option '--prot'\nrun `dsh --help` for what there is\n");
}
