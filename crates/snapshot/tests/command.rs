//! The real command `snapshot`: what it prints, how it ends, what it leaves.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const PAGE: &str = "<!doctype html><title>t</title><h1>Grüße</h1><main><button>Send</button></main>\
    <button aria-hidden=true>No</button><p>late</p><script>setTimeout(() => {\
    document.querySelector('p').insertAdjacentHTML('afterend', '<a id=late href=/x>Late</a>') }, 300)</script>";

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_snapshot"));
    command.args(arguments).current_dir(folder).env("TMPDIR", folder).stdin(Stdio::null());
    command
}

/// A folder with a page in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("page.html"), format!("\u{FEFF}{PAGE}")).unwrap();
    folder
}

/// Exit code, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    told(command(folder, arguments).output().unwrap())
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn run_with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut child =
        command(folder, arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    told(child.wait_with_output().unwrap())
}

#[test]
fn trees_of_addresses_files_and_standard_input_are_printed_in_order() {
    let folder = folder();
    let arguments = ["page.html", "--wait", "#late, [lang]", "data:text/html,<button lang=en>Url</button><p>", "-"];
    let (code, out, err) = run_with_input(folder.path(), &arguments, "<p lang=de>ä in, out</p>".as_bytes());
    assert_eq!(
        out,
        "# page.html\n- heading \"Grüße\" [level=1]\n- main:\n  - button \"Send\"\n- paragraph: late\n- link \"Late\":\n  - /url: /x\n\
         # data:text/html,<button lang=en>Url</button><p>\n- button \"Url\"\n- paragraph\n# -\n- paragraph: ä in, out\n"
    );
    assert_eq!((code, err.as_str()), (0, ""));
}

#[test]
fn a_selector_is_waited_for_and_must_match_one() {
    let folder = folder();
    let (code, out, err) = run(folder.path(), &["page.html", "--selector", "#late"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "- link \"Late\":\n  - /url: /x\n", ""));

    let (code, out, err) = run(folder.path(), &["page.html", "--selector", "button"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.starts_with("snapshot: page.html: ") && err.contains("matches 2 elements"), "{err}");

    let (code, _, err) = run(folder.path(), &["page.html", "--selector", "#never", "--timeout", "0.5"]);
    assert!(code == 2 && err.contains("within 500ms"), "{err}");
    let (code, _, err) = run(folder.path(), &["page.html", "--wait", "[aria-hidden] b", "--timeout", "0.5"]);
    assert!(code == 2 && err.contains("within 500ms"), "{err}");
}

#[test]
fn roles_are_one_line_an_element() {
    let folder = folder();
    let (code, out, err) = run(folder.path(), &["page.html", "--roles", "h1, button, title"]);
    let lines = "no role (hidden)\nheading \"Grüße\"\nbutton \"Send\"\nbutton (hidden)\n";
    assert_eq!((code, out.as_str(), err.as_str()), (0, lines, ""));

    fs::write(
        folder.path().join("shadow.html"),
        "<b>first</b><div><template shadowrootmode=closed><b>second</b></template></div><b role=note>third</b>",
    )
    .unwrap();
    let (_, out, _) = run(folder.path(), &["shadow.html", "--roles", "b"]);
    assert_eq!(out, "no role\nno role\nnote\n");

    let (code, out, err) = run(folder.path(), &["page.html", "--roles", "table"]);
    assert_eq!((code, out.as_str(), err.as_str()), (1, "", "snapshot: page.html: no element matches \"table\"\n"));
    let (code, _, err) = run(folder.path(), &["page.html", "--roles", "a["]);
    assert_eq!((code, err.as_str()), (2, "snapshot: page.html: \"a[\" is not a CSS selector; correct it\n"));
}

#[test]
fn a_template_matches_or_the_difference_is_printed() {
    let folder = folder();
    let (_, tree, _) = run(folder.path(), &["page.html", "--selector", "main"]);
    fs::write(folder.path().join("good.yml"), tree).unwrap();
    fs::write(folder.path().join("bad.yml"), "- main:\n  - button \"Sent\"").unwrap();
    fs::write(folder.path().join("broken.yml"), "- main:\n  - button \"Send").unwrap();

    let of = |template| run(folder.path(), &["page.html", "--selector", "main", "--match", template]);
    assert_eq!(of("good.yml"), (0, String::new(), String::new()));
    let (code, out, err) = of("bad.yml");
    assert_eq!((code, err.as_str()), (1, ""));
    assert!(out.contains("button \"Sent\"") && out.contains("button \"Send\""), "{out}");
    let (code, _, err) = of("broken.yml");
    assert!(code == 2 && err.starts_with("snapshot: the template broken.yml: ") && err.contains("line 2"), "{err}");

    let update = |name| run(folder.path(), &["data:text/html,<p>12 apples<p>Ann", "--match", name, "--update"]);
    let text = |name| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(update("new.yml"), (0, String::new(), "snapshot: new.yml written\n".into()));
    assert_eq!(text("new.yml"), "- paragraph: /\\d+ apples/\n- paragraph: Ann\n");
    assert_eq!(update("new.yml"), (0, String::new(), String::new()));
    fs::write(folder.path().join("old.yml"), "# fruit\n- paragraph: /\\d+ a.*/\n- paragraph: Bob\n").unwrap();
    assert_eq!(update("old.yml"), (0, String::new(), "snapshot: old.yml brought up to date\n".into()));
    assert_eq!(text("old.yml"), "# fruit\n- paragraph: /\\d+ a.*/\n- paragraph: Ann\n");

    let (code, _, err) = of("none.yml");
    assert!(code == 2 && err.starts_with("snapshot: cannot read the template none.yml: "), "{err}");
}

#[test]
fn the_full_form_shows_what_the_plain_one_leaves_out() {
    let folder = folder();
    let url = "data:text/html,<button aria-expanded=false>Menu</button><p>a<ul><li>b</ul>";
    let (_, out, _) = run(folder.path(), &[url, "--depth", "0"]);
    assert_eq!(out, "- button \"Menu\"\n- paragraph: a\n- list\n");
    let (_, out, _) = run(folder.path(), &[url, "--full"]);
    assert!(out.starts_with("- button \"Menu\" [expanded=false]"), "{out}");
    fs::write(folder.path().join("full.yml"), out).unwrap();
    let (_, out, _) = run(folder.path(), &[url, url, "--json", "--selector", "ul"]);
    let line = json!([{ "role": "list", "children": [{ "role": "listitem", "text": "b" }] }]);
    assert_eq!(out, format!("{line}\n{line}\n"));
    let (_, out, _) = run(folder.path(), &[url, "--json", "--full", "--selector", "button"]);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap()[0]["expanded"], false);
    let (_, out, _) = run(folder.path(), &[url, "--json", "--roles", "ul"]);
    assert_eq!(out, "[{\"role\":\"list\",\"name\":\"\",\"hidden\":false}]\n");
    assert_eq!(run(folder.path(), &[url, "--full", "--match", "full.yml"]), (0, String::new(), String::new()));
}

