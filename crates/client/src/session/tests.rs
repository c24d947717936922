//! Windows and live events: who may arrive when, and what is true afterwards.

use std::rc::Rc;

use session::{Event, Payload, TurnEndReason};
use wire::{HistoryPage, RpcError};

use super::{Effect, Pull, Session};
use crate::fold::Folded;
use crate::testing::Log;
use crate::{CallError, Counters, Phase, Row, SessionSummary, TransportError};

fn log(rounds: usize) -> Log {
    let mut log = Log::default();
    for round in 1..=rounds {
        log.round(&format!("p{round}"), &format!("ask {round}"), &format!("answer {round}"));
    }
    log
}

fn opened() -> (Session, Pull) {
    let mut session = Session::new("s".to_owned());
    let pull = session.open(true).pull.expect("opening pulls");
    assert_eq!(pull.before_seq, None, "the tail page");
    (session, pull)
}

fn ready(page: HistoryPage) -> Session {
    let (mut session, pull) = opened();
    let effect = session.page(pull, Ok(page));
    assert_eq!(effect.pull, None, "the page is enough");
    assert_eq!(session.view(None).phase, Phase::Ready);
    session
}

fn applied(session: &mut Session) -> i64 {
    session.view(None).applied_seq
}

fn users(session: &mut Session) -> Vec<String> {
    let text = |row: &Rc<Row>| match &**row {
        Row::User { text, pending, .. } => Some(format!("{text}{}", if *pending { " (pending)" } else { "" })),
        _ => None,
    };
    session.view(None).rows.iter().filter_map(text).collect()
}

fn feed(session: &mut Session, events: &[Event]) -> Counters {
    events.iter().fold(Counters::default(), |sum, event| {
        let Effect { counted, pull, .. } = session.event(event.clone());
        assert_eq!(pull, None, "event {} needs no page", event.seq);
        sum.plus(counted)
    })
}

fn refused(message: &str) -> CallError {
    CallError::Refused(RpcError::internal(message))
}

fn summary(running: bool) -> SessionSummary {
    let session_id = "s".to_owned();
    SessionSummary { session_id, title: Some("listed".to_owned()), updated_at: 0, running, blank: false, cwd: None }
}

const NOTHING: Counters = Counters {
    generations: 0,
    reconnects: 0,
    gap_repairs: 0,
    dropped_frames: 0,
    malformed_frames: 0,
    discontinuous_pages: 0,
    sink_panics: 0,
    failed_calls: 0,
    failed_sessions: 0,
};

#[test]
fn opening_installs_the_tail_page() {
    let log = log(2);
    let (mut session, pull) = opened();
    assert_eq!(session.view(None).phase, Phase::Loading);
    let effect = session.page(pull, Ok(log.page(10..20)));
    assert_eq!((effect.changed, effect.pull, effect.counted), (Some(Folded::Structure), None, NOTHING));
    let view = session.view(None);
    assert_eq!((view.phase.clone(), view.applied_seq, view.has_more), (Phase::Ready, log.tail(), true));
    assert_eq!(users(&mut session), ["ask 2"]);
}

#[test]
fn an_empty_session_is_ready_and_waits_for_event_zero() {
    let mut session = ready(HistoryPage { events: Vec::new(), has_more: false });
    assert_eq!(applied(&mut session), -1);
    let log = log(1);
    session.subscribed(-1);
    assert_eq!(feed(&mut session, &log.events), NOTHING);
    assert_eq!(applied(&mut session), log.tail());
}

#[test]
fn opens_that_run_share_one_pull() {
    let (mut session, pull) = opened();
    assert_eq!(session.open(true), Effect::default());
    session.page(pull, Ok(log(1).whole()));
    assert_eq!(session.open(true), Effect::default(), "nor does one that is ready pull again");
}

#[test]
fn live_events_during_open_are_stitched_without_overlap() {
    let log = log(3);
    for cut in 0..log.events.len() {
        for seen_from in 0..=cut {
            let (mut session, pull) = opened();
            // The stream carries `seen_from..`, the page was read when the log ended at `cut`.
            session.subscribed(seen_from as i64 - 1);
            feed(&mut session, &log.events[seen_from..]);
            assert_eq!(applied(&mut session), -1, "nothing is shown before the page");
            let effect = session.page(pull, Ok(log.page(0..cut)));
            assert_eq!((effect.pull, effect.counted), (None, NOTHING), "page to {cut}, stream from {seen_from}");
            assert_eq!(applied(&mut session), log.tail(), "page to {cut}, stream from {seen_from}");
            assert_eq!(users(&mut session), ["ask 1", "ask 2", "ask 3"]);
        }
    }
}

