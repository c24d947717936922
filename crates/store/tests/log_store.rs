//! Creating, reading, listing and seeding sessions.

mod common;

use std::fs::{self, File};
use std::path::Path;

use common::{ID, NOW, files, frame_bounds, header, log_path, open, title, turn, write_batches};
use session::{Header, Payload, realize_fixture};
use store::StoreError;

#[tokio::test]
async fn nothing_is_on_disk_before_the_first_event() {
    let root = tempfile::tempdir().unwrap();
    let store_root = root.path().join("state/sessions");
    let logs = open(&store_root);
    assert!(logs.list().await.unwrap().is_empty());
    let writer = logs.create(header(ID)).await.unwrap();
    writer.append(Vec::new()).unwrap();
    writer.flush().await.unwrap();
    writer.close().await.unwrap();
    assert!(!root.path().join("state").exists());
}

#[tokio::test]
async fn a_flushed_session_lies_where_the_format_says_and_reads_back() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    let events = turn(1, 0);
    let writer = logs.create(header(ID)).await.unwrap();
    write_batches(&writer, &[&events[..4], &events[4..]]).await;

    assert_eq!(files(root.path()), [log_path(root.path(), ID)]);
    let bytes = fs::read(log_path(root.path(), ID)).unwrap();
    // The header's frame and one a batch.
    assert_eq!(frame_bounds(&bytes).len() - 1, 3);
    let log = logs.read(ID).await.unwrap();
    assert_eq!((log.header, log.events, log.repair), (header(ID), events, None));
}

#[tokio::test]
async fn a_log_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let root = tempfile::tempdir().unwrap();
    open(root.path()).seed(header(ID), turn(1, 0)).await.unwrap();
    let path = log_path(root.path(), ID);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0);
    assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o077, 0);
}

#[tokio::test]
async fn an_id_that_is_taken_is_refused_also_under_another_directory() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    logs.seed(header(ID), turn(1, 0)).await.unwrap();
    let elsewhere = Header { cwd: Some("/elsewhere".to_owned()), ..header(ID) };
    for header in [header(ID), elsewhere] {
        let error = logs.create(header).await.unwrap_err();
        assert!(matches!(error, StoreError::Exists { .. }), "{error}");
        assert!(error.to_string().ends_with("; resume it or use another id"), "{error}");
    }
    // A refused create leaves the id free for a resume.
    logs.resume(ID).await.unwrap().1.close().await.unwrap();
}

#[tokio::test]
async fn hostile_ids_stay_inside_the_root() {
    let root = tempfile::tempdir().unwrap();
    let store_root = root.path().join("a/b/store");
    let logs = open(&store_root);
    let ids = ["../x", "../../../x", "/etc/x", ".", "..", "a\0b", "日本語 🪐", "A", "a", "%41", "{{sessionId}}", "\n"];
    for id in ids {
        logs.seed(header(id), turn(1, 0)).await.unwrap_or_else(|error| panic!("{id:?}: {error}"));
        assert_eq!(logs.read(id).await.unwrap().header.id, id);
    }
    for path in files(root.path()) {
        assert!(path.starts_with(&store_root) && path.components().count() == store_root.components().count() + 3);
    }
    let mut listed: Vec<_> = logs.list().await.unwrap().into_iter().map(|row| row.header.id).collect();
    let mut expected: Vec<_> = ids.map(str::to_owned).into();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);

    for bad in [String::new(), "x".repeat(1_000_000), "🪐".repeat(100)] {
        let error = logs.create(header(&bad)).await.unwrap_err();
        assert!(matches!(error, StoreError::BadId { .. }), "{error}");
        assert!(matches!(logs.read(&bad).await.unwrap_err(), StoreError::BadId { .. }));
        assert!(matches!(logs.resume(&bad).await.unwrap_err(), StoreError::BadId { .. }));
    }
}

#[tokio::test]
async fn hostile_directories_stay_inside_the_root() {
    let root = tempfile::tempdir().unwrap();
    let store_root = root.path().join("store");
    let logs = open(&store_root);
    let long = "/ü".repeat(500);
    for (number, cwd) in ["/../../..", "..", "", "/a\0b", &long, "/"].into_iter().enumerate() {
        let id = number.to_string();
        logs.seed(Header { cwd: Some(cwd.to_owned()), ..header(&id) }, turn(1, 0)).await.unwrap();
        assert_eq!(logs.read(&id).await.unwrap().header.cwd.as_deref(), Some(cwd));
    }
    assert!(files(root.path()).iter().all(|path| path.starts_with(&store_root)));
}

