//! Generations: what makes one, what ends one, how long until the next.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use wire::{HOST_STREAM_PATH, HostFrame, MUX_STREAM_PATH, MuxFrame, RpcError};

use crate::testing::{Fake, Log, run, settle};
use crate::{Client, ConnectionState, Counters, Phase, TransportError};

fn empty() -> serde_json::Value {
    json!({"items": []})
}

fn loss(client: &Client) -> String {
    client.diagnostics().last_loss.unwrap_or_default()
}

#[test]
fn connected_means_both_streams_the_description_and_both_lists() {
    run(async {
        let fake = Fake::default();
        let client = fake.client();
        assert_eq!(client.connection(), ConnectionState::Stopped);
        client.start();
        client.start();
        assert_eq!(client.connection(), ConnectionState::Connecting);
        settle().await;
        assert_eq!(fake.opened.get(), 2, "two streams, once");
        assert_eq!(fake.waiting(), ["host.describe"], "lists are asked for after the description");
        fake.take("host.describe").value(json!({"version": "1", "provider": null, "model": "m", "home": null}));
        settle().await;
        assert_eq!(fake.waiting(), ["session.list", "workspace.list"]);
        fake.take("session.list").value(empty());
        settle().await;
        assert_eq!(client.connection(), ConnectionState::Connecting, "one list is missing");
        fake.take("workspace.list").value(empty());
        settle().await;
        assert_eq!(client.connection(), ConnectionState::Connected);
        assert_eq!(client.host().and_then(|host| host.model), Some("m".to_owned()));
        let expected = Counters { generations: 1, ..Counters::default() };
        let diagnostics = client.diagnostics();
        assert_eq!((diagnostics.counters, diagnostics.generation, diagnostics.last_loss), (expected, 1, None));
    });
}

#[test]
fn nothing_is_asked_before_the_streams_are_open_or_three_seconds_are_over() {
    run(async {
        let fake = Fake::default();
        fake.openings.borrow_mut().push_back(None);
        let client = fake.client();
        client.start();
        settle().await;
        assert_eq!(fake.waiting(), [""; 0]);
        assert_eq!(fake.next("host.describe").await, Duration::from_secs(3));
        assert_eq!(client.diagnostics().counters.reconnects, 0, "it is the same generation");
    });
}

#[test]
fn whatever_breaks_ends_the_generation_and_says_why() {
    type Row = (&'static str, fn(&Fake), &'static str);
    let table: &[Row] = &[
        ("the session stream ends", |fake| fake.end(MUX_STREAM_PATH), "/api/events.mux ended"),
        ("the host stream ends", |fake| fake.end(HOST_STREAM_PATH), "/api/events.host ended"),
        (
            "a stream breaks",
            |fake| fake.bytes(MUX_STREAM_PATH, Err(TransportError("reset".to_owned()))),
            "/api/events.mux broke: reset",
        ),
        (
            "an error frame on the session stream",
            |fake| fake.mux(MuxFrame::Error { message: "too slow".to_owned() }),
            "the host ended the session stream: too slow",
        ),
        (
            "an error frame on the host stream",
            |fake| fake.host(HostFrame::Error { message: "going down".to_owned() }),
            "the host ended its event stream: going down",
        ),
    ];
    run(async move {
        for (name, breaks, expected) in table {
            let fake = Fake::default();
            let client = fake.connected().await;
            breaks(&fake);
            settle().await;
            assert_eq!(client.connection(), ConnectionState::Reconnecting { attempt: 1 }, "{name}");
            assert_eq!(loss(&client), *expected, "{name}");
            assert!(!fake.reads(MUX_STREAM_PATH) && !fake.reads(HOST_STREAM_PATH), "{name}: both streams are given up");
            fake.next("host.describe").await;
            fake.shake_hands(empty(), empty()).await;
            assert_eq!(client.connection(), ConnectionState::Connected, "{name}");
            let expected = Counters { generations: 2, reconnects: 1, ..Counters::default() };
            assert_eq!(client.diagnostics().counters, expected, "{name}");
            client.stop();
            settle().await;
        }
    });
}

#[test]
fn a_handshake_that_fails_takes_the_same_path() {
    run(async {
        for method in ["host.describe", "session.list", "workspace.list"] {
            let fake = Fake::default();
            let client = fake.client();
            client.start();
            settle().await;
            if method != "host.describe" {
                fake.take("host.describe")
                    .value(json!({"version": "1", "provider": null, "model": null, "home": null}));
                settle().await;
            }
            fake.take(method).refuse(RpcError::internal("the disk is full"));
            settle().await;
            assert_eq!(client.connection(), ConnectionState::Reconnecting { attempt: 1 }, "{method}");
            assert_eq!(loss(&client), "the disk is full", "{method}");
            assert!(!fake.reads(MUX_STREAM_PATH), "{method}: streams are given up");
            client.stop();
            settle().await;
        }
    });
}