#[test]
fn a_subscription_beyond_the_tail_pulls_once_more_and_counts_nothing() {
    let log = log(2);
    let (mut session, pull) = opened();
    session.subscribed(log.tail());
    let effect = session.page(pull, Ok(log.page(0..10)));
    assert_eq!(effect.counted, NOTHING);
    let again = effect.pull.expect("the page ends before the stream begins");
    assert_eq!(session.view(None).phase, Phase::Ready, "what is there is shown meanwhile");
    assert_eq!(session.page(again, Ok(log.whole())).pull, None);
    assert_eq!(applied(&mut session), log.tail());

    let mut attached_later = ready(log.page(0..10));
    let effect = attached_later.subscribed(log.tail());
    assert_eq!(effect.counted, NOTHING);
    attached_later.page(effect.pull.expect("the same for a session that was ready"), Ok(log.whole()));
    assert_eq!(applied(&mut attached_later), log.tail());
}

#[test]
fn a_subscription_before_the_tail_replaces_what_is_no_longer_true() {
    let log = log(2);
    let mut session = ready(log.whole());
    let pull = session.subscribed(9).pull.expect("the host's log is shorter");
    session.page(pull, Ok(log.page(0..10)));
    assert_eq!((applied(&mut session), users(&mut session)), (9, vec!["ask 1".to_owned()]));
}

#[test]
fn late_frame_after_page_is_dropped() {
    let log = log(1);
    let mut session = ready(log.whole());
    let before = session.view(None);
    let effect = session.event(log.events[3].clone());
    assert_eq!(effect, Effect::default(), "the page had it: normal, not counted");
    assert!(Rc::ptr_eq(&before, &session.view(None)));
}

#[test]
fn an_event_the_stream_carried_already_is_dropped_and_counted() {
    let log = log(1);
    let mut session = ready(log.page(0..4));
    feed(&mut session, &log.events[4..6]);
    let rows = session.view(None).rows.clone();
    let counted = feed(&mut session, &[log.events[4].clone(), log.events[5].clone()]);
    assert_eq!(counted.dropped_frames, 2);
    assert_eq!(session.view(None).rows, rows, "no text is doubled");
    assert_eq!(applied(&mut session), 5);
}

#[test]
fn a_gap_is_repaired_by_one_page_without_a_loading_flash() {
    let log = log(3);
    let mut session = ready(log.page(0..5));
    let effect = session.event(log.events[9].clone());
    let pull = effect.pull.expect("a gap pulls");
    assert_eq!(effect.counted, Counters { gap_repairs: 1, ..NOTHING });
    assert_eq!(feed(&mut session, &log.events[10..20]), NOTHING, "more events wait for the same page");
    let view = session.view(None);
    assert_eq!((&view.phase, view.applied_seq), (&Phase::Ready, 4));
    let effect = session.page(pull, Ok(log.page(0..12)));
    assert_eq!((effect.pull, effect.counted), (None, NOTHING));
    assert_eq!(applied(&mut session), 19);
    assert_eq!(feed(&mut session, &log.events[20..]), NOTHING);
    let (whole, repaired) = (ready(log.whole()).view(None), session.view(None));
    assert_eq!(whole.rows, repaired.rows, "the same as if nothing had been lost");
}

#[test]
fn a_second_hole_in_what_waited_is_repaired_too() {
    let log = log(3);
    let mut session = ready(log.page(0..5));
    let pull = session.event(log.events[8].clone()).pull.unwrap();
    assert_eq!(feed(&mut session, &log.events[15..16]), NOTHING);
    let effect = session.page(pull, Ok(log.page(0..10)));
    assert_eq!(effect.counted.gap_repairs, 1);
    let effect = session.page(effect.pull.unwrap(), Ok(log.page(0..18)));
    assert_eq!((effect.pull, effect.counted), (None, NOTHING));
    assert_eq!(applied(&mut session), 17);
}

