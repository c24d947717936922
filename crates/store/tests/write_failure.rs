//! A disk that is full. One test alone in its process: the limit on file size it sets holds for the whole process.

mod common;

use std::fs;
use std::time::Duration;

use common::{ID, files, header, log_path, open, turn};
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use store::StoreError;
use tokio::time::sleep;

fn limit_file_size(bytes: u64) {
    let (_, hard) = getrlimit(Resource::RLIMIT_FSIZE).unwrap();
    setrlimit(Resource::RLIMIT_FSIZE, bytes.min(hard), hard).unwrap();
}

#[test]
fn a_failed_write_leaves_the_file_as_it_was_and_loses_no_event() {
    // Past the limit the kernel sends SIGXFSZ, which would end the process; blocked, the write fails with EFBIG. The
    // runtime's threads inherit the mask.
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    signals.thread_block().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let root = tempfile::tempdir().unwrap();
        let logs = open(root.path());
        let path = log_path(root.path(), ID);
        let writer = logs.create(header(ID)).await.unwrap();

        // The first batch: nothing is published, nothing is left in the staging folder.
        limit_file_size(20);
        writer.append(turn(1, 0)).unwrap();
        is_a_write_failure(writer.flush().await);
        assert!(files(root.path()).is_empty());
        limit_file_size(RLIM_INFINITY);
        writer.flush().await.unwrap();
        let whole = fs::read(&path).unwrap();

        // A later batch, written half: the flush says so, and so does every append until a write succeeds.
        limit_file_size(whole.len() as u64 + 10);
        writer.append(turn(2, 10)).unwrap();
        is_a_write_failure(writer.flush().await);
        assert_eq!(fs::read(&path).unwrap(), whole);
        is_a_write_failure(writer.append(turn(3, 20)));
        is_a_write_failure(writer.flush().await);
        assert_eq!(fs::read(&path).unwrap(), whole);
        limit_file_size(RLIM_INFINITY);
        writer.flush().await.unwrap();
        let whole = fs::read(&path).unwrap();

        // A batch that fails in the background: the next append and the next flush return the failure.
        limit_file_size(whole.len() as u64 + 10);
        writer.append(turn(4, 30)).unwrap();
        sleep(Duration::from_secs(1)).await;
        limit_file_size(RLIM_INFINITY);
        is_a_write_failure(writer.append(turn(5, 40)));
        is_a_write_failure(writer.flush().await);
        assert_eq!(fs::read(&path).unwrap(), whole);
        writer.flush().await.unwrap();
        writer.append(turn(6, 50)).unwrap();

        // Closing reports as well, and leaves a log that reads.
        let whole = fs::read(&path).unwrap();
        limit_file_size(whole.len() as u64 + 10);
        is_a_write_failure(writer.close().await);
        limit_file_size(RLIM_INFINITY);
        let log = logs.read(ID).await.unwrap();
        let expected: Vec<_> = (0..5).flat_map(|number| turn(number + 1, number * 10)).collect();
        assert_eq!((log.events, log.repair), (expected, None));
    });
}

#[track_caller]
fn is_a_write_failure(result: Result<(), StoreError>) {
    let error = result.unwrap_err();
    assert!(matches!(error, StoreError::Io { .. }), "{error}");
    let said = error.to_string();
    assert!(said.contains("File too large"), "{said}");
    assert!(said.ends_with("; check that the folder exists, is writable and has space left"), "{said}");
}
