//! Whole flows through the door, over a fake transport.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde_json::json;
use session::TurnEndReason;
use wire::{HistoryPage, HostFrame, MUX_STREAM_PATH, MuxFrame, PromptMode, RpcError, SessionSummary};

use super::Client;
use crate::testing::{Fake, Log, run, settle};
use crate::{Change, Counters, Phase, Row, TransportError};

type Told = Rc<RefCell<Vec<Change>>>;

fn listen(client: &Client) -> (Told, crate::Subscription) {
    let told = Told::default();
    let tell = Rc::clone(&told);
    let subscription = client.subscribe(move |change| tell.borrow_mut().push(change.clone()));
    (told, subscription)
}

fn event(event: &session::Event) -> MuxFrame {
    MuxFrame::Event { session_id: "s".to_owned(), event: event.clone() }
}

fn row(id: &str, running: bool, blank: bool) -> SessionSummary {
    let session_id = id.to_owned();
    SessionSummary { session_id, title: Some(format!("title of {id}")), updated_at: 1, running, blank, cwd: None }
}

fn texts(client: &Client, id: &str) -> Vec<String> {
    let text = |row: &Rc<Row>| match &**row {
        Row::User { text, pending, .. } => Some(format!("user {text}{}", if *pending { " (pending)" } else { "" })),
        Row::Text { markdown, streaming, .. } => Some(format!("text {markdown}{}", if *streaming { "…" } else { "" })),
        _ => None,
    };
    client.session(id).unwrap().rows.iter().filter_map(text).collect()
}

/// A connected client with one open, ready session that holds `log`.
async fn with_session(fake: &Fake, log: &Log) -> Client {
    let client = fake.connected().await;
    client.select(Some("s"));
    settle().await;
    fake.take("session.history").value(log.whole());
    settle().await;
    assert_eq!(client.session("s").unwrap().phase, Phase::Ready);
    client
}

#[test]
fn the_first_page_asks_for_fifty_messages_of_the_tail() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        client.open("s");
        client.open("s");
        settle().await;
        let call = fake.take("session.history");
        assert_eq!(call.request.payload, json!({"sessionId": "s", "maxMessages": 50}));
        assert_eq!(fake.waiting(), [""; 0], "two opens, one pull");
        let mut log = Log::default();
        log.round("p1", "one", "first answer");
        log.round("p2", "two", "second answer");
        call.value(log.page(10..20));
        settle().await;
        client.load_older("s");
        client.load_older("s");
        settle().await;
        let call = fake.take("session.history");
        assert_eq!(call.request.payload, json!({"sessionId": "s", "beforeSeq": 10, "maxMessages": 50}));
        call.value(log.page(0..10));
        settle().await;
        assert_eq!(texts(&client, "s"), ["user one", "text first answer", "user two", "text second answer"]);
        assert_eq!(fake.waiting(), [""; 0]);
    });
}

#[test]
fn chunk_then_partial_then_final_in_one_generation() {
    run(async {
        let fake = Fake::default();
        let mut log = Log::default();
        log.round("p1", "one", "first answer");
        let client = with_session(&fake, &log).await;
        let (told, _subscription) = listen(&client);
        log.begin_turn("p2", "two");
        log.text(0, "a streamed answer");
        for new in &log.events[10..] {
            fake.mux(event(new));
        }
        settle().await;
        assert_eq!(told.borrow().len(), 1, "rows in one microtask");
        assert_eq!(texts(&client, "s")[2..], ["user two", "text a streamed answer"]);
        fake.tick().await;
        told.borrow_mut().clear();

        log.begin_step();
        let from = log.events.len();
        fake.mux(event(&log.events[from - 1]));
        settle().await;
        fake.tick().await;
        told.borrow_mut().clear();
        log.text(0, "piece by piece by piece");
        for new in &log.events[from..] {
            fake.mux(event(new));
            settle().await;
        }
        assert_eq!(*told.borrow(), [], "pieces wait for the frame");
        assert!(client.diagnostics().publication_pending);
        fake.tick().await;
        assert_eq!(*told.borrow(), [Change::Session("s".to_owned())], "one publication a frame");
        assert!(!client.diagnostics().publication_pending);

        log.answer(vec![session::Content::text("piece by piece by piece")]);
        log.end_turn(TurnEndReason::Completed);
        for new in &log.events[log.events.len() - 3..] {
            fake.mux(event(new));
        }
        settle().await;
        assert_eq!(texts(&client, "s").last().unwrap(), "text piece by piece by piece");
        let diagnostics = client.diagnostics();
        assert_eq!(diagnostics.sessions["s"].applied_seq, log.tail());
        assert_eq!(diagnostics.counters, Counters { generations: 1, ..Counters::default() });
    });
}