#[test]
fn a_repair_that_brings_nothing_fails_and_says_so_instead_of_pulling_for_ever() {
    let log = log(3);
    let mut session = ready(log.page(0..5));
    let pull = session.event(log.events[9].clone()).pull.unwrap();
    let effect = session.page(pull, Ok(log.page(0..5)));
    assert_eq!((effect.pull, effect.counted), (None, Counters { failed_sessions: 1, ..NOTHING }));
    let expected =
        "the history of session s ends at event 4, but its stream is at event 9; open the session again".to_owned();
    assert_eq!(session.view(None).phase, Phase::Failed(expected));
    let pull = session.open(true).pull.expect("opening again tries again");
    session.page(pull, Ok(log.whole()));
    assert_eq!((session.view(None).phase.clone(), applied(&mut session)), (Phase::Ready, log.tail()));
}

#[test]
fn a_repair_page_beyond_the_window_replaces_it() {
    let log = log(3);
    let mut session = ready(log.page(0..5));
    let pull = session.event(log.events[27].clone()).pull.unwrap();
    session.page(pull, Ok(log.page(20..28)));
    let view = session.view(None);
    assert_eq!((&view.phase, view.applied_seq, view.has_more), (&Phase::Ready, 27, true));
    assert_eq!(users(&mut session), ["ask 3"]);
}

#[test]
fn an_older_page_joins() {
    let log = log(3);
    let mut session = ready(log.page(20..30));
    let rows = session.view(None).rows.clone();
    let pull = session.load_older().pull.expect("there is more");
    assert_eq!(pull.before_seq, Some(20));
    assert!(session.view(None).loading_older);
    assert_eq!(session.load_older(), Effect::default(), "one at a time");
    assert_eq!(session.page(pull, Ok(log.page(10..20))).counted, NOTHING);
    let view = session.view(None);
    assert_eq!((view.loading_older, view.has_more, view.applied_seq), (false, true, log.tail()));
    assert_eq!(users(&mut session), ["ask 2", "ask 3"]);
    let tail = &view.rows[view.rows.len() - rows.len()..];
    assert!(Rc::ptr_eq(&tail[1], &rows[1]), "rows that were there are the same rows");
    let pull = session.load_older().pull.unwrap();
    session.page(pull, Ok(log.page(0..10)));
    assert_eq!(session.view(None).rows, ready(log.whole()).view(None).rows, "no gap, no overlap");
    assert_eq!(session.load_older(), Effect::default(), "nothing is before event 0");
}

#[test]
fn a_live_event_may_come_between_an_older_pull_and_its_page() {
    let log = log(3);
    let mut session = ready(log.page(20..27));
    let pull = session.load_older().pull.unwrap();
    feed(&mut session, &log.events[27..]);
    session.page(pull, Ok(log.page(10..20)));
    assert_eq!(
        (users(&mut session), applied(&mut session)),
        (vec!["ask 2".to_owned(), "ask 3".to_owned()], log.tail())
    );
}

#[test]
fn an_older_page_that_does_not_join_is_dropped_counted_and_ends_paging() {
    let log = log(3);
    for (name, page) in [("a hole", log.page(5..15)), ("an overlap", log.page(10..25)), ("empty", log.page(0..0))] {
        let mut session = ready(log.page(20..30));
        let pull = session.load_older().pull.unwrap();
        let effect = session.page(pull, Ok(page));
        assert_eq!(effect.counted, Counters { discontinuous_pages: 1, ..NOTHING }, "{name}");
        let view = session.view(None);
        assert_eq!((&view.phase, view.has_more, view.loading_older), (&Phase::Ready, false, false), "{name}");
        let problem = view.problem.clone().unwrap();
        assert!(problem.starts_with("earlier history of session s does not join ("), "{name}: {problem}");
        assert!(problem.ends_with("); reload the page to see it"), "{name}: {problem}");
        assert_eq!(users(&mut session), ["ask 3"], "{name}: what was there stays");
    }
}

#[test]
fn an_older_page_that_fails_is_told_and_can_be_asked_for_again() {
    let log = log(3);
    let mut session = ready(log.page(20..30));
    let pull = session.load_older().pull.unwrap();
    session.page(pull, Err(refused("no answer; try again")));
    assert_eq!(session.view(None).problem.as_deref(), Some("no answer; try again"));
    let pull = session.load_older().pull.expect("paging goes on");
    session.page(pull, Ok(log.page(10..20)));
    assert_eq!(session.view(None).problem, None);
}

#[test]
fn a_tail_page_with_a_hole_fails_the_session_and_is_counted() {
    let mut page = log(2).whole();
    page.events.remove(4);
    let (mut session, pull) = opened();
    let effect = session.page(pull, Ok(page));
    assert_eq!(effect.counted, Counters { discontinuous_pages: 1, failed_sessions: 1, ..NOTHING });
    let expected = "the history of session s has a hole (in the page, event 5 follows event 3); open the session again";
    assert_eq!(session.view(None).phase, Phase::Failed(expected.to_owned()));
}