#[test]
fn what_can_not_be_done_is_said_with_the_next_thing_to_do() {
    let folder = folder();
    let cases: [(&[&str], &str); 3] = [
        (&["--sevre"], "there is no option --sevre; did you mean --serve?"),
        (&["localhost:3000"], "cannot find the file localhost:3000: "),
        (&["http://127.0.0.1:1/"], "http://127.0.0.1:1/: cannot load http://127.0.0.1:1/: "),
    ];
    for (arguments, message) in cases {
        let (code, out, err) = run(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.starts_with(&format!("snapshot: {message}")), "{err}");
    }

    let missing = command(folder.path(), &["page.html"]).env("CHROMIUM", "/nowhere/chromium").output().unwrap();
    let (code, _, err) = told(missing);
    assert!(code == 2 && err.starts_with("snapshot: Chromium not found: looked for /nowhere/chromium; "), "{err}");

    let mut headed = command(folder.path(), &["page.html", "--headed"]);
    let (code, _, err) = told(headed.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().unwrap());
    assert!(code == 2 && err.starts_with("snapshot: the browser did not start"), "{err}");
    nothing_is_left_in(folder.path());
}

#[test]
fn a_page_that_is_an_error_is_noted() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/gone", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(
                b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\
                Connection: close\r\n\r\n<p>gone<p",
            );
        }
    });
    let folder = folder();
    let (code, out, err) = run(folder.path(), &[&address]);
    assert_eq!((code, out.as_str()), (0, "- paragraph: gone\n"));
    assert_eq!(err, format!("snapshot: note: {address} was answered with status 404\n"));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder();
    let mut child = command(folder.path(), &["page.html", "page.html"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

/// A running `--serve`.
struct Served {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
}

impl Served {
    fn start(folder: &Path) -> Self {
        let mut child = command(folder, &["--serve", "--timeout", "5"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, answers }
    }

    fn ask(&mut self, line: impl AsRef<[u8]>) -> Value {
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    /// What is wrong with a request.
    fn error(&mut self, line: impl AsRef<[u8]>) -> String {
        self.ask(line)["error"].as_str().expect("an error").to_owned()
    }
}

#[test]
fn requests_are_answered_in_order_and_bad_lines_do_not_end_the_loop() {
    let folder = folder();
    let mut served = Served::start(folder.path());
    assert_eq!(
        served.ask(r#"{"id": 1, "html": "<ul><li>ä</ul><b>"}"#),
        json!({ "id": 1, "ok": { "snapshot": "- list:\n  - listitem: ä" } })
    );
    for (line, message) in [
        ("nonsense", "line 2 of the input is not JSON; write one object a line: "),
        ("[1]", "the request can't be understood: "),
        (
            r#"{"html": "", "slector": "a"}"#,
            "the request can't be understood: unknown field `slector`, expected one of ",
        ),
        (r#"{"html": 1}"#, "the request can't be understood: invalid type: integer `1`, expected a string"),
        (r#"{"id": 1}"#, "the request needs one of `url` and `html`; give exactly one"),
        (r#"{"html": "", "url": ""}"#, "the request needs one of `url` and `html`; give exactly one"),
        (r#"{"html": "", "url": "x", "roles": "a"}"#, "the request needs one of "),
        (r#"{"html": "", "match": "- list:\n - \"x"}"#, "template line 2, column "),
        (r#"{"html": "", "roles": "a", "selector": "a"}"#, "`roles` tells of elements, not of a tree; "),
        (r#"{"html": "", "roles": "a["}"#, "\"a[\" is not a CSS selector"),
        (r#"{"url": "http://127.0.0.1:1/"}"#, "cannot load http://127.0.0.1:1/: "),
        (r#"{"html": "<p><p>", "selector": "p"}"#, "snapshot locator(\"p\"): the locator matches 2 elements; "),
    ] {
        let error = served.error(line);
        assert!(error.starts_with(message), "{line}: {error}");
    }
    assert!(served.error(b"{\"html\": \"\xFF\"}").starts_with("line 14 of the input is not JSON"));
    assert_eq!(served.ask(r#"{"id": {"a": 1}}"#)["id"], json!({ "a": 1 }));

    assert_eq!(
        served.ask("\n  \n{\"html\": \"<a href=x>L</a>\", \"roles\": \"a, b\"}"),
        json!({ "id": null, "ok": { "roles": [{ "role": "link", "name": "L", "hidden": false }] } })
    );
    let matching = served.ask(r#"{"html": "<p>a</p>", "match": "- paragraph: a"}"#);
    assert_eq!(matching["ok"], json!({ "matches": true, "diff": "", "snapshot": "- paragraph: a" }));
    let differing = served.ask(r#"{"html": "<p>b</p>", "match": "- paragraph: a"}"#);
    assert_eq!(differing["ok"]["matches"], false);
    assert!(differing["ok"]["diff"].as_str().unwrap().contains('b'), "{differing}");

    let asked =
        served.ask(r#"{"html": "<a href=x>L</a><p>a", "json": true, "full": true, "depth": 0, "selector": "p"}"#);
    assert_eq!(asked["ok"], json!({ "snapshot": [{ "role": "paragraph", "text": "a" }] }));

    drop(served.child.stdin.take());
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
    nothing_is_left_in(folder.path());
}

#[test]
fn a_page_or_browser_that_dies_costs_its_own_request_only() {
    let folder = folder();
    let mut served = Served::start(folder.path());
    let fine = r#"{"html": "<p>fine</p>"}"#;
    assert_eq!(served.ask(fine)["ok"]["snapshot"], "- paragraph: fine");
    assert!(!served.error(r#"{"url": "chrome://crash"}"#).is_empty());
    assert_eq!(served.ask(fine)["ok"]["snapshot"], "- paragraph: fine");
    for process in processes_of(folder.path()) {
        if process.command.contains("chromedriver") {
            assert!(Command::new("kill").args(["-KILL", &process.id]).status().unwrap().success());
        }
    }
    assert!(served.error(fine).starts_with("the browser is gone"));
    assert_eq!(served.ask(fine)["ok"]["snapshot"], "- paragraph: fine");
    drop(served.child.stdin.take());
    assert_eq!(served.child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_killed_command_leaves_no_process_and_no_file() {
    let folder = folder();
    let mut served = Served::start(folder.path());
    assert_eq!(served.ask(r#"{"html": "<p>a</p>"}"#)["ok"]["snapshot"], "- paragraph: a");
    assert!(processes_of(folder.path()).len() > 2 && files_in(folder.path()).len() > 1);
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    nothing_is_left_in(folder.path());
}

/// Waits until only the page is in the folder, and no process knows it.
fn nothing_is_left_in(folder: &Path) {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let (left, files) = (processes_of(folder), files_in(folder));
        if left.is_empty() && files == ["page.html"] {
            break;
        }
        assert!(Instant::now() < end, "still there: {files:?} {left:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn files_in(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[derive(Debug)]
struct Process {
    id: String,
    command: String,
}

/// Processes that have the folder in their command line or environment.
fn processes_of(folder: &Path) -> Vec<Process> {
    let folder = folder.to_str().unwrap();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = entry.file_name().into_string() else { continue };
        let read = |file: &str| {
            let bytes = fs::read(entry.path().join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        let command = read("cmdline");
        if id.bytes().all(|byte| byte.is_ascii_digit())
            && (command.contains(folder) || read("environ").contains(folder))
        {
            found.push(Process { id, command });
        }
    }
    found
}