#[test]
fn a_lost_frame_is_repaired_and_counted() {
    run(async {
        let fake = Fake::default();
        let mut log = Log::default();
        log.round("p1", "one", "first answer");
        let client = with_session(&fake, &log).await;
        log.round("p2", "two", "second answer");
        for (seq, new) in log.events.iter().enumerate().skip(10) {
            if seq != 12 {
                fake.mux(event(new));
            }
        }
        settle().await;
        assert_eq!(client.diagnostics().counters.gap_repairs, 1);
        assert_eq!(client.session("s").unwrap().applied_seq, 11);
        fake.take("session.history").value(log.whole());
        settle().await;
        assert_eq!(fake.waiting(), [""; 0], "one page for the whole gap");
        assert_eq!(texts(&client, "s")[2..], ["user two", "text second answer"]);
        fake.mux(event(&log.events[15]));
        settle().await;
        let expected = Counters { generations: 1, gap_repairs: 1, dropped_frames: 1, ..Counters::default() };
        assert_eq!(client.diagnostics().counters, expected);
    });
}

#[test]
fn a_reconnect_in_the_middle_of_an_answer_shows_it_once() {
    run(async {
        let fake = Fake::default();
        let mut log = Log::default();
        log.round("p1", "one", "first answer");
        let client = with_session(&fake, &log).await;
        log.round("p2", "two", "Hello world");
        for new in &log.events[10..15] {
            fake.mux(event(new));
        }
        settle().await;
        assert_eq!(texts(&client, "s").last().unwrap(), "text Hello …");
        fake.end(MUX_STREAM_PATH);
        settle().await;
        assert_eq!(texts(&client, "s").last().unwrap(), "text Hello …", "what was shown stays");
        fake.next("host.describe").await;
        // The new stream speaks first; the page comes late.
        fake.mux(MuxFrame::Subscribed { session_id: "s".to_owned(), last_seq: 15 });
        for new in &log.events[16..] {
            fake.mux(event(new));
        }
        fake.shake_hands(json!({"items": []}), json!({"items": []})).await;
        fake.take("session.history").value(log.page(0..17));
        settle().await;
        assert_eq!(texts(&client, "s"), ["user one", "text first answer", "user two", "text Hello world"]);
        let expected = Counters { generations: 2, reconnects: 1, ..Counters::default() };
        assert_eq!(client.diagnostics().counters, expected, "a reconnect is no gap");
    });
}

#[test]
fn a_subscription_seen_before_the_session_was_opened_counts() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        let mut log = Log::default();
        log.round("p1", "one", "first answer");
        fake.mux(MuxFrame::Subscribed { session_id: "s".to_owned(), last_seq: log.tail() });
        settle().await;
        assert_eq!(client.session("s"), None, "nobody opened it");
        client.open("s");
        settle().await;
        fake.take("session.history").value(log.page(0..4));
        settle().await;
        fake.take("session.history").value(log.whole());
        settle().await;
        assert_eq!(client.session("s").unwrap().applied_seq, log.tail());
    });
}

#[test]
fn a_prompt_goes_out_once_and_its_durable_row_takes_the_place_of_the_pending_one() {
    run(async {
        let fake = Fake::default();
        let mut log = Log::default();
        let client = with_session(&fake, &log).await;
        drop(client.prompt("s", "hello", PromptMode::Queue));
        assert_eq!(texts(&client, "s"), ["user hello (pending)"], "at once");
        assert!(client.session("s").unwrap().running, "Stop is there from the gesture on");
        let key = client.session("s").unwrap().rows[0].key().to_owned();
        settle().await;
        let call = fake.take("session.prompt");
        let payload = json!({"sessionId": "s", "mode": "queue", "content": [{"type": "text", "text": "hello"}]});
        assert_eq!(call.request.payload, payload, "the call goes out although nobody waits for it");
        log.begin_turn(&call.request.rpc_id, "hello");
        for new in &log.events {
            fake.mux(event(new));
        }
        settle().await;
        assert_eq!(texts(&client, "s"), ["user hello"], "the event may outrun the answer");
        assert_eq!(client.session("s").unwrap().rows[0].key(), key);
        call.value(json!({"accepted": true}));
        settle().await;
        assert_eq!(texts(&client, "s"), ["user hello"]);
        assert_eq!(fake.waiting(), [""; 0]);
    });
}