#[test]
fn a_pull_that_fails_is_shown_and_opening_tries_again() {
    let (mut session, pull) = opened();
    let effect = session.page(pull, Err(refused("there is no session s; reload the list")));
    assert_eq!(effect.counted, Counters { failed_sessions: 1, ..NOTHING });
    assert_eq!(session.view(None).phase, Phase::Failed("there is no session s; reload the list".to_owned()));
    let pull = session.open(true).pull.expect("a second try");
    session.page(pull, Ok(log(1).whole()));
    assert_eq!(session.view(None).phase, Phase::Ready);
}

#[test]
fn a_pull_whose_carrier_failed_is_shown_and_not_counted() {
    let (mut session, pull) = opened();
    let cause = TransportError("reset".to_owned());
    let effect = session.page(pull, Err(CallError::Transport { method: "session.history", cause }));
    assert_eq!(effect.counted, NOTHING, "the lost connection is counted, not what it takes along");
    assert!(matches!(session.view(None).phase, Phase::Failed(_)));
}

#[test]
fn answers_with_an_old_ticket_change_nothing() {
    let log = log(3);
    let (mut session, stale) = opened();
    session.offline();
    let pull = session.online().pull.expect("a new connection pulls anew");
    assert_eq!(session.page(stale, Ok(log.page(0..5))), Effect::default());
    assert_eq!(session.view(None).phase, Phase::Loading);
    session.page(pull, Ok(log.page(20..30)));
    let older = session.load_older().pull.unwrap();
    session.offline();
    assert_eq!(session.page(older, Ok(log.page(10..20))), Effect::default());
    assert_eq!(session.page(pull, Ok(log.page(0..5))), Effect::default());
    assert_eq!(users(&mut session), ["ask 3"]);
}

#[test]
fn a_reconnect_keeps_rows_and_place_and_takes_what_was_missed() {
    let log = log(3);
    let mut session = ready(log.page(10..18));
    let pull = session.load_older().pull.unwrap();
    session.page(pull, Ok(log.page(0..10)));
    let before = session.view(None);
    session.offline();
    assert_eq!(session.view(None).rows, before.rows, "nothing is taken away");
    // The new connection's stream speaks before its page is there.
    session.subscribed(24);
    assert_eq!(feed(&mut session, &log.events[25..]), NOTHING);
    let pull = session.online().pull.unwrap();
    assert_eq!(session.view(None).phase, Phase::Ready, "no loading flash");
    let effect = session.page(pull, Ok(log.page(10..25)));
    assert_eq!((effect.pull, effect.counted), (None, NOTHING), "a reconnect is not a gap");
    let whole = ready(log.whole()).view(None);
    assert_eq!(session.view(None).rows, whole.rows, "older rows are still there, nothing is doubled");
    assert!(Rc::ptr_eq(&session.view(None).rows[0], &before.rows[0]));
}

#[test]
fn a_reconnect_to_a_host_whose_log_was_repaired_shows_the_repaired_log() {
    let lost = log(2);
    let mut session = ready(lost.whole());
    session.offline();
    let mut repaired = log(1);
    repaired.round("p9", "another", "one");
    let pull = session.online().pull.unwrap();
    session.page(pull, Ok(repaired.whole()));
    assert_eq!(users(&mut session), ["ask 1", "another"]);
}

#[test]
fn opening_without_a_connection_waits_for_it() {
    let mut session = Session::new("s".to_owned());
    assert_eq!(session.open(false).pull, None);
    assert_eq!(session.view(None).phase, Phase::Loading);
    let pull = session.online().pull.expect("now there is one");
    session.page(pull, Ok(log(1).whole()));
    assert_eq!(session.view(None).phase, Phase::Ready);
}

#[test]
fn a_session_nobody_opened_stays_cold() {
    let log = log(1);
    let mut session = Session::new("s".to_owned());
    assert_eq!(session.event(log.events[0].clone()), Effect::default());
    session.offline();
    assert_eq!(session.online(), Effect::default());
    assert_eq!(session.view(None).phase, Phase::Cold);
    assert_eq!(session.load_older(), Effect::default());
}

