//! Turns through the whole program: replayed, without a key, and cut short.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::channel;

use nix::sys::signal::Signal;
use serde_json::{Value, json};

use crate::program::{DEADLINE, Program, Visitor, World};

/// A recording of one prompt, one command and one answer.
const RECORDING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/echo.jsonl");
const PROMPT: &str = "Say it with the shell.";

fn reason(events: &[Value]) -> &Value {
    &events.last().unwrap()["data"]["reason"]
}

#[test]
fn a_recording_is_listed_and_answers_new_sessions_without_a_key() {
    let world = World::new();
    let mut program = Program::start(world.command(&["web", "--replay", RECORDING]));
    let address = program.address();
    assert!(program.said.iter().any(|line| line.trim() == PROMPT), "it says what to type: {:#?}", program.said);
    let visitor = Visitor::by_address(&address);

    let listed = visitor.call("session.list", json!({}));
    let recorded = listed["items"][0]["sessionId"].as_str().unwrap();
    let history = visitor.call("session.history", json!({"sessionId": recorded}));
    assert!(history.to_string().contains("recorded-output"), "{history}");

    let mut frames = visitor.frames();
    for _ in 0..2 {
        let session = visitor.new_session();
        visitor.prompt(&session, PROMPT);
        let events = frames.until_turn_end(&session);
        assert_eq!(reason(&events), &json!({"kind": "completed"}));
        let result = events.iter().find(|event| event["type"] == "tool/result").unwrap();
        assert!(result.to_string().contains("said-for-real"), "the command really ran: {result}");
    }
    program.signal(Signal::SIGTERM);
    let ended = program.ended();
    assert_eq!((ended.status.code(), ended.errors.as_str()), (Some(0), ""));
    assert_eq!(world.names_in(&world.path("tmp")), Vec::<String>::new(), "the temporary state is gone");
    assert!(!world.state().exists(), "the person's own state was not touched");
}

#[test]
fn a_recording_in_a_kept_state_is_listed_once() {
    let world = World::new();
    for _ in 0..2 {
        let mut program = Program::start(world.command(&["web", "--replay", RECORDING, "--state", "kept"]));
        let visitor = Visitor::by_address(&program.address());
        assert_eq!(visitor.call("session.list", json!({}))["items"].as_array().unwrap().len(), 1);
        program.signal(Signal::SIGTERM);
        let ended = program.ended();
        assert_eq!(ended.status.code(), Some(0), "{}", ended.errors);
    }
    assert!(Path::new(&world.path("work/kept/sessions")).exists());
}

#[test]
fn without_a_key_the_page_opens_and_a_prompt_says_what_to_set() {
    let world = World::new();
    let mut program = Program::start(world.command(&["web"]));
    let visitor = Visitor::by_address(&program.address());
    let told = program.said.iter().any(|line| line.contains("Set DEEPSEEK_API_KEY and start again"));
    assert!(told, "{:#?}", program.said);
    let session = visitor.new_session();
    let mut frames = visitor.frames();
    visitor.prompt(&session, "hello");
    let events = frames.until_turn_end(&session);
    let error = &reason(&events)["error"];
    assert_eq!(error["code"], "AUTH", "{error}");
    assert!(error["message"].as_str().unwrap().contains("DEEPSEEK_API_KEY"), "{error}");
}

#[test]
fn a_running_turn_is_ended_in_order_and_its_command_with_it() {
    let world = World::new();
    // The command and its child hold this connection for as long as one of them lives.
    let telephone = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = telephone.local_addr().unwrap().port();
    let command = format!("exec 3<>/dev/tcp/127.0.0.1/{port}; echo runs >&3; sleep 600");
    let recording = std::fs::read_to_string(RECORDING).unwrap().replace("echo said-for-real", &command);
    let path = world.path("long.jsonl");
    std::fs::write(&path, recording).unwrap();
    let mut program = Program::start(world.command(&["web", "--replay", path.to_str().unwrap()]));
    let visitor = Visitor::by_address(&program.address());
    let mut frames = visitor.frames();
    let session = visitor.new_session();
    visitor.prompt(&session, PROMPT);
    let mut call = answered(telephone);
    let mut said = [0; 5];
    call.read_exact(&mut said).unwrap();
    assert_eq!(&said, b"runs\n");
    frames.until(&session, "tool/call");

    program.signal(Signal::SIGTERM);
    let events = frames.until_turn_end(&session);
    assert_eq!(reason(&events)["kind"], "aborted", "readers are told how it ended");
    let ended = program.ended();
    assert_eq!((ended.status.code(), ended.errors.as_str()), (Some(0), ""));
    assert_eq!(call.read(&mut said).expect("the command and its child are gone"), 0);
    assert_eq!(world.names_in(&world.path("tmp")), Vec::<String>::new());
}

/// The first connection to `listener`; each read from it has a deadline.
fn answered(listener: TcpListener) -> TcpStream {
    let (sender, calls) = channel();
    std::thread::spawn(move || sender.send(listener.accept()));
    let (call, _) = calls.recv_timeout(DEADLINE).expect("the command to run").unwrap();
    call.set_read_timeout(Some(DEADLINE)).unwrap();
    call
}
