//! Start, end, and every other way to end: no process and no file stays behind.

mod support;

use browser::{Browser, ContextOptions, Error, LaunchOptions};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{launch, page_in};

const LONG: Duration = Duration::from_secs(20);

/// Live processes of `group`, or with `folder` in their environment or command line.
fn alive(group: i32, folder: &Path) -> Vec<String> {
    let folder = folder.to_str().unwrap();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| {
        let read = |name: &str| std::fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let stat = String::from_utf8_lossy(&read("stat")).into_owned();
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let holds = |name: &str| String::from_utf8_lossy(&read(name)).contains(folder);
        let ours = fields[2] == group.to_string() || holds("environ") || holds("cmdline");
        (ours && fields[0] != "Z").then(|| format!("{pid} {}", String::from_utf8_lossy(&read("cmdline"))))
    })
    .collect()
}

/// Waits until neither processes nor folder are left, and says what is when the time is over.
async fn assert_all_gone(group: i32, folder: &Path) {
    let end = Instant::now() + LONG;
    loop {
        let left = alive(group, folder);
        if left.is_empty() && !folder.exists() {
            return;
        }
        assert!(Instant::now() < end, "left: {left:#?}, folder there: {}", folder.exists());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn close_leaves_no_process_and_no_folder() {
    let browser = launch().await;
    let (group, folder) = (browser.process_group(), browser.folder().to_owned());
    assert!(browser.processes().iter().any(|process| process.pid == browser.pid()));
    assert!(browser.processes().len() > 2);
    assert!(folder.join("profile").is_dir());
    assert!(browser.version().browser.split('.').count() == 4, "{:?}", browser.version());
    browser.close().await.unwrap();
    // At once: closing waits for it.
    assert_eq!(alive(group, &folder), Vec::<String>::new());
    assert_eq!(browser.processes(), []);
    assert!(!folder.exists());
}

#[tokio::test]
async fn browsers_started_at_once_all_answer_their_first_commands() {
    let run = async || {
        let browser = launch().await;
        let context = browser.new_context(ContextOptions::default()).await.unwrap();
        context.new_page().await.unwrap().goto("data:text/html,hello").await.unwrap();
        browser.close().await.unwrap();
    };
    for _ in 0..3 {
        tokio::join!(run(), run(), run());
    }
}

#[tokio::test]
async fn dropped_browser_is_killed_with_everything() {
    let browser = launch().await;
    let page = page_in(&browser, "hello").await;
    let (group, folder) = (browser.process_group(), browser.folder().to_owned());
    drop((browser, page));
    assert_all_gone(group, &folder).await;
}

/// Not a test of its own: the process that the two tests below start and kill. It holds a browser
/// and says which.
#[tokio::test]
async fn holder_of_a_browser() {
    if std::env::var_os("HOLD_A_BROWSER").is_none() {
        return;
    }
    let browser = launch().await;
    let _page = page_in(&browser, "held").await;
    println!("\nheld {} {}", browser.process_group(), browser.folder().display());
    std::future::pending::<()>().await;
}

/// Starts this test program as the holder, with its files in `temp`.
fn start_holder(temp: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "holder_of_a_browser", "--nocapture"])
        .env("HOLD_A_BROWSER", "1")
        .env("TMPDIR", temp)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn kill_of_the_owning_process_takes_browser_and_folder_with_it() {
    let temp = tempfile::tempdir().unwrap();
    let mut holder = start_holder(temp.path());
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines().map_while(Result::ok);
    let line = lines.into_iter().find_map(|line| Some(line.strip_prefix("held ")?.to_owned())).expect("a held browser");
    let (group, folder) = line.split_once(' ').expect("group and folder");
    let (group, folder) = (group.parse().unwrap(), PathBuf::from(folder));
    assert!(alive(group, &folder).len() > 2 && folder.exists());
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert_all_gone(group, &folder).await;
}

#[tokio::test]
async fn kill_at_any_moment_of_the_start_leaves_nothing() {
    for moment in [0, 2, 5, 10, 20, 50, 100, 300, 600] {
        let temp = tempfile::tempdir().unwrap();
        let mut holder = start_holder(temp.path());
        tokio::time::sleep(Duration::from_millis(moment)).await;
        holder.kill().unwrap();
        holder.wait().unwrap();
        let end = Instant::now() + LONG;
        loop {
            // The watchdog names the folder in its command line, so it counts until it is done.
            let left = alive(-1, temp.path());
            let files = std::fs::read_dir(temp.path()).unwrap().count();
            if left.is_empty() && files == 0 {
                break;
            }
            assert!(Instant::now() < end, "killed after {moment} ms: {files} files and {left:#?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test]
async fn kill_of_the_browser_fails_pending_and_later_calls_within_five_seconds_with_one_clear_error() {
    let browser = launch().await;
    let page = page_in(&browser, "hello").await;
    let never = page.locator("#never").within(LONG);
    let expectation = never.expect();
    let pending = expectation.to_be_visible();
    let kill = async {
        page.settle_events().await.unwrap();
        let started = Instant::now();
        kill_process(browser.pid());
        started
    };
    let (result, started) = tokio::join!(pending, kill);
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let error = result.unwrap_err();
    assert!(matches!(error, Error::BrowserGone { .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("the browser is gone (script.callFunction: the connection has ended: "), "{text}");
    assert!(text.contains("launch a new one. Last driver output:"), "{text}");

    let started = Instant::now();
    let later = page.goto("data:text/html,x").await.unwrap_err();
    assert!(matches!(later, Error::BrowserGone { .. }), "{later}");
    assert!(started.elapsed() < Duration::from_secs(1));
    browser.close().await.unwrap();
    assert!(!browser.folder().exists());
}

fn kill_process(pid: i32) {
    let killed = Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
    assert!(killed.success());
}

#[tokio::test]
async fn kill_of_driver_and_browser_is_told_like_any_other_death() {
    let browser = launch().await;
    let page = page_in(&browser, "hello").await;
    browser.kill();
    let started = Instant::now();
    let error = page.title().await.unwrap_err();
    assert!(matches!(error, Error::BrowserGone { .. }), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[tokio::test]
async fn call_after_close_says_who_closed_it() {
    let browser = launch().await;
    let page = page_in(&browser, "hello").await;
    browser.close().await.unwrap();
    let text = page.title().await.unwrap_err().to_string();
    assert!(text.contains("the connection has ended"), "{text}");
}

#[tokio::test]
async fn browser_that_can_not_start_is_reported_with_the_drivers_words_and_leaves_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        chromium: Some("/bin/false".into()),
        temp_dir: temp.path().to_owned(),
        ..LaunchOptions::from_env()
    };
    let error = Browser::launch(options).await.unwrap_err();
    assert!(matches!(error, Error::SessionNotCreated { .. }), "{error}");
    assert!(error.to_string().contains("the browser did not start: "), "{error}");
    let end = Instant::now() + LONG;
    while std::fs::read_dir(temp.path()).unwrap().next().is_some() {
        assert!(Instant::now() < end, "the browser's folder is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn browser_without_a_screen_to_be_headed_on_fails_before_the_deadline() {
    let options = LaunchOptions { headed: true, env: Vec::new(), ..LaunchOptions::from_env() };
    let error = Browser::launch(options).await.unwrap_err();
    assert!(matches!(error, Error::SessionNotCreated { .. }), "{error}");
}

#[tokio::test]
async fn slow_motion_waits_before_each_action() {
    let pause = Duration::from_millis(150);
    let browser = Browser::launch(LaunchOptions { slow_motion: pause, ..LaunchOptions::from_env() }).await.unwrap();
    let context = browser.new_context(ContextOptions::default()).await.unwrap();
    let page = context.new_page().await.unwrap();
    let started = Instant::now();
    page.goto("data:text/html,<button>Go</button>").await.unwrap();
    page.locator("button").click().await.unwrap();
    assert!(started.elapsed() >= 2 * pause);
    browser.close().await.unwrap();
}

/// A program that acts as the driver: `script` runs in a shell.
fn fake_driver(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join("chromedriver");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

async fn launch_error(script: &str, deadline: Duration) -> Error {
    let folder = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        chromedriver: Some(fake_driver(folder.path(), script)),
        start_deadline: deadline,
        ..LaunchOptions::from_env()
    };
    Browser::launch(options).await.unwrap_err()
}

#[tokio::test]
async fn driver_of_another_version_is_named_with_the_browsers() {
    // What ChromeDriver answers then.
    let reply = serde_json::json!({ "value": {
        "error": "session not created", "stacktrace": "",
        "message": "session not created: This version of ChromeDriver only supports Chrome version 150\n\
                    Current browser version is 156.0.8078.114 with binary path /usr/bin/chromium",
    }});
    let refuse = move || async move { (axum::http::StatusCode::INTERNAL_SERVER_ERROR, axum::Json(reply)) };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let app = axum::Router::new().route("/session", axum::routing::post(refuse));
    tokio::spawn(async move { axum::serve(listener, app).await });
    let script = format!("echo ChromeDriver was started successfully on port {port}.; exec sleep 60");
    let error = launch_error(&script, LONG).await;
    let expected = "ChromeDriver 150 cannot drive Chromium 156.0.8078.114: install both in the same major version";
    assert_eq!(error.to_string(), expected);
}

#[tokio::test]
async fn driver_that_hangs_or_dies_when_asked_for_a_session_is_reported() {
    // A port that takes connections and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = silent.local_addr().unwrap().port();
    let script = format!("echo ChromeDriver was started successfully on port {port}.; exec sleep 60");
    let error = launch_error(&script, Duration::from_millis(500)).await;
    assert!(matches!(error, Error::SessionNotCreated { .. }), "{error}");
    assert!(error.to_string().starts_with("the browser did not start: no session within 500ms; "), "{error}");

    drop(silent);
    let script = format!("echo ChromeDriver was started successfully on port {port}.");
    let error = launch_error(&script, LONG).await;
    assert!(matches!(error, Error::SessionNotCreated { .. }), "{error}");
}

#[tokio::test]
async fn missing_driver_is_told_with_the_ways_to_name_one() {
    let options = LaunchOptions { chromedriver: Some("/nowhere/driver".into()), ..LaunchOptions::from_env() };
    let error = Browser::launch(options).await.unwrap_err().to_string();
    let expected = "ChromeDriver not found: looked for /nowhere/driver; install it, or name it with \
                    LaunchOptions::chromedriver, which LaunchOptions::from_env takes from the variable CHROMEDRIVER";
    assert_eq!(error, expected);
}

#[tokio::test]
async fn attached_browser_is_used_like_any_other_and_its_driver_outlives_the_session() {
    // Only its driver is used; it stands for one that somebody else runs.
    let temp = tempfile::tempdir().unwrap();
    let driver = LaunchOptions::from_env().chromedriver.unwrap_or_else(|| "chromedriver".into());
    let mut driver = Command::new(driver)
        .arg("--port=0")
        .env("TMPDIR", temp.path())
        .env("HOME", temp.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut lines =
        lines.filter_map(|line| Some(line.split_once("successfully on port ")?.1.trim_end_matches('.').to_owned()));
    let url = format!("http://127.0.0.1:{}", lines.next().unwrap());
    for _ in 0..2 {
        let browser = Browser::attach(&url, LaunchOptions::from_env()).await.unwrap();
        let page = page_in(&browser, "<button onclick='this.textContent = 1'>Go</button>").await;
        page.get_by_role("button", "Go").click().await.unwrap();
        assert_eq!((browser.processes(), browser.process_group(), browser.folder()), (vec![], 0, Path::new("")));
        browser.kill();
        assert_eq!(page.title().await.unwrap(), "Test page");
        browser.close().await.unwrap();
        assert!(matches!(page.title().await.unwrap_err(), Error::BrowserGone { .. }));
        assert!(driver.try_wait().unwrap().is_none());
    }
    driver.kill().unwrap();
    driver.wait().unwrap();
    let error = Browser::attach(&url, LaunchOptions::from_env()).await.unwrap_err().to_string();
    assert!(error.starts_with("the browser did not start: "), "{error}");
}

#[tokio::test]
async fn crashed_page_ends_what_waits_for_it_and_lives_again_when_loaded() {
    let browser = launch().await;
    let page = page_in(&browser, "hello").await;
    let other = page_in(&browser, "other").await;
    let url = page.url().await.unwrap();
    let never = page.locator("#never").within(LONG);
    let started = Instant::now();
    let crash = async {
        let error = page.goto("chrome://crash").await.unwrap_err();
        assert!(matches!(error, Error::Navigation { .. } | Error::PageCrashed { .. }), "{error}");
    };
    let (waited, ()) = tokio::join!(never.click(), crash);
    let expected = |action: &str| {
        format!("{action}: the page {} has crashed; load it again with Page::goto or Page::reload", page.id())
    };
    assert_eq!(waited.unwrap_err().to_string(), expected("click locator(\"#never\")"));
    assert_eq!(page.title().await.unwrap_err().to_string(), expected("reading the title"));
    let waited = page.wait_for_url(|url| url.ends_with("/never")).await;
    assert!(matches!(waited.unwrap_err(), Error::PageCrashed { .. }));
    assert!(page.is_crashed() && !page.is_closed() && !other.is_crashed());
    assert!(started.elapsed() < LONG);
    assert_eq!(other.title().await.unwrap(), "Test page");
    page.goto(&url).await.unwrap();
    assert_eq!(page.title().await.unwrap(), "Test page");
    assert!(!page.is_crashed());
    browser.close().await.unwrap();
}

#[tokio::test]
async fn two_hundred_contexts_in_a_row_leave_no_process_no_file_and_no_memory_behind() {
    let browser = launch().await;
    let url = support::serve("<p>hello</p><script>localStorage.setItem('a', 'b')</script>").await;
    let round = async || {
        let context = browser.new_context(ContextOptions::default()).await.unwrap();
        let page = context.new_page().await.unwrap();
        page.goto(&url).await.unwrap();
        context.close().await.unwrap();
    };
    // Kilobytes of the driver and the browser itself; those of pages come and go.
    let memory = || -> u64 {
        let of = |pid: i32| {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
            line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
        };
        of(browser.pid()) + of(browser.process_group())
    };
    let descriptors = || std::fs::read_dir(format!("/proc/{}/fd", browser.pid())).unwrap().count();
    let files = || walk(browser.folder());
    for _ in 0..20 {
        round().await;
    }
    let before = (browser.processes().len(), files(), memory(), descriptors());
    for _ in 0..45 {
        tokio::join!(round(), round(), round(), round());
    }
    let after = (browser.processes().len(), files(), memory(), descriptors());
    let told = format!("processes, files, kB, descriptors: {before:?}, then {after:?}");
    println!("{told}");
    // Some room for what the browser keeps ready or is about to clear away.
    assert!(after.0 <= before.0 + 4, "{told}");
    assert!(after.1 <= before.1 + 40, "{told}");
    assert!(after.2 <= before.2 + 60_000, "{told}");
    assert!(after.3 <= before.3 + 60, "{told}");
    browser.close().await.unwrap();
}

/// How many files are in the folder and below.
fn walk(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { walk(&entry.path()) } else { 1 }).sum()
}