#[test]
fn a_prompt_is_pending_until_the_log_holds_it_and_never_shown_twice() {
    let log = log(2);
    let mut session = ready(log.page(0..10));
    session.prompt("p2".to_owned(), "ask 2".to_owned(), 7);
    assert_eq!(users(&mut session), ["ask 1", "ask 2 (pending)"]);
    let key = session.view(None).rows.last().unwrap().key().to_owned();
    for event in &log.events[10..] {
        session.event(event.clone());
        assert_eq!(users(&mut session).len(), 2, "at {}", event.seq);
        assert!(session.view(None).rows.iter().any(|row| row.key() == key), "it keeps its key at {}", event.seq);
    }
    assert_eq!(users(&mut session), ["ask 1", "ask 2"]);
}

#[test]
fn a_prompt_that_failed_goes_away_unless_the_log_holds_it() {
    let log = log(2);
    let mut session = ready(log.page(0..10));
    session.prompt("nowhere".to_owned(), "lost".to_owned(), 7);
    session.prompt("p2".to_owned(), "ask 2".to_owned(), 7);
    feed(&mut session, &log.events[10..]);
    assert!(!session.prompt_failed("nowhere").1);
    assert!(session.prompt_failed("p2").1, "the answer was lost, the prompt was not");
    assert_eq!(users(&mut session), ["ask 1", "ask 2"]);
}

#[test]
fn running_lasts_from_the_gesture_to_the_end_of_the_turn() {
    let log = log(2);
    let mut session = ready(log.page(0..10));
    assert!(!session.view(None).running);
    session.prompt("p2".to_owned(), "ask 2".to_owned(), 7);
    let last = log.events.len() - 1;
    for event in &log.events[10..last] {
        assert!(session.view(None).running, "before {}", event.seq);
        session.event(event.clone());
    }
    session.event(log.events[last].clone());
    assert!(!session.view(None).running);
}

#[test]
fn a_prompt_of_a_lost_connection_does_not_keep_the_session_running() {
    let log = log(1);
    let mut session = ready(log.whole());
    session.prompt("lost".to_owned(), "lost".to_owned(), 7);
    session.offline();
    let pull = session.online().pull.unwrap();
    session.page(pull, Ok(log.whole()));
    assert!(!session.view(None).running);
    assert_eq!(users(&mut session), ["ask 1", "lost (pending)"], "it may still be in the host's queue");
}

#[test]
fn what_the_log_cant_tell_yet_the_list_row_tells() {
    let mut log = log(1);
    log.push(Payload::TurnStart { turn: 2, trigger: None });
    let mut session = Session::new("s".to_owned());
    assert!(session.view(Some(&summary(true))).running);
    assert_eq!(session.view(Some(&summary(true))).title.as_deref(), Some("listed"));
    let pull = session.open(true).pull.unwrap();
    session.page(pull, Ok(log.whole()));
    assert!(session.view(Some(&summary(false))).running, "once it follows the log, the log decides");
    log.push(Payload::TurnEnd { turn: 2, reason: TurnEndReason::Completed });
    session.event(log.events.last().unwrap().clone());
    assert!(!session.view(Some(&summary(true))).running);
}

#[test]
fn an_unreadable_event_is_counted_once_however_often_it_is_loaded() {
    let mut log = log(1);
    log.raw("turn/start", serde_json::json!({"turn": "two"}));
    log.round("p2", "ask 2", "answer 2");
    let mut session = ready(log.page(0..10));
    let effect = session.event(log.events[10].clone());
    assert_eq!(effect.counted, Counters { malformed_frames: 1, ..NOTHING });
    let message = effect.unreadable.unwrap();
    assert!(message.starts_with("session s: event 10 (turn/start): "), "{message}");
    session.offline();
    let pull = session.online().pull.unwrap();
    let effect = session.page(pull, Ok(log.whole()));
    assert_eq!((effect.counted, effect.unreadable), (NOTHING, None));
    assert_eq!(users(&mut session), ["ask 1", "ask 2"]);
}

#[test]
fn streamed_pieces_ask_for_a_frame_and_rows_for_a_microtask() {
    let log = log(2);
    let mut session = ready(log.page(0..10));
    for event in &log.events[10..] {
        let changed = session.event(event.clone()).changed;
        let expected = match event.kind.as_str() {
            "assistant/chunk" => Folded::Nothing..=Folded::Streamed,
            _ => Folded::Structure..=Folded::Structure,
        };
        assert!(expected.contains(&changed.unwrap()), "{}: {changed:?}", event.kind);
    }
}
