//! Bounds on what one caller can take: security.md line 20.

use std::io::ErrorKind;

use server::{MAX_BODY_BYTES, MAX_CONNECTIONS, MAX_HEAD_BYTES, MAX_STREAMS, READ_HEAD_WITHIN};
use tokio::io::AsyncReadExt;
use wire::MUX_STREAM_PATH;

use crate::support::Bench;

#[tokio::test]
async fn a_body_over_the_limit_is_refused_and_one_at_the_limit_is_read() {
    let bench = Bench::start().await;
    let post = |bytes: usize| bench.admitted("POST", "/api/host.describe").json(&" ".repeat(bytes));
    let at_limit = bench.ask(post(MAX_BODY_BYTES)).await;
    assert_eq!((at_limit.status, at_limit.code().as_str()), (400, "body-not-json"), "read to its end");

    // Only the promise of a body: it is refused before it comes.
    let mut connection = bench.connect().await;
    let too_large = bench.admitted("POST", "/api/host.describe").header("Content-Type", "application/json");
    let too_large = too_large.header("Content-Length", &(MAX_BODY_BYTES + 1).to_string());
    let answer = connection.ask(&too_large).await;
    assert_eq!((answer.status, answer.code().as_str()), (413, "body-too-large"));
    assert_eq!(answer.message(), "the body is longer than 4194304 bytes: send less in one call");

    // One that does not tell its length is read up to the limit.
    let mut connection = bench.connect().await;
    let chunked = bench.admitted("POST", "/api/host.describe").header("Content-Type", "application/json");
    connection.send(chunked.header("Transfer-Encoding", "chunked").text().as_bytes()).await;
    let chunk = format!("{:x}\r\n{}\r\n", MAX_BODY_BYTES + 1, " ".repeat(MAX_BODY_BYTES + 1));
    connection.send(chunk.as_bytes()).await;
    assert_eq!(connection.answer(false).await.code(), "body-too-large");
}

#[tokio::test]
async fn a_head_over_the_limit_is_refused() {
    let bench = Bench::start().await;
    let padded = |bytes: usize| bench.admitted("GET", "/").header("X-Padding", &"x".repeat(bytes));
    assert_eq!(bench.ask(padded(MAX_HEAD_BYTES / 2)).await.status, 200);
    let mut connection = bench.connect().await;
    connection.send(padded(MAX_HEAD_BYTES).text().as_bytes()).await;
    assert_eq!(connection.head().await.status, 431);
    assert!(connection.is_closed().await);
    let line = bench.only_line();
    assert!(line.starts_with("connection from 127.0.0.1:"), "{line}");
    assert!(line.ends_with("broke: message head is too large"), "{line}");
}

#[tokio::test]
async fn what_is_not_http_is_told_so_and_logged() {
    let bench = Bench::start().await;
    let mut connection = bench.connect().await;
    connection.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n").await;
    assert_eq!(connection.head().await.status, 400);
    assert!(bench.only_line().contains("broke: "), "{:?}", bench.log());
}

#[tokio::test]
async fn streams_over_the_limit_are_refused_until_one_ends() {
    let bench = Bench::start().await;
    let mut open = Vec::new();
    for _ in 0..MAX_STREAMS {
        open.push(bench.open_stream(MUX_STREAM_PATH).await);
    }
    let refused = bench.ask(bench.admitted("GET", MUX_STREAM_PATH)).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "too-many-streams"));
    assert_eq!(refused.message(), "64 streams are open already: close other tabs of this page, then reload");
    assert_eq!(bench.ask(bench.call("host.describe", "{}")).await.status, 200, "calls are not affected");
    open.pop();
    bench.api.until_open_streams(MAX_STREAMS - 1).await;
    bench.open_stream(MUX_STREAM_PATH).await;
}

#[tokio::test]
async fn connections_over_the_limit_wait_until_one_ends() {
    let bench = Bench::start().await;
    let mut open = Vec::new();
    for _ in 0..MAX_CONNECTIONS {
        let mut connection = bench.connect().await;
        assert_eq!(connection.ask(&bench.admitted("HEAD", "/")).await.status, 200);
        open.push(connection);
    }
    let mut waiting = bench.connect().await;
    waiting.send(bench.admitted("GET", "/").text().as_bytes()).await;
    assert_eq!(open[0].ask(&bench.admitted("HEAD", "/")).await.status, 200, "who is connected is served");
    let nothing = waiting.socket.try_read(&mut [0]).unwrap_err();
    assert_eq!(nothing.kind(), ErrorKind::WouldBlock);
    open.pop();
    assert_eq!(waiting.answer(false).await.status, 200);
}

/// Time jumps ahead whenever nothing else is to be done.
#[tokio::test(start_paused = true)]
async fn a_head_that_does_not_come_to_its_end_is_not_waited_for() {
    let bench = Bench::start().await;
    let mut connection = bench.connect().await;
    connection.send(b"GET / HTTP/1.1\r\nHost: ").await;
    let mut answer = Vec::new();
    let closed = connection.socket.read_to_end(&mut answer);
    tokio::time::timeout(2 * READ_HEAD_WITHIN, closed).await.expect("the end of the connection").unwrap();
    let line = bench.only_line();
    assert!(line.contains("broke: "), "{line}, {:?}", String::from_utf8_lossy(&answer));
}