#[test]
fn a_refused_prompt_takes_its_row_away_and_tells_why() {
    run(async {
        let fake = Fake::default();
        let client = with_session(&fake, &Log::default()).await;
        let sent = client.prompt("s", "hello", PromptMode::Steer);
        settle().await;
        assert_eq!(client.diagnostics().pending_calls, 1);
        fake.take("session.prompt").refuse(RpcError::internal("the disk is full; free some space"));
        assert_eq!(sent.await.unwrap_err().to_string(), "the disk is full; free some space");
        let view = client.session("s").unwrap();
        assert_eq!((view.rows.len(), view.running, client.diagnostics().pending_calls), (0, false, 0));
    });
}

#[test]
fn a_prompt_whose_answer_was_lost_is_not_posted_again_and_not_reported_lost() {
    run(async {
        let fake = Fake::default();
        let mut log = Log::default();
        let client = with_session(&fake, &log).await;
        let sent = client.prompt("s", "hello", PromptMode::Queue);
        settle().await;
        let call = fake.take("session.prompt");
        log.begin_turn(&call.request.rpc_id, "hello");
        for new in &log.events {
            fake.mux(event(new));
        }
        settle().await;
        call.raw(Err(TransportError("reset".to_owned())));
        assert_eq!(sent.await, Ok(()), "the log holds it");
        assert_eq!((texts(&client, "s"), fake.waiting()), (vec!["user hello".to_owned()], Vec::new()));
    });
}

#[test]
fn a_cancel_that_fails_is_shown_until_one_works() {
    run(async {
        let fake = Fake::default();
        let client = with_session(&fake, &Log::default()).await;
        client.cancel("s");
        settle().await;
        fake.take("session.cancel").refuse(RpcError::session_not_found("s"));
        settle().await;
        assert_eq!(client.session("s").unwrap().problem.as_deref(), Some("there is no session s; reload the list"));
        client.cancel("s");
        settle().await;
        fake.take("session.cancel").value(json!({"accepted": true}));
        settle().await;
        assert_eq!(client.session("s").unwrap().problem, None);
    });
}

#[test]
fn every_call_the_host_refuses_is_counted_and_so_is_the_session_it_fails() {
    run(async {
        let fake = Fake::default();
        let client = with_session(&fake, &Log::default()).await;
        let count = || {
            let Counters { failed_calls, failed_sessions, .. } = client.diagnostics().counters;
            (failed_calls, failed_sessions)
        };
        client.cancel("s");
        drop(client.prompt("s", "hello", PromptMode::Queue));
        client.open("t");
        tokio::task::spawn_local(client.create_session("w"));
        settle().await;
        assert_eq!(count(), (0, 0));
        let table = [("session.cancel", (1, 0)), ("session.prompt", (2, 0)), ("session.create", (3, 0))];
        for (method, expected) in table.into_iter().chain([("session.history", (4, 1))]) {
            fake.take(method).refuse(RpcError::internal("not now"));
            settle().await;
            assert_eq!(count(), expected, "{method}");
        }
        assert_eq!(client.session("t").unwrap().phase, Phase::Failed("not now".to_owned()));
    });
}

#[test]
fn a_call_without_an_answer_is_counted_unless_the_connection_was_lost_meanwhile() {
    type Meanwhile = fn(&Fake, &Client);
    let table: [(&str, Meanwhile, u64); 3] = [
        ("nothing", |_, _| {}, 1),
        ("the connection is lost", |fake, _| fake.end(MUX_STREAM_PATH), 0),
        ("the client is stopped", |_, client| client.stop(), 0),
    ];
    run(async move {
        for (name, meanwhile, expected) in table {
            let fake = Fake::default();
            fake.chance.set(1.0);
            let client = with_session(&fake, &Log::default()).await;
            client.cancel("s");
            settle().await;
            let _never_answered = fake.take("session.cancel");
            meanwhile(&fake, &client);
            settle().await;
            // The handshake of the next generation has its own deadline, half a second later.
            tokio::time::sleep(Duration::from_millis(30_001)).await;
            settle().await;
            let problem = client.session("s").unwrap().problem.clone().unwrap();
            assert!(problem.contains("no answer within 30 s"), "{name}: {problem}");
            assert_eq!(client.diagnostics().counters.failed_calls, expected, "{name}");
        }
    });
}

