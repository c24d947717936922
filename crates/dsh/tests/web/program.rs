use std::cell::Cell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Longest wait for anything; the machine may be busy.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// The folders one program may know: nothing of the person who runs the tests.
pub(crate) struct World {
    pub(crate) root: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for folder in ["home", "work", "tmp"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        Self { root }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path("home/.local/state/dsh")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_dsh")), arguments)
    }

    pub(crate) fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", "/usr/bin:/bin")
            .env("TMPDIR", self.path("tmp"))
            .current_dir(self.path("work"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Names in a folder; none when it is not there.
    pub(crate) fn names_in(&self, path: &Path) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

/// A running `dsh web`; killed when dropped.
pub(crate) struct Program {
    child: Child,
    lines: Receiver<String>,
    pub(crate) said: Vec<String>,
    errors: Option<std::thread::JoinHandle<String>>,
}

/// How a program ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) said: Vec<String>,
    pub(crate) errors: String,
}

impl Program {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = err.read_to_string(&mut text);
            text
        });
        Self { child, lines, said: Vec::new(), errors: Some(errors) }
    }

    /// The next line that starts so, without that start.
    pub(crate) fn line(&mut self, start: &str) -> String {
        let until = Instant::now() + DEADLINE;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.said.push(line.clone());
                    if let Some(rest) = line.strip_prefix(start) {
                        return rest.to_owned();
                    }
                }
                Err(error) => {
                    let _ = self.child.kill();
                    let errors = self.errors.take().map(|errors| errors.join().unwrap());
                    panic!("no line {start:?} ({error}); it said {:#?} and complained {errors:?}", self.said);
                }
            }
        }
    }

    /// The next one-time address: authority, and path with token.
    pub(crate) fn address(&mut self) -> (String, String) {
        let url = self.line("open http://");
        let (authority, path) = url.split_once('/').unwrap();
        (authority.to_owned(), format!("/{path}"))
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn ended(mut self) -> Ended {
        let pid = self.child.id();
        // The end of its output is the end of the program; a deadline for that is what `wait` has not.
        let until = Instant::now() + DEADLINE;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => self.said.push(line),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("process {pid} still runs ({error}); it said {:#?}", self.said),
            }
        }
        let status = self.child.wait().unwrap();
        assert_eq!(status.signal(), None, "it ended by itself");
        let errors = self.errors.take().unwrap().join().unwrap();
        Ended { status, said: std::mem::take(&mut self.said), errors }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One HTTP exchange on a connection of its own: status, head and body.
pub(crate) fn exchange(authority: &str, request_line: &str, headers: &str, body: &str) -> (u16, String, String) {
    let mut socket = connect(authority);
    send(&mut socket, authority, request_line, &format!("Connection: close\r\n{headers}"), body);
    let mut text = Vec::new();
    socket.read_to_end(&mut text).unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_owned(), body.to_owned())
}

fn connect(authority: &str) -> TcpStream {
    let socket = TcpStream::connect(authority).unwrap();
    socket.set_read_timeout(Some(DEADLINE)).unwrap();
    socket
}

fn send(socket: &mut TcpStream, authority: &str, request_line: &str, headers: &str, body: &str) {
    let length = body.len();
    let request =
        format!("{request_line} HTTP/1.1\r\nHost: {authority}\r\nContent-Length: {length}\r\n{headers}\r\n{body}");
    socket.write_all(request.as_bytes()).unwrap();
}

/// Who has been let in.
pub(crate) struct Visitor {
    authority: String,
    credential: String,
    calls: Cell<u32>,
}

impl Visitor {
    /// Trades a one-time address for the cookie, as a browser does.
    pub(crate) fn by_address((authority, path): &(String, String)) -> Self {
        let (status, head, _) = exchange(authority, &format!("GET {path}"), "", "");
        assert_eq!(status, 303, "{head}");
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        let cookie = cookie.split(';').next().unwrap();
        Self { authority: authority.clone(), credential: format!("Cookie: {cookie}\r\n"), calls: Cell::new(0) }
    }

    /// Reads the file that is there for programs.
    pub(crate) fn by_file(path: &Path) -> Self {
        let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let authority = file["url"].as_str().unwrap().strip_prefix("http://").unwrap().trim_end_matches('/');
        let credential = format!("Authorization: Bearer {}\r\n", file["secret"].as_str().unwrap());
        Self { authority: authority.to_owned(), credential, calls: Cell::new(0) }
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String, String) {
        exchange(&self.authority, &format!("GET {path}"), &self.credential, "")
    }

    /// The value of a call.
    pub(crate) fn call(&self, method: &str, payload: Value) -> Value {
        self.calls.set(self.calls.get() + 1);
        let id = format!("r-{}", self.calls.get());
        let envelope = json!({"type": "client-request", "rpcId": id, "method": method, "payload": payload});
        let headers = format!("Content-Type: application/json\r\n{}", self.credential);
        let (status, _, body) =
            exchange(&self.authority, &format!("POST /api/{method}"), &headers, &envelope.to_string());
        assert_eq!(status, 200, "{body}");
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(answer["result"]["ok"], true, "{answer}");
        answer["result"]["value"].clone()
    }

    /// A new session in the only workspace.
    pub(crate) fn new_session(&self) -> String {
        let workspaces = self.call("workspace.list", json!({}));
        let created = self.call("session.create", json!({"workspaceId": workspaces["items"][0]["workspaceId"]}));
        created["sessionId"].as_str().unwrap().to_owned()
    }

    pub(crate) fn prompt(&self, session_id: &str, text: &str) {
        let content = json!([{"type": "text", "text": text}]);
        self.call("session.prompt", json!({"sessionId": session_id, "mode": "queue", "content": content}));
    }

    /// The stream of session frames, opened before it returns.
    pub(crate) fn frames(&self) -> Frames {
        let mut socket = connect(&self.authority);
        send(&mut socket, &self.authority, "GET /api/events.mux", &self.credential, "");
        let mut frames = Frames(BufReader::new(socket));
        while frames.line() != ": connected" {}
        frames
    }
}

/// Frames as they come in.
pub(crate) struct Frames(BufReader<TcpStream>);

impl Frames {
    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).expect("a frame in time");
        assert!(read > 0, "the stream ended");
        line.trim_end().to_owned()
    }

    /// The events of a session up to its next `turn/end`.
    pub(crate) fn until_turn_end(&mut self, session_id: &str) -> Vec<Value> {
        self.until(session_id, "turn/end")
    }

    /// The events of a session up to the next of a kind.
    pub(crate) fn until(&mut self, session_id: &str, kind: &str) -> Vec<Value> {
        let mut events = Vec::new();
        loop {
            // Chunk sizes and blank lines stand between the frames.
            let Some(frame) = self.line().strip_prefix("data: ").map(str::to_owned) else { continue };
            let mut frame: Value = serde_json::from_str(&frame).unwrap();
            if frame["method"] == "session/event" && frame["payload"]["sessionId"] == session_id {
                let event = frame["payload"]["event"].take();
                let found = event["type"] == kind;
                events.push(event);
                if found {
                    return events;
                }
            }
        }
    }
}
