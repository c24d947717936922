//! The connection against a fake browser: one websocket server in this process per test.

use bidi::command::browsing_context::{Create, GetTree};
use bidi::event::log::EntryAdded;
use bidi::{Connection, Error};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, accept_async};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(50);

/// The browser's side of the socket.
struct Fake(WebSocketStream<TcpStream>);

impl Fake {
    /// The next command: its id and its whole message.
    async fn command(&mut self) -> (u64, Value) {
        loop {
            let message = self.0.next().await.expect("a command").expect("a sound socket");
            if let Message::Text(text) = message {
                let value: Value = serde_json::from_str(&text).expect("commands are JSON");
                return (value["id"].as_u64().expect("commands have an id"), value);
            }
        }
    }

    async fn say(&mut self, text: impl ToString) {
        self.0.send(Message::text(text.to_string())).await.expect("the client listens");
    }

    async fn reply(&mut self, id: u64, result: Value) {
        self.say(json!({ "type": "success", "id": id, "result": result })).await;
    }
}

/// A connection to a fake browser that behaves as `script` says.
async fn connect<F>(script: impl FnOnce(Fake) -> F + Send + 'static) -> Connection
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("the client connects");
        script(Fake(accept_async(stream).await.expect("a websocket handshake"))).await;
    });
    Connection::connect(&format!("ws://{address}/session/1"), LONG).await.expect("connects")
}

fn console(text: &str) -> Value {
    json!({ "type": "event", "method": "log.entryAdded", "params": {
        "type": "console", "level": "info", "method": "log", "text": text, "timestamp": 1.0,
        "source": { "realm": "r", "context": "c" }, "someNewField": { "deep": [1] } } })
}

#[tokio::test]
async fn replies_find_their_commands_in_any_order() {
    let browser = connect(|mut fake| async move {
        let (first, _) = fake.command().await;
        let (second, _) = fake.command().await;
        fake.reply(second, json!({ "n": 2 })).await;
        fake.reply(first, json!({ "n": 1 })).await;
    })
    .await;
    let (first, second) = tokio::join!(browser.send("a.b", json!({})), browser.send("c.d", json!({})));
    assert_eq!(first.unwrap()["n"], 1);
    assert_eq!(second.unwrap()["n"], 2);
}

#[tokio::test]
async fn typed_command_sends_its_name_and_parameters_and_ignores_new_result_fields() {
    let browser = connect(|mut fake| async move {
        let (id, message) = fake.command().await;
        assert_eq!(message["method"], "browsingContext.create");
        assert_eq!(message["params"], json!({ "type": "window", "userContext": "u" }));
        fake.reply(id, json!({ "context": "C1", "later": true })).await;
    })
    .await;
    let create = Create { user_context: Some("u".into()), ..Create::default() };
    assert_eq!(browser.call(&create).await.unwrap().context, "C1");
}

#[tokio::test]
async fn error_reply_names_command_code_and_message() {
    let browser = connect(|mut fake| async move {
        let (id, _) = fake.command().await;
        fake.say(json!({ "type": "error", "id": id, "error": "no such frame", "message": "Context X not found" }))
            .await;
    })
    .await;
    let error = browser.send("browsingContext.close", json!({})).await.unwrap_err();
    assert_eq!(error.to_string(), "browsingContext.close was refused: no such frame: Context X not found");
}