#[test]
fn a_call_whose_carrier_failed_is_told_and_not_counted() {
    run(async {
        let fake = Fake::default();
        let client = with_session(&fake, &Log::default()).await;
        client.cancel("s");
        settle().await;
        fake.take("session.cancel").raw(Err(TransportError("reset".to_owned())));
        settle().await;
        assert!(client.session("s").unwrap().problem.is_some());
        assert_eq!(client.diagnostics().counters, Counters { generations: 1, ..Counters::default() });
    });
}

#[test]
fn a_created_session_is_opened() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        let created = client.create_session("w");
        let created = tokio::task::spawn_local(created);
        settle().await;
        let call = fake.take("session.create");
        assert_eq!(call.request.payload, json!({"workspaceId": "w"}));
        call.value(json!({"sessionId": "new"}));
        assert_eq!(created.await.unwrap(), Ok("new".to_owned()));
        settle().await;
        fake.take("session.history").value(HistoryPage { events: Vec::new(), has_more: false });
        settle().await;
        let view = client.session("new").unwrap();
        assert_eq!((&view.phase, view.applied_seq), (&Phase::Ready, -1));
    });
}

#[test]
fn host_frames_change_the_lists_and_the_views_that_read_them() {
    run(async {
        let fake = Fake::default();
        let client = fake.client();
        client.select(Some("s"));
        client.start();
        fake.shake_hands(json!({"items": [row("old", false, false)]}), json!({"items": []})).await;
        let (told, _subscription) = listen(&client);
        fake.host(HostFrame::SessionChanged(row("s", false, true)));
        settle().await;
        assert_eq!(client.session("s").unwrap().title.as_deref(), Some("title of s"));
        assert_eq!(client.sessions().len(), 1, "a session without a turn is not listed");
        assert!(client.summary("s").unwrap().blank);
        fake.host(HostFrame::SessionChanged(row("s", true, false)));
        settle().await;
        assert_eq!(client.sessions().len(), 2);
        assert!(client.session("s").unwrap().running, "until the log is there, the list row tells");
        let both = [Change::Catalogue, Change::Session("s".to_owned())];
        assert_eq!(*told.borrow(), [both.clone(), both].concat());
        told.borrow_mut().clear();
        fake.host(HostFrame::SessionStatus { session_id: "s".to_owned(), running: true });
        settle().await;
        assert_eq!(*told.borrow(), [], "nothing changed");
        fake.host(HostFrame::AgentError { session_id: "s".to_owned(), message: "the tool crashed".to_owned() });
        settle().await;
        assert_eq!(client.session("s").unwrap().problem.as_deref(), Some("the tool crashed"));
    });
}

#[test]
fn selection_is_told_once_and_opens() {
    run(async {
        let fake = Fake::default();
        let client = fake.connected().await;
        let (told, _subscription) = listen(&client);
        client.select(Some("s"));
        client.select(Some("s"));
        settle().await;
        assert_eq!(*told.borrow(), [Change::Selection, Change::Session("s".to_owned())]);
        assert_eq!((client.selected().as_deref(), fake.waiting().len()), (Some("s"), 1));
        client.select(None);
        settle().await;
        assert_eq!((client.selected(), told.borrow().len()), (None, 3));
    });
}

#[test]
fn diagnostics_are_the_documented_json() {
    run(async {
        let fake = Fake::default();
        let mut log = Log::default();
        log.round("p1", "one", "first answer");
        let client = with_session(&fake, &log).await;
        assert_eq!(
            serde_json::to_value(client.diagnostics()).unwrap(),
            json!({
                "connection": "connected",
                "generation": 1,
                "counters": {"generations": 1, "reconnects": 0, "gapRepairs": 0, "droppedFrames": 0,
                    "malformedFrames": 0, "discontinuousPages": 0, "sinkPanics": 0, "failedCalls": 0,
                    "failedSessions": 0},
                "selected": "s",
                "sessions": {"s": {"phase": "ready", "appliedSeq": 9, "running": false, "rows": 3}},
                "publicationPending": false,
                "pendingCalls": 0,
            })
        );
    });
}

#[test]
fn a_view_keeps_its_rc_until_something_in_it_changes() {
    run(async {
        let fake = Fake::default();
        let mut log = Log::default();
        log.round("p1", "one", "first answer");
        let client = with_session(&fake, &log).await;
        let view = client.session("s").unwrap();
        assert!(Rc::ptr_eq(&view, &client.session("s").unwrap()));
        log.begin_turn("p2", "two");
        fake.mux(event(&log.events[10]));
        settle().await;
        assert!(!Rc::ptr_eq(&view, &client.session("s").unwrap()));
    });
}
