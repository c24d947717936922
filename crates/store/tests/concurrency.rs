//! One writer a session, within a process and between processes.

mod common;

use std::fs::{self, OpenOptions};

use common::{ID, files, header, log_path, open, title, turn, write_batches};
use store::StoreError;

#[tokio::test]
async fn two_writers_for_one_new_id_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    let first = logs.create(header(ID)).await.unwrap();
    let error = logs.create(header(ID)).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "session \"5f0c-1\" is open for writing elsewhere; close it there first (one writer a session)"
    );
    first.close().await.unwrap();
    logs.create(header(ID)).await.unwrap();
}

#[tokio::test]
async fn two_resumes_of_one_session_are_refused() {
    let root = tempfile::tempdir().unwrap();
    let (logs, other_process) = (open(root.path()), open(root.path()));
    logs.seed(header(ID), turn(1, 0)).await.unwrap();
    let (_, writer) = logs.resume(ID).await.unwrap();
    let before = fs::read(log_path(root.path(), ID)).unwrap();
    for logs in [&logs, &other_process] {
        let error = logs.resume(ID).await.unwrap_err();
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    }
    assert_eq!(fs::read(log_path(root.path(), ID)).unwrap(), before);
    // Reading disturbs nobody.
    assert_eq!(other_process.read(ID).await.unwrap().events.len(), 11);
    writer.close().await.unwrap();
    other_process.resume(ID).await.unwrap();
}

#[tokio::test]
async fn a_log_is_locked_from_its_first_batch_on() {
    let root = tempfile::tempdir().unwrap();
    let (logs, other_process) = (open(root.path()), open(root.path()));
    let writer = logs.create(header(ID)).await.unwrap();
    write_batches(&writer, &[&turn(1, 0)]).await;
    assert!(matches!(other_process.resume(ID).await.unwrap_err(), StoreError::InUse { .. }));
    assert!(matches!(other_process.create(header(ID)).await.unwrap_err(), StoreError::Exists { .. }));
}

#[tokio::test]
async fn of_two_processes_that_create_one_session_the_second_to_publish_fails() {
    let root = tempfile::tempdir().unwrap();
    let first = open(root.path()).create(header(ID)).await.unwrap();
    let second = open(root.path()).create(header(ID)).await.unwrap();
    write_batches(&first, &[&turn(1, 0)]).await;
    second.append(vec![title(0, "other")]).unwrap();
    let error = second.flush().await.unwrap_err();
    assert!(matches!(error, StoreError::Exists { .. }), "{error}");
    assert!(second.close().await.is_err());
    assert_eq!(open(root.path()).read(ID).await.unwrap().events, turn(1, 0));
    assert_eq!(files(root.path()), [log_path(root.path(), ID)], "the loser leaves nothing behind");
}

#[tokio::test]
async fn a_file_that_others_changed_is_not_written_over() {
    type Change = fn(&std::path::Path);
    let changes: [(Change, &str); 3] = [
        (|path| fs::remove_file(path).unwrap(), "it was deleted"),
        (|path| OpenOptions::new().write(true).open(path).unwrap().set_len(40).unwrap(), "40 found"),
        (|path| OpenOptions::new().write(true).open(path).unwrap().set_len(9_999).unwrap(), "9999 found"),
    ];
    for (change, detail) in changes {
        let root = tempfile::tempdir().unwrap();
        let writer = open(root.path()).create(header(ID)).await.unwrap();
        write_batches(&writer, &[&turn(1, 0)]).await;
        let path = log_path(root.path(), ID);
        change(&path);
        let changed = fs::read(&path).ok();
        writer.append(turn(2, 10)).unwrap();
        let error = writer.flush().await.unwrap_err();
        assert!(matches!(error, StoreError::Changed { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains(detail) && said.ends_with("close the session and resume it"), "{said}");
        assert_eq!(fs::read(&path).ok(), changed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_sessions_are_written_side_by_side() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    let mut running = Vec::new();
    for number in 0..20 {
        let logs = logs.clone();
        running.push(tokio::spawn(async move {
            let id = format!("s-{number}");
            let writer = logs.create(header(&id)).await.unwrap();
            for round in 0..5 {
                writer.append(turn(round + 1, round * 10)).unwrap();
                if (round + number) % 2 == 0 {
                    writer.flush().await.unwrap();
                }
            }
            logs.list().await.unwrap();
            writer.close().await.unwrap();
            assert_eq!(logs.read(&id).await.unwrap().events.len(), 50);
        }));
    }
    for session in running {
        session.await.unwrap();
    }
    let rows = logs.list().await.unwrap();
    assert_eq!(rows.len(), 20);
    assert!(rows.iter().all(|row| row.event_count == 50 && row.damage.is_none()));
}
