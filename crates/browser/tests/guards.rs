//! Every guard goes red for its kind of problem, with text and place, and for nothing else.

mod support;

use browser::{Context, ContextOptions, Page, Problem, ProblemKind, RequestState};
use serde_json::Value;
use support::{page_with, run, serve, shared_browser};

/// The problems of a page with this body, after everything was reported.
async fn problems(body: &str) -> (Context, Page, Vec<Problem>) {
    let (context, page) = page_with(body).await;
    page.settle_events().await.unwrap();
    let problems = page.problems();
    (context, page, problems)
}

fn only(problems: &[Problem]) -> &Problem {
    assert_eq!(problems.len(), 1, "{problems:#?}");
    &problems[0]
}

#[test]
fn healthy_page_has_no_problems() {
    run(async {
        let (context, page, problems) =
            problems("<script>console.log('fine'); console.warn('hm'); try { throw 1 } catch {}</script>").await;
        assert_eq!(problems, []);
        let console = page.console();
        assert_eq!(console.iter().map(|entry| entry.text.as_str()).collect::<Vec<_>>(), ["fine", "hm"]);
        context.close().await.unwrap();
    });
}

#[test]
fn uncaught_exception_is_a_page_error_with_its_place() {
    run(async {
        let (context, _, problems) = problems("<script>\nfunction work() { null.x }\nwork()</script>").await;
        let problem = only(&problems);
        assert_eq!(problem.kind, ProblemKind::PageError);
        assert!(problem.text.starts_with("TypeError: Cannot read properties of null"), "{}", problem.text);
        assert_eq!((problem.stack[0].function.as_str(), problem.stack[0].line), ("work", 2));
        assert!(problem.to_string().starts_with("page error: TypeError: Cannot read"), "{problem}");
        assert!(problem.to_string().contains(" at work (http://127.0.0.1:"), "{problem}");
        context.close().await.unwrap();
    });
}

#[test]
fn rejection_is_told_from_an_exception() {
    run(async {
        let (context, _, problems) = problems("<script>Promise.reject(new Error('no luck'))</script>").await;
        let problem = only(&problems);
        assert_eq!((problem.kind, problem.text.as_str()), (ProblemKind::UnhandledRejection, "Error: no luck"));
        context.close().await.unwrap();
    });
}

#[test]
fn handled_rejection_is_none() {
    run(async {
        let (context, _, problems) = problems("<script>Promise.reject(new Error('x')).catch(() => {})</script>").await;
        assert_eq!(problems, []);
        context.close().await.unwrap();
    });
}

#[test]
fn console_error_keeps_the_message_of_error_objects() {
    run(async {
        let (context, _, problems) =
            problems("<script>console.error('saving', new RangeError('too far'), 7)</script>").await;
        let problem = only(&problems);
        assert_eq!((problem.kind, problem.text.as_str()), (ProblemKind::ConsoleError, "saving RangeError: too far 7"));
        context.close().await.unwrap();
    });
}

#[test]
fn missing_file_is_an_http_error() {
    run(async {
        let (context, page, problems) = problems("<img src=/missing.png>").await;
        let problem = only(&problems);
        assert_eq!((problem.kind, problem.text.as_str()), (ProblemKind::HttpError, "GET answered 404"));
        assert!(problem.url.ends_with("/missing.png"), "{}", problem.url);
        let request = page.requests().into_iter().find(|request| request.url == problem.url).unwrap();
        assert_eq!(request.state, RequestState::Completed { status: 404 });
        context.close().await.unwrap();
    });
}

#[test]
fn refused_connection_is_a_failed_request() {
    run(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let (context, page) = page_with("hello").await;
        let fetch = "async (url) => { try { await fetch(url, { mode: 'no-cors' }) } catch {} }";
        page.evaluate::<Value>(fetch, &[format!("http://127.0.0.1:{port}/api").into()]).await.unwrap();
        page.settle_events().await.unwrap();
        let problems = page.problems();
        let problem = only(&problems);
        assert_eq!(problem.kind, ProblemKind::RequestFailed);
        assert_eq!(problem.text, "GET failed: net::ERR_CONNECTION_REFUSED");
        context.close().await.unwrap();
    });
}