#[tokio::test]
async fn unexpected_result_shape_says_what_is_missing_and_shows_it() {
    let browser = connect(|mut fake| async move {
        let (id, _) = fake.command().await;
        fake.reply(id, json!({ "context": 5 })).await;
    })
    .await;
    let error = browser.call(&Create::default()).await.unwrap_err().to_string();
    assert!(error.starts_with("browsingContext.create: unexpected shape: "), "{error}");
    assert!(error.ends_with(r#"got {"context":5}"#), "{error}");
}

#[tokio::test]
async fn command_without_reply_fails_at_its_deadline_and_the_late_reply_is_dropped() {
    let (release, released) = tokio::sync::oneshot::channel();
    let browser = connect(|mut fake| async move {
        let (late, _) = fake.command().await;
        released.await.expect("released");
        fake.reply(late, json!({ "late": true })).await;
        let (next, _) = fake.command().await;
        fake.reply(next, json!({ "late": false })).await;
    })
    .await;
    let error = browser.send_within("script.callFunction", json!({}), SHORT).await.unwrap_err();
    assert!(matches!(error, Error::Deadline { .. }), "{error}");
    assert!(error.to_string().starts_with("script.callFunction got no reply within 50ms"), "{error}");
    assert!(
        error.to_string().ends_with("(nothing was ever heard from the browser, 0 other commands wait too)"),
        "{error}"
    );
    release.send(()).unwrap();
    assert_eq!(browser.send("a.b", json!({})).await.unwrap()["late"], false);
}

#[tokio::test]
async fn deadline_of_a_browser_gone_silent_says_since_when_and_how_many_wait() {
    let browser = connect(|mut fake| async move {
        let (first, _) = fake.command().await;
        fake.reply(first, json!({})).await;
        for _ in 0..2 {
            fake.command().await;
        }
        std::future::pending::<()>().await;
    })
    .await;
    browser.send("a.b", json!({})).await.unwrap();
    let other = browser.send_within("c.d", json!({}), Duration::from_secs(20));
    let asked = async { browser.send_within("e.f", json!({}), Duration::from_millis(300)).await.unwrap_err() };
    tokio::select! {
        biased;
        _ = other => panic!("nobody answers it"),
        error = asked => {
            let error = error.to_string();
            assert!(error.contains("(the browser was last heard of "), "{error}");
            assert!(error.ends_with(" ago, 1 other commands wait too)"), "{error}");
        }
    }
}

#[tokio::test]
async fn deadline_of_a_command_stuck_behind_an_unread_one_says_it_was_not_sent() {
    let browser = connect(|fake| async move {
        let _open_but_unread = fake;
        std::future::pending::<()>().await;
    })
    .await;
    // More than the buffers of a socket on loopback hold.
    let large = json!({ "text": "x".repeat(16 << 20) });
    let (first, second) = tokio::join!(
        browser.send_within("a.b", large, Duration::from_millis(300)),
        browser.send_within("c.d", json!({}), Duration::from_millis(300)),
    );
    for error in [first.unwrap_err(), second.unwrap_err()] {
        assert!(error.to_string().contains("(it was not even sent: "), "{error}");
    }
}

#[tokio::test]
async fn error_without_id_is_told_with_the_command_that_gets_no_reply() {
    let browser = connect(|mut fake| async move {
        fake.command().await;
        fake.say(json!({ "type": "error", "id": null, "error": "invalid argument", "message": "bad JSON" })).await;
        fake.command().await;
    })
    .await;
    let error = browser.send_within("a.b", json!({}), Duration::from_millis(300)).await.unwrap_err().to_string();
    assert!(error.contains("complained about some command: invalid argument: bad JSON"), "{error}");
}

#[tokio::test]
async fn socket_end_fails_all_pending_commands_alike_and_refuses_later_ones_at_once() {
    let browser = connect(|mut fake| async move {
        fake.command().await;
        fake.command().await;
        // Dropped without a close frame, as a killed browser does.
    })
    .await;
    let (first, second) = tokio::join!(browser.send("a.b", json!({})), browser.send("c.d", json!({})));
    let (first, second) = (first.unwrap_err().to_string(), second.unwrap_err().to_string());
    assert!(first.starts_with("a.b failed: the BiDi connection has ended ("), "{first}");
    assert_eq!(first.strip_prefix("a.b"), second.strip_prefix("c.d"));
    let later = browser.send("e.f", json!({})).await.unwrap_err().to_string();
    assert_eq!(first.strip_prefix("a.b"), later.strip_prefix("e.f"));
    assert!(browser.ended().is_some());
}

#[tokio::test]
async fn malformed_message_ends_the_connection_and_is_shown() {
    let browser = connect(|mut fake| async move {
        fake.command().await;
        fake.say(r#"{"id": 1, "result": {"#).await;
        fake.command().await;
    })
    .await;
    let error = browser.send("a.b", json!({})).await.unwrap_err().to_string();
    assert!(error.contains("malformed message: EOF while parsing"), "{error}");
    assert!(error.contains(r#"got {"id": 1, "result": {"#), "{error}");
}

#[tokio::test]
async fn message_of_an_unknown_kind_is_tolerated() {
    let browser = connect(|mut fake| async move {
        let (id, _) = fake.command().await;
        fake.say(json!({ "type": "notice", "anything": 1 })).await;
        fake.say(json!({ "type": "success", "id": 999, "result": {} })).await;
        fake.reply(id, json!({})).await;
    })
    .await;
    browser.send("a.b", json!({})).await.unwrap();
}

#[tokio::test]
async fn listener_has_seen_all_earlier_events_when_a_reply_returns() {
    const EVENTS: usize = 2_000;
    let browser = connect(|mut fake| async move {
        let (id, _) = fake.command().await;
        for n in 0..EVENTS {
            fake.say(console(&n.to_string())).await;
        }
        fake.reply(id, json!({})).await;
    })
    .await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let _listener = browser.listen(move |event| {
        let entry: EntryAdded = event.as_type().unwrap().unwrap();
        sink.lock().unwrap().push(entry.text.unwrap());
    });
    browser.send("a.b", json!({})).await.unwrap();
    let expected: Vec<String> = (0..EVENTS).map(|n| n.to_string()).collect();
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[tokio::test]
async fn slow_reader_of_a_queue_loses_nothing_and_hears_of_the_end_last() {
    const EVENTS: usize = 5_000;
    let browser = connect(|mut fake| async move {
        let (id, _) = fake.command().await;
        for n in 0..EVENTS {
            fake.say(console(&n.to_string())).await;
            fake.say(json!({ "method": "network.other", "params": {} })).await;
        }
        fake.reply(id, json!({})).await;
    })
    .await;
    let mut events = browser.events(&["log.entryAdded"]);
    browser.send("a.b", json!({})).await.unwrap();
    for n in 0..EVENTS {
        assert_eq!(events.next().await.unwrap().params["text"], n.to_string());
    }
    let end = events.next().await.unwrap_err();
    assert!(matches!(end, Error::Closed { .. }), "{end}");
}

#[tokio::test]
async fn dropped_listener_is_called_no_more() {
    let browser = connect(|mut fake| async move {
        for _ in 0..2 {
            let (id, _) = fake.command().await;
            fake.say(console("x")).await;
            fake.reply(id, json!({})).await;
        }
    })
    .await;
    let calls = Arc::new(Mutex::new(0));
    let sink = calls.clone();
    let listener = browser.listen(move |_| *sink.lock().unwrap() += 1);
    browser.send("a.b", json!({})).await.unwrap();
    drop(listener);
    browser.send("a.b", json!({})).await.unwrap();
    assert_eq!(*calls.lock().unwrap(), 1);
}

#[tokio::test]
async fn event_of_unexpected_shape_is_an_error_and_another_event_is_none() {
    let event = bidi::Event { method: "log.entryAdded".into(), params: json!({ "level": 3 }) };
    let error = event.as_type::<EntryAdded>().unwrap_err().to_string();
    assert!(error.starts_with("log.entryAdded: unexpected shape: "), "{error}");
    let other = bidi::Event { method: "log.other".into(), params: json!(null) };
    assert!(other.as_type::<EntryAdded>().unwrap().is_none());
}

#[tokio::test]
async fn message_far_above_the_usual_limits_arrives() {
    let browser = connect(|mut fake| async move {
        let (id, _) = fake.command().await;
        fake.reply(id, json!({ "contexts": [], "padding": "x".repeat(80 << 20) })).await;
    })
    .await;
    // A debug build unmasks and parses this slowly, and other tests run beside it.
    let tree = browser.call_within(&GetTree::default(), Duration::from_secs(120)).await.unwrap();
    assert!(tree.contexts.is_empty());
}

#[tokio::test]
async fn refused_connection_names_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let url = format!("ws://{address}/session/1");
    let error = Connection::connect(&url, LONG).await.unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot open the BiDi websocket {url}: ")), "{error}");
    assert!(error.ends_with("check that the driver is still running"), "{error}");
}

#[tokio::test]
async fn last_handle_dropped_closes_the_socket() {
    let (gone, told) = tokio::sync::oneshot::channel();
    let browser = connect(|mut fake| async move {
        while let Some(Ok(_)) = fake.0.next().await {}
        gone.send(()).unwrap();
    })
    .await;
    drop(browser);
    tokio::time::timeout(LONG, told).await.expect("the socket closes").unwrap();
}

#[test]
fn connection_outliving_its_runtime_refuses_at_once_and_says_why() {
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let first = runtime();
    let browser = first.block_on(connect(|mut fake| async move {
        fake.command().await;
    }));
    drop(first);
    let error = runtime().block_on(browser.send("a.b", json!({}))).unwrap_err().to_string();
    assert_eq!(
        error,
        "a.b failed: the BiDi connection has ended (the runtime it was opened on has stopped); start a new session"
    );
}