#[tokio::test]
async fn an_unknown_id_says_where_it_looked() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    for error in [logs.read("none").await.unwrap_err(), logs.resume("none").await.unwrap_err()] {
        let shown = root.path().display();
        let expected = format!("no session \"none\" is stored under {shown}; list the sessions to see which there are");
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn the_list_shows_what_the_events_say() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    logs.seed(header("b"), turn(1, 0)).await.unwrap();
    let writer = logs.create(header("a")).await.unwrap();
    let mut events = turn(1, 0);
    events.push(title(10, "Six times seven"));
    write_batches(&writer, &[&events]).await;
    let blank = logs.create(header("c")).await.unwrap();
    write_batches(&blank, &[&[Payload::EndSeed.into_draft().at(0, NOW)]]).await;

    let rows = logs.list().await.unwrap();
    let shown: Vec<_> = rows
        .iter()
        .map(|row| (row.header.id.as_str(), row.title.as_deref(), row.last_prompt_at, row.blank, row.event_count))
        .collect();
    assert_eq!(
        shown,
        [
            ("a", Some("Six times seven"), Some(NOW + 1), false, 11),
            ("b", None, Some(NOW + 1), false, 10),
            ("c", None, None, true, 1),
        ]
    );
    assert!(rows.iter().all(|row| row.damage.is_none() && row.header.cwd.as_deref() == Some("/home/me/project")));
}

#[tokio::test]
async fn a_damaged_log_is_listed_with_its_damage_and_hides_no_other() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    for id in ["a", "b", "c"] {
        logs.seed(header(id), turn(1, 0)).await.unwrap();
    }
    fs::write(log_path(root.path(), "b"), "not a log").unwrap();
    // Things that are nobody's session are passed over.
    fs::create_dir_all(log_path(root.path(), "empty-folder").parent().unwrap()).unwrap();
    fs::write(root.path().join("--home-me-project--/note.txt"), "").unwrap();
    fs::write(root.path().join("--a-file--"), "").unwrap();
    fs::create_dir(root.path().join("other")).unwrap();

    let rows = logs.list().await.unwrap();
    assert_eq!(rows.iter().map(|row| row.header.id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    let damage = rows[1].damage.as_ref().unwrap().to_string();
    assert!(damage.contains("is damaged at byte 0: no zstd frame begins here"), "{damage}");
    assert!(!rows[1].blank, "a damaged log must not be hidden as a blank one");
    assert!(rows[0].damage.is_none() && rows[2].damage.is_none());
}

#[tokio::test]
async fn a_session_stored_twice_or_in_anothers_folder_is_not_guessed_at() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    logs.seed(header("a"), turn(1, 0)).await.unwrap();
    let copy = |to: &Path| {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(log_path(root.path(), "a"), to).unwrap();
    };
    copy(&log_path(root.path(), "b"));
    let error = logs.read("b").await.unwrap_err();
    assert!(error.to_string().contains("holds session \"a\", its folder is that of \"b\""), "{error}");
    assert!(matches!(logs.resume("b").await.unwrap_err(), StoreError::WrongId { .. }));

    copy(&root.path().join("--elsewhere--/a/session.jsonl.zstd"));
    let error = logs.read("a").await.unwrap_err();
    assert!(matches!(error, StoreError::Ambiguous { .. }), "{error}");
    assert!(error.to_string().ends_with("; move one of them away"), "{error}");
}

#[tokio::test]
async fn a_seeded_fixture_is_stored_as_it_was_recorded() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    for fixture in [
        include_str!("../../session/tests/data/tool_round_trip.jsonl"),
        include_str!("../../session/tests/data/older_shapes.jsonl"),
    ] {
        let id = fixture.len().to_string();
        let (header, events) = realize_fixture(fixture, &id, "/home/me/project").unwrap();
        logs.seed(header.clone(), events.clone()).await.unwrap();
        let log = logs.read(&id).await.unwrap();
        assert_eq!((log.header, log.events, log.repair), (header, events, None));
    }
}

#[tokio::test]
async fn histories_that_are_no_finished_log_are_not_seeded() {
    let root = tempfile::tempdir().unwrap();
    let logs = open(root.path());
    let events = turn(1, 0);
    let mut gap = events.clone();
    gap.remove(4);
    let mut unknown = events.clone();
    unknown[0].kind = "moon/phase".to_owned();
    for (events, reason) in [
        (Vec::new(), "it has no events; seed a recorded history"),
        (events[..9].to_vec(), "its last event, 8, is step/end, not turn/end; cut the recording at the end of a turn"),
        (gap, "event 5 (assistant/chunk) comes where event 4 is due"),
        (events[1..].to_vec(), "event 1 (user/message) comes where event 0 is due"),
        (unknown, "event 0 (moon/phase): unknown event type"),
    ] {
        let error = logs.seed(header(ID), events).await.unwrap_err().to_string();
        assert!(error.starts_with("session \"5f0c-1\" cannot be seeded: "), "{error}");
        assert!(error.contains(reason), "{error}");
    }
    assert!(files(root.path()).is_empty());
    logs.seed(header(ID), events.clone()).await.unwrap();
    assert!(matches!(logs.seed(header(ID), events).await.unwrap_err(), StoreError::Exists { .. }));
}

#[tokio::test]
async fn what_a_crash_left_before_publishing_is_swept_and_what_is_in_use_is_not() {
    let root = tempfile::tempdir().unwrap();
    let staging = root.path().join(".new");
    fs::create_dir(&staging).unwrap();
    fs::write(staging.join("left-over"), "half a log").unwrap();
    let in_use = File::create(staging.join("in-use")).unwrap();
    in_use.lock().unwrap();
    open(root.path());
    assert_eq!(files(root.path()), [staging.join("in-use")]);
    drop(in_use);
    open(root.path());
    assert!(files(root.path()).is_empty());
}