#[test]
fn a_stream_that_does_not_open_takes_the_same_path() {
    run(async {
        let fake = Fake::default();
        fake.openings.borrow_mut().push_back(Some(TransportError("HTTP 401".to_owned())));
        let client = fake.client();
        client.start();
        settle().await;
        assert_eq!(client.connection(), ConnectionState::Reconnecting { attempt: 1 });
        assert_eq!(loss(&client), "/api/events.mux did not open: HTTP 401");
    });
}

#[test]
fn waits_grow_with_failed_attempts_and_start_over_after_a_success() {
    run(async {
        let fake = Fake::default();
        fake.chance.set(1.0);
        let client = fake.connected().await;
        for (attempt, wait) in (1..).zip([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
            if attempt == 1 {
                fake.end(MUX_STREAM_PATH);
            } else {
                fake.take("host.describe").refuse(RpcError::internal("not yet"));
            }
            settle().await;
            assert_eq!(client.connection(), ConnectionState::Reconnecting { attempt });
            assert_eq!(fake.next("host.describe").await, Duration::from_millis(wait), "attempt {attempt}");
        }
        fake.shake_hands(empty(), empty()).await;
        assert_eq!(client.connection(), ConnectionState::Connected);
        fake.end(HOST_STREAM_PATH);
        settle().await;
        assert_eq!(client.connection(), ConnectionState::Reconnecting { attempt: 1 });
        fake.chance.set(0.0);
        client.stop();
    });
}

#[test]
fn stop_means_stop() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        client.open("s");
        settle().await;
        let pull = fake.take("session.history");
        client.stop();
        fake.mux(MuxFrame::Subscribed { session_id: "s".to_owned(), last_seq: 5 });
        assert_eq!(client.connection(), ConnectionState::Stopped);
        settle().await;
        assert!(!fake.reads(MUX_STREAM_PATH) && !fake.reads(HOST_STREAM_PATH));
        let mut log = Log::default();
        log.round("p", "a", "b");
        pull.value(log.whole());
        settle().await;
        assert_eq!(client.session("s").unwrap().phase, Phase::Loading, "a late answer changes nothing");
        tokio::time::sleep(Duration::from_secs(60)).await;
        settle().await;
        assert_eq!((fake.opened.get(), client.diagnostics().counters.reconnects), (2, 0), "no new attempt");

        client.start();
        fake.shake_hands(empty(), empty()).await;
        assert_eq!(client.connection(), ConnectionState::Connected, "until it is started again");
        assert_eq!(fake.waiting(), ["session.history"], "what was open is loaded again");
    });
}

#[test]
fn stop_during_the_wait_ends_it() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        fake.end(MUX_STREAM_PATH);
        settle().await;
        client.stop();
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!((client.connection(), fake.opened.get()), (ConnectionState::Stopped, 2));
    });
}

#[test]
fn a_malformed_frame_is_counted_and_the_next_one_is_read() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        client.open("s");
        settle().await;
        let mut log = Log::default();
        fake.take("session.history").value(log.whole());
        settle().await;
        fake.bytes(MUX_STREAM_PATH, Ok(b"data: nonsense\n\n".to_vec()));
        fake.bytes(MUX_STREAM_PATH, Ok(b"data: \xFF\n\n: a comment\n\n".to_vec()));
        fake.bytes(
            HOST_STREAM_PATH,
            Ok(b"data: {\"type\":\"server-request\",\"rpcId\":\"1\",\"method\":\"host/none\",\"payload\":{}}\n\n"
                .to_vec()),
        );
        log.round("p", "a", "b");
        fake.mux(MuxFrame::Event { session_id: "s".to_owned(), event: log.events[0].clone() });
        settle().await;
        let diagnostics = client.diagnostics();
        assert_eq!(diagnostics.counters, Counters { generations: 1, malformed_frames: 3, ..Counters::default() });
        let last = diagnostics.last_malformed.unwrap();
        assert!(last.starts_with("/api/events.host: frame host/none: unknown variant"), "{last}");
        assert_eq!(diagnostics.sessions["s"].applied_seq, 0, "the stream went on");
    });
}

#[test]
fn a_panicking_listener_does_not_end_the_connection() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        let told = Rc::new(RefCell::new(0));
        let _bad = client.subscribe(|_| panic!("a listener of this test panics on purpose"));
        let counting = Rc::clone(&told);
        let _good = client.subscribe(move |_| *counting.borrow_mut() += 1);
        let row = json!({"workspaceId": "w", "path": "/w", "title": "w", "sessionIds": []});
        fake.host(HostFrame::WorkspaceChanged(serde_json::from_value(row).unwrap()));
        settle().await;
        assert_eq!((*told.borrow(), client.diagnostics().counters.sink_panics), (1, 1));
        assert_eq!((client.connection(), client.workspaces().len()), (ConnectionState::Connected, 1));
    });
}
