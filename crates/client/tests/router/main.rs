//! The client against the server's router in one process, in paused time: everything between a page's call and the
//! host's answer is real, except sockets.

mod host;
mod transport;

use std::rc::Rc;

use client::{ConnectionState, Counters, Phase, PromptMode, Row, SessionView};

use crate::host::{Fate, SESSION};
use crate::transport::InProcess;

const CLEAN: Counters = Counters {
    generations: 1,
    reconnects: 0,
    gap_repairs: 0,
    dropped_frames: 0,
    malformed_frames: 0,
    discontinuous_pages: 0,
    sink_panics: 0,
    failed_calls: 0,
    failed_sessions: 0,
};

fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, test);
}

/// What a client sees that comes when everything is over.
async fn undisturbed(host: &InProcess) -> Rc<SessionView> {
    let watched = host.following().await;
    let mut view = watched.client.session(SESSION).unwrap();
    while view.has_more {
        watched.client.load_older(SESSION);
        watched.until("older rows", |client| !client.session(SESSION).unwrap().loading_older).await;
        view = watched.client.session(SESSION).unwrap();
    }
    assert_eq!(watched.client.diagnostics().counters, CLEAN);
    watched.client.stop();
    view
}

#[test]
fn a_prompt_makes_the_round_trip() {
    run(async {
        let server = InProcess::new(usize::MAX);
        let watched = server.client();
        let client = watched.client.clone();
        client.start();
        watched.is_connected().await;
        assert_eq!(client.workspaces()[0].workspace_id, "w-1");
        let id = client.create_session("w-1").await.unwrap();
        client.select(Some(&id));
        watched.until("an empty session", |client| client.session(SESSION).unwrap().phase == Phase::Ready).await;
        client.prompt(&id, "the question", PromptMode::Queue).await.unwrap();
        watched.reaches(server.host.tail()).await;
        let view = client.session(&id).unwrap();
        let rows: Vec<&Row> = view.rows.iter().map(|row| &**row).collect();
        assert!(
            matches!(rows.as_slice(), [
                Row::User { text, pending: false, .. },
                Row::Text { markdown, streaming: false, .. },
                Row::TurnFooter { turn: 1, .. },
            ] if text == "the question" && markdown == "The answer to the question — 答え 🦀."),
            "{rows:#?}"
        );
        assert!(!view.running);
        assert_eq!(client.diagnostics().counters, CLEAN);
    });
}

#[test]
fn frames_split_at_every_byte_give_the_same_rows() {
    for piece in [1, 2, 3, 5, 7, 64, 1 << 20] {
        run(async move {
            let server = InProcess::new(piece);
            let watched = server.following().await;
            server.host.run_turn("r-1", "one");
            server.host.run_turn("r-2", "two");
            watched.reaches(server.host.tail()).await;
            assert_eq!(watched.client.diagnostics().counters, CLEAN, "pieces of {piece}");
            let expected = undisturbed(&server).await;
            assert_eq!(watched.client.session(SESSION).unwrap().rows, expected.rows, "pieces of {piece}");
        });
    }
}

#[test]
fn what_the_host_refuses_is_told_in_its_words_and_a_panic_is_a_carrier_failure() {
    run(async {
        let server = InProcess::new(usize::MAX);
        let watched = server.following().await;
        let client = watched.client.clone();
        let error = client.create_session("nowhere").await.unwrap_err();
        assert_eq!(error.to_string(), "there is no workspace nowhere; choose another");
        client.open("no-session");
        let failed = Phase::Failed("there is no session no-session; reload the list".to_owned());
        watched.until("the refusal", |client| client.session("no-session").unwrap().phase == failed).await;
        client.cancel(SESSION);
        watched.until("a problem", |client| client.session(SESSION).unwrap().problem.is_some()).await;
        let problem = client.session(SESSION).unwrap().problem.clone().unwrap();
        assert!(problem.starts_with("session.cancel: HTTP 500"), "{problem}");
        let counted = Counters { failed_calls: 3, failed_sessions: 1, ..CLEAN };
        assert_eq!((client.connection(), client.diagnostics().counters), (ConnectionState::Connected, counted));
    });
}

#[test]
fn a_cut_in_the_middle_of_a_turn_is_healed_by_one_reconnect() {
    run(async {
        let server = InProcess::new(3);
        server.host.run_turn("r-1", "one");
        let watched = server.following().await;
        let turn = server.host.turn("r-2", "two");
        let middle = turn.len() / 2;
        for (at, payload) in turn.into_iter().enumerate() {
            if at == middle {
                watched.reaches(server.host.tail()).await;
                server.traffic.cut_streams();
                watched.until("the loss", |client| client.connection() != ConnectionState::Connected).await;
                let view = watched.client.session(SESSION).unwrap();
                assert_eq!((&view.phase, view.applied_seq), (&Phase::Ready, server.host.tail()), "rows stay");
            }
            server.host.append(payload, Fate::Carried);
        }
        watched.reaches(server.host.tail()).await;
        assert_eq!(server.traffic.open_streams(), 2, "the old streams are gone");
        assert_eq!(
            watched.client.diagnostics().counters,
            Counters { generations: 2, reconnects: 1, ..CLEAN },
            "a reconnect is no gap"
        );
        assert!(watched.client.diagnostics().last_loss.unwrap().contains("broke"));
        assert_eq!(watched.client.session(SESSION).unwrap().rows, undisturbed(&server).await.rows);
    });
}