#[test]
fn request_the_page_gives_up_itself_is_none() {
    run(async {
        // Accepts and never answers.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let silent = format!("http://{}/", listener.local_addr().unwrap());
        let (context, page) = page_with("hello").await;
        let fetch = "async (url) => { const stop = new AbortController(); const answer = fetch(url, { mode: 'no-cors', signal: stop.signal });
        stop.abort(); try { await answer } catch {} }";
        page.evaluate::<Value>(fetch, &[silent.clone().into()]).await.unwrap();
        page.evaluate::<Value>("(url) => { fetch(url, { mode: 'no-cors' }) }", &[silent.into()]).await.unwrap();
        page.reload().await.unwrap();
        page.settle_events().await.unwrap();
        assert_eq!(page.problems(), []);
        context.close().await.unwrap();
    });
}

#[test]
fn problems_of_frames_and_popups_are_heard_and_stay_after_navigation() {
    run(async {
        let framed = serve("<script>console.error('in the frame')</script>").await;
        let browser = shared_browser().await;
        let context = browser.new_context(ContextOptions::default()).await.unwrap();
        let page = context.new_page().await.unwrap();
        page.goto(&serve(&format!("<iframe src={framed}></iframe>")).await).await.unwrap();
        page.goto("about:blank").await.unwrap();
        page.settle_events().await.unwrap();
        assert_eq!(only(&page.problems()).text, "in the frame");

        let popup = serve("<script>console.error('in the popup')</script>").await;
        page.evaluate::<Value>("(url) => { window.open(url, '_blank', 'noopener') }", &[popup.into()]).await.unwrap();
        let end = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while context.problems().len() < 2 {
            assert!(std::time::Instant::now() < end, "{:#?}", context.problems());
            page.settle_events().await.unwrap();
        }
        assert_eq!(context.problems()[1].text, "in the popup");
        assert_eq!(page.problems().len(), 1);
        context.close().await.unwrap();
    });
}

#[test]
fn burst_of_console_lines_is_complete_and_in_order() {
    run(async {
        let (context, page) =
            page_with("<script>for (let i = 0; i < 1500; i++) console.info('line ' + i)</script>").await;
        page.settle_events().await.unwrap();
        let texts: Vec<String> = page.console().into_iter().map(|entry| entry.text).collect();
        let expected: Vec<String> = (0..1500).map(|i| format!("line {i}")).collect();
        assert_eq!(texts, expected);
        context.close().await.unwrap();
    });
}

/// Chromium calls an answer complete when its head is there, and the driver forgets the request then.
#[test]
fn an_answer_whose_body_breaks_off_is_a_failed_request_with_its_address() {
    run(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/stream", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            let _ = tokio::io::AsyncReadExt::read(&mut socket, &mut [0; 4096]).await;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\
                access-control-allow-origin: *\r\n\r\n4\r\nhalf\r\n";
            tokio::io::AsyncWriteExt::write_all(&mut socket, head.as_bytes()).await.unwrap();
        });
        let (context, page) = page_with("").await;
        let read = "async (url) => { try { await (await fetch(url)).text() } catch {} }";
        page.evaluate::<Value>(read, &[address.as_str().into()]).await.unwrap();
        page.settle_events().await.unwrap();
        let problems = page.problems();
        let problem = only(&problems);
        assert_eq!(problem.kind, ProblemKind::RequestFailed);
        let expected = format!("failed request: GET failed: net::ERR_INCOMPLETE_CHUNKED_ENCODING at {address}");
        assert_eq!(problem.to_string(), expected);
        context.close().await.unwrap();
    });
}
