//! The batch window, with the test's own time.

mod common;

use std::fs;
use std::time::Duration;

use common::{ID, frame_bounds, header, log_path, open, title, turn};
use store::{BATCH_WINDOW, StoreError};
use tokio::time::{Instant, sleep, sleep_until};

const LITTLE: Duration = Duration::from_millis(5);

#[tokio::test(start_paused = true)]
async fn a_batch_is_written_a_window_after_its_first_event() {
    let root = tempfile::tempdir().unwrap();
    let path = log_path(root.path(), ID);
    let writer = open(root.path()).create(header(ID)).await.unwrap();
    let events = turn(1, 0);
    let start = Instant::now();
    assert_eq!(BATCH_WINDOW, Duration::from_millis(200));

    writer.append(events[..1].to_vec()).unwrap();
    sleep(Duration::from_millis(150)).await;
    // Later events do not put the write off.
    writer.append(events[1..2].to_vec()).unwrap();
    sleep_until(start + BATCH_WINDOW - LITTLE).await;
    assert!(!path.exists());
    sleep_until(start + BATCH_WINDOW + LITTLE).await;
    let bytes = fs::read(&path).unwrap();
    assert_eq!(frame_bounds(&bytes).len() - 1, 2, "the header and one batch of both events");

    // The next window begins with the next event.
    sleep(Duration::from_secs(60)).await;
    let start = Instant::now();
    writer.append(events[2..].to_vec()).unwrap();
    sleep_until(start + BATCH_WINDOW - LITTLE).await;
    assert_eq!(fs::read(&path).unwrap(), bytes);
    sleep_until(start + BATCH_WINDOW + LITTLE).await;
    assert_eq!(frame_bounds(&fs::read(&path).unwrap()).len() - 1, 3);
    assert_eq!(open(root.path()).read(ID).await.unwrap().events, events);
}

#[tokio::test(start_paused = true)]
async fn a_steady_stream_of_events_is_written_every_window() {
    let root = tempfile::tempdir().unwrap();
    let writer = open(root.path()).create(header(ID)).await.unwrap();
    let start = Instant::now();
    for seq in 0..100 {
        writer.append(vec![title(seq, "more")]).unwrap();
        sleep_until(start + Duration::from_millis(10) * (seq as u32 + 1)).await;
    }
    // A second of events every 10 ms: one batch per window, each begun by the event after the last write.
    let frames = frame_bounds(&fs::read(log_path(root.path(), ID)).unwrap()).len() - 1;
    assert!((5..=6).contains(&frames), "{frames}");
}

#[tokio::test(start_paused = true)]
async fn a_flush_does_not_wait_for_the_window() {
    let root = tempfile::tempdir().unwrap();
    let writer = open(root.path()).create(header(ID)).await.unwrap();
    let start = Instant::now();
    writer.append(turn(1, 0)).unwrap();
    writer.flush().await.unwrap();
    assert!(log_path(root.path(), ID).exists());
    assert!(start.elapsed() < LITTLE);
    // Nothing is left for the window to write.
    let bytes = fs::read(log_path(root.path(), ID)).unwrap();
    sleep(BATCH_WINDOW * 2).await;
    writer.flush().await.unwrap();
    assert_eq!(fs::read(log_path(root.path(), ID)).unwrap(), bytes);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_writer_writes_what_is_pending() {
    let root = tempfile::tempdir().unwrap();
    let writer = open(root.path()).create(header(ID)).await.unwrap();
    writer.append(turn(1, 0)).unwrap();
    drop(writer);
    // Well inside the window.
    sleep(LITTLE).await;
    assert_eq!(open(root.path()).read(ID).await.unwrap().events, turn(1, 0));
}

#[tokio::test]
async fn a_closed_writer_takes_nothing_more() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    let writer = logs.create(header(ID)).await.unwrap();
    writer.append(turn(1, 0)).unwrap();
    writer.close().await.unwrap();
    for refused in [writer.append(turn(2, 10)), writer.flush().await, writer.close().await] {
        let error = refused.unwrap_err();
        assert!(matches!(error, StoreError::Closed { .. }), "{error}");
        assert_eq!(error.to_string(), "the writer of session \"5f0c-1\" is closed; resume the session to write again");
    }
    assert_eq!(logs.read(ID).await.unwrap().events, turn(1, 0));
}

#[tokio::test]
async fn events_that_a_reader_would_refuse_are_not_taken() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    let writer = logs.create(header(ID)).await.unwrap();
    let events = turn(1, 0);
    let mut half_bad = events.clone();
    half_bad[5].kind = "moon/phase".to_owned();
    for (bad, reason) in [
        (events[1..].to_vec(), "cannot take the event: event 1 (user/message) comes where event 0 is due"),
        (half_bad, "cannot take the event: event 5 (moon/phase): unknown event type"),
    ] {
        let error = writer.append(bad).unwrap_err();
        assert!(matches!(error, StoreError::Refused { .. }) && error.to_string().contains(reason), "{error}");
    }
    // Nothing of the refused batches was taken, so the log goes on from its beginning.
    writer.append(events.clone()).unwrap();
    writer.close().await.unwrap();
    assert_eq!(logs.read(ID).await.unwrap().events, events);
}