#[test]
fn a_lost_frame_is_repaired_and_counted() {
    run(async {
        let server = InProcess::new(usize::MAX);
        server.host.run_turn("r-1", "one");
        let watched = server.following().await;
        for (at, payload) in server.host.turn("r-2", "two").into_iter().enumerate() {
            server.host.append(payload, if at == 5 { Fate::Lost } else { Fate::Carried });
        }
        watched.reaches(server.host.tail()).await;
        assert_eq!(watched.client.diagnostics().counters, Counters { gap_repairs: 1, ..CLEAN });
        assert_eq!(watched.client.session(SESSION).unwrap().rows, undisturbed(&server).await.rows);
    });
}

#[test]
fn a_long_history_opens_with_fifty_messages_and_older_pages_join() {
    run(async {
        let server = InProcess::new(usize::MAX);
        for turn in 1..=60 {
            server.host.run_turn(&format!("r-{turn}"), &format!("question {turn}"));
        }
        let watched = server.following().await;
        let first = watched.client.session(SESSION).unwrap();
        assert_eq!(messages(&first), 50);
        assert!(first.has_more);
        // The turn goes on while older pages come.
        watched.client.load_older(SESSION);
        server.host.run_turn("r-61", "question 61");
        watched.until("the page", |client| messages(&client.session(SESSION).unwrap()) == 102).await;
        watched.client.load_older(SESSION);
        watched.until("the last page", |client| !client.session(SESSION).unwrap().has_more).await;
        watched.reaches(server.host.tail()).await;
        let view = watched.client.session(SESSION).unwrap();
        assert_eq!(messages(&view), 122);
        let questions: Vec<_> = view
            .rows
            .iter()
            .filter_map(|row| match &**row {
                Row::User { text, .. } => Some(text.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(questions, (1..=61).map(|turn| format!("question {turn}")).collect::<Vec<_>>());
        assert_eq!(watched.client.diagnostics().counters, CLEAN);
    });
}

fn messages(view: &SessionView) -> usize {
    view.rows.iter().filter(|row| matches!(***row, Row::User { .. } | Row::Text { .. })).count()
}

/// Numbers that look random and are the same each time (Knuth's MMIX generator).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Loses, doubles and cuts at every moment, with a reader that opens late, pages back and lets the host run ahead. What
/// is shown in the end is what somebody sees who was never disturbed.
#[test]
fn whatever_the_carrier_does_the_rows_in_the_end_are_those_of_the_log() {
    for seed in 0..100 {
        run(async move {
            let mut dice = Dice(seed);
            let server = InProcess::new([11, 64, 1 << 20][dice.roll(3) as usize]);
            // One in six has more than a page.
            let old = if dice.roll(6) == 0 { 25 + dice.roll(10) } else { dice.roll(3) };
            for turn in 0..old {
                server.host.run_turn(&format!("old-{turn}"), &format!("old question {turn}"));
            }
            let watched = server.client();
            watched.client.start();
            for turn in 0..3 {
                for payload in server.host.turn(&format!("new-{turn}"), &format!("question {turn}")) {
                    match dice.roll(24) {
                        0 => server.traffic.cut_streams(),
                        1 | 2 => watched.client.open(SESSION),
                        3 => watched.client.load_older(SESSION),
                        4 | 5 => tokio::time::sleep(std::time::Duration::from_millis(dice.roll(900))).await,
                        6..=14 => tokio::task::yield_now().await,
                        _ => {}
                    }
                    let fate = match dice.roll(20) {
                        0 => Fate::Lost,
                        1 => Fate::Doubled,
                        _ => Fate::Carried,
                    };
                    server.host.append(payload, fate);
                }
            }
            watched.client.open(SESSION);
            watched.is_connected().await;
            // A loss shows by the event after it.
            watched.until("a window", |client| client.session(SESSION).unwrap().phase == Phase::Ready).await;
            server.host.run_turn("last", "the last question");
            watched.reaches(server.host.tail()).await;
            let (seen, expected) = (watched.client.session(SESSION).unwrap(), undisturbed(&server).await);
            let from = expected.rows.len() - seen.rows.len();
            // A window that begins inside a turn does not know when that turn began.
            let footers = |row: &Row| match row.clone() {
                Row::TurnFooter { key, turn, ended_at, usage, text, .. } => {
                    Row::TurnFooter { key, turn, started_at: None, ended_at, usage, text }
                }
                row => row,
            };
            let plain = |rows: &[Rc<Row>]| rows.iter().map(|row| footers(row)).collect::<Vec<_>>();
            assert_eq!(plain(&seen.rows), plain(&expected.rows[from..]), "seed {seed}");
            assert!(!seen.running, "seed {seed}");
            assert!(seen.has_more || from == 0, "seed {seed}");
            let counters = watched.client.diagnostics().counters;
            assert_eq!((counters.malformed_frames, counters.discontinuous_pages), (0, 0), "seed {seed}");
            assert_eq!((counters.failed_calls, counters.failed_sessions), (0, 0), "seed {seed}");
            assert_eq!(counters.generations, counters.reconnects + 1, "seed {seed}");
        });
    }
}
