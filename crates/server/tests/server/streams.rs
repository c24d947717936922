//! The two event streams: spec section 4e, tiers T9.

use serde_json::{Value, json};
use wire::{HOST_STREAM_PATH, MUX_STREAM_PATH, MuxFrame};

use crate::support::{Bench, Connection, End};

fn subscribed(last_seq: i64) -> MuxFrame {
    MuxFrame::Subscribed { session_id: "s-1".to_owned(), last_seq }
}

async fn frame(connection: &mut Connection) -> Value {
    let event = connection.next_event().await.unwrap();
    serde_json::from_str(event.strip_prefix("data: ").unwrap_or_else(|| panic!("{event}"))).unwrap()
}

#[tokio::test]
async fn each_frame_is_readable_before_the_next_is_written() {
    let bench = Bench::start().await;
    let mut stream = bench.open_stream(MUX_STREAM_PATH).await;
    for last_seq in 0..3 {
        bench.api.emit(&subscribed(last_seq));
        let envelope = frame(&mut stream).await;
        assert_eq!(
            (&envelope["type"], &envelope["method"], &envelope["payload"]),
            (&json!("server-request"), &json!("session/subscribed"), &json!({"sessionId": "s-1", "lastSeq": last_seq}))
        );
        assert!(envelope["rpcId"].is_string(), "{envelope}");
    }
}

#[tokio::test]
async fn the_host_stream_carries_host_frames() {
    let bench = Bench::start().await;
    let mut stream = bench.open_stream(HOST_STREAM_PATH).await;
    assert_eq!(frame(&mut stream).await["method"], "host/session-status");
}

#[tokio::test]
async fn a_stream_outlives_the_end_of_its_requests_body() {
    let bench = Bench::start().await;
    let mut stream = bench.connect().await;
    stream.send(bench.admitted("GET", MUX_STREAM_PATH).json("{}").text().as_bytes()).await;
    assert_eq!(stream.head().await.status, 200);
    assert_eq!(stream.next_event().await.as_deref(), Ok(": connected"));
    // The body is long read; frames go on.
    for last_seq in 0..3 {
        bench.api.emit(&subscribed(last_seq));
        assert_eq!(frame(&mut stream).await["payload"]["lastSeq"], last_seq);
    }
    bench.api.until_open_streams(1).await;
}

#[tokio::test]
async fn a_reader_that_goes_away_ends_the_hosts_stream() {
    let bench = Bench::start().await;
    let mux = bench.open_stream(MUX_STREAM_PATH).await;
    let host = bench.open_stream(HOST_STREAM_PATH).await;
    bench.api.until_open_streams(2).await;
    assert_eq!(bench.server.traffic().open_streams(), 2);
    drop(mux);
    bench.api.until_open_streams(1).await;
    drop(host);
    bench.api.until_open_streams(0).await;
}

#[tokio::test]
async fn a_stream_ends_in_order_when_the_host_ends_it() {
    let bench = Bench::start().await;
    let mut stream = bench.open_stream(MUX_STREAM_PATH).await;
    bench.api.emit(&subscribed(7));
    bench.api.end();
    assert_eq!(frame(&mut stream).await["payload"]["lastSeq"], 7, "what was sent before the end arrives");
    assert_eq!(stream.next_event().await, Err(End::InOrder));
}

#[tokio::test]
async fn cut_streams_break_off_in_the_middle_and_later_ones_are_whole() {
    let bench = Bench::start().await;
    let mut mux = bench.open_stream(MUX_STREAM_PATH).await;
    let mut host = bench.open_stream(HOST_STREAM_PATH).await;
    frame(&mut host).await;
    bench.server.cut_streams();
    assert_eq!(mux.next_event().await, Err(End::BrokenOff));
    assert_eq!(host.next_event().await, Err(End::BrokenOff));
    bench.api.until_open_streams(0).await;
    let mut later = bench.open_stream(MUX_STREAM_PATH).await;
    bench.api.emit(&subscribed(1));
    assert_eq!(frame(&mut later).await["payload"]["lastSeq"], 1);
}

#[tokio::test]
async fn a_slow_reader_blocks_nobody() {
    let bench = Bench::start().await;
    let (stuck, mut quick) = bench.stuck_and_quick_stream().await;
    bench.api.emit(&subscribed(3));
    assert_eq!(frame(&mut quick).await["payload"]["lastSeq"], 3);
    assert_eq!(bench.ask(bench.call("host.describe", "{}")).await.status, 200);
    drop(stuck);
    bench.api.until_open_streams(1).await;
}
