//! How a server ends: tiers T9.

use std::time::Duration;

use server::ServerError;
use tokio::net::TcpStream;
use wire::{HOST_STREAM_PATH, MUX_STREAM_PATH};

use crate::support::{Bench, End, HELD, soon};

const LONG: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(50);

#[tokio::test]
async fn close_ends_quiet_streams_and_idle_connections_at_once() {
    let bench = Bench::start().await;
    let mut stream = bench.open_stream(MUX_STREAM_PATH).await;
    let mut idle = bench.connect().await;
    assert_eq!(idle.ask(&bench.admitted("GET", "/")).await.status, 200);
    bench.server.close(LONG).await.unwrap();
    assert_eq!(stream.next_event().await, Err(End::InOrder));
    assert!(idle.is_closed().await);
    bench.api.until_open_streams(0).await;
    assert!(TcpStream::connect(bench.server.local_addr()).await.is_err(), "nobody listens any more");
    bench.server.close(LONG).await.unwrap();
}

#[tokio::test]
async fn close_waits_for_the_answer_of_a_running_call() {
    let bench = Bench::start().await;
    let mut connection = bench.connect().await;
    let held = bench.call("session.cancel", &format!(r#"{{"sessionId":"{HELD}"}}"#));
    connection.send(held.text().as_bytes()).await;
    bench.api.until_held(1).await;
    let (closed, answer) = tokio::join!(bench.server.close(LONG), async {
        bench.api.release();
        connection.answer(false).await
    });
    closed.unwrap();
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn close_breaks_off_what_outlasts_the_deadline_and_names_it() {
    let bench = Bench::start().await;
    let mut caller = bench.connect().await;
    let held = bench.call("session.cancel", &format!(r#"{{"sessionId":"{HELD}"}}"#));
    caller.send(held.text().as_bytes()).await;
    bench.api.until_held(1).await;
    let (stuck, quick) = bench.stuck_and_quick_stream().await;
    drop(quick);
    bench.api.until_open_streams(1).await;
    let error = bench.server.close(SHORT).await.unwrap_err();
    let (caller_addr, stuck_addr) = (caller.socket.local_addr().unwrap(), stuck.socket.local_addr().unwrap());
    let ServerError::CloseDeadline { mut connections, calls, deadline } = error else { panic!("{error:?}") };
    connections.sort();
    let mut expected =
        [format!("{caller_addr} (POST /api/session.cancel)"), format!("{stuck_addr} (GET /api/events.mux)")];
    expected.sort();
    assert_eq!((connections.as_slice(), calls, deadline), (expected.as_slice(), 1, SHORT));
    assert!(caller.is_closed().await);
    bench.api.until_open_streams(0).await;
    let message = ServerError::CloseDeadline { connections, calls, deadline }.to_string();
    assert!(
        message.starts_with("2 connections and 1 calls were still busy 50ms after the server was told to close"),
        "{message}"
    );
    assert!(message.ends_with("give it longer, or find out what keeps them"), "{message}");
}

#[tokio::test]
async fn dropping_a_server_breaks_everything_off() {
    let Bench { api, server, .. } = {
        let bench = Bench::start().await;
        let stream = bench.open_stream(HOST_STREAM_PATH).await;
        bench.api.until_open_streams(1).await;
        std::mem::forget(stream);
        bench
    };
    let addr = server.local_addr();
    drop(server);
    api.until_open_streams(0).await;
    let refused = async {
        while TcpStream::connect(addr).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    soon("the port to be free", refused).await;
}
