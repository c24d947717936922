//! What a crash can leave is repaired; other damage is refused.

mod common;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use common::{ID, NOW, frame_bounds, header, log_path, open, title, turn, write_batches};
use session::{Event, Packing, encode_events};
use store::{Repair, StoreError};

/// A session on disk: its root, its log and the log's bytes.
struct Stored {
    root: tempfile::TempDir,
    path: PathBuf,
    bytes: Vec<u8>,
    bounds: Vec<usize>,
}

async fn stored(batches: &[&[Event]]) -> Stored {
    let root = tempfile::tempdir().unwrap();
    let writer = open(root.path()).create(header(ID)).await.unwrap();
    write_batches(&writer, batches).await;
    writer.close().await.unwrap();
    let path = log_path(root.path(), ID);
    let bytes = fs::read(&path).unwrap();
    let bounds = frame_bounds(&bytes);
    Stored { root, path, bytes, bounds }
}

impl Stored {
    fn root(&self) -> &Path {
        self.root.path()
    }

    fn last_frame(&self) -> usize {
        self.bounds[self.bounds.len() - 2]
    }
}

#[tokio::test]
async fn a_last_frame_cut_at_any_byte_is_repaired() {
    let (first, second) = (turn(1, 0), turn(2, 10));
    // The crash is in the middle of the second turn: after its third delta, before the answer.
    let stored = stored(&[&first, &second[..2], &second[2..6]]).await;
    let committed = [&first[..], &second[..2]].concat();
    for cut in stored.last_frame()..stored.bytes.len() {
        fs::write(&stored.path, &stored.bytes[..cut]).unwrap();
        let torn = (cut - stored.last_frame()) as u64;
        let logs = open(stored.root());

        let read = logs.read(ID).await.unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert_eq!(fs::read(&stored.path).unwrap(), stored.bytes[..cut], "reading changes nothing");
        assert!(read.events.starts_with(&committed), "cut at {cut}");
        let repair = read.repair.unwrap();
        assert_eq!(repair.torn_bytes, torn);
        assert_eq!(read.events.len(), committed.len() + repair.recovered + repair.closing, "cut at {cut}");
        assert_eq!(read.events.last().unwrap().data, serde_json::json!({"turn": 2, "reason": {"kind": "interrupted"}}));

        let (resumed, writer) = logs.resume(ID).await.unwrap();
        let (marker, events) = resumed.events.split_last().unwrap();
        assert_eq!((events, resumed.repair), (&read.events[..], Some(repair)));
        assert_eq!((marker.kind.as_str(), marker.time), ("session/end-seed", NOW));
        let next = resumed.events.len() as u64;
        write_batches(&writer, &[&turn(3, next)]).await;
        writer.close().await.unwrap();

        let after = logs.read(ID).await.unwrap();
        assert_eq!(after.repair, None, "cut at {cut}");
        assert_eq!(after.events, [resumed.events, turn(3, next)].concat());
    }
}

#[tokio::test]
async fn what_a_torn_frame_still_holds_is_kept() {
    let first = turn(1, 0);
    let stored = stored(&[&first]).await;
    // A frame of one block a line, as a large batch has one every 128 KB.
    let second = turn(2, 10);
    let lines = encode_events(&second, Packing::Plain);
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 0).unwrap();
    encoder.include_checksum(true).unwrap();
    for line in lines.split_inclusive('\n') {
        encoder.write_all(line.as_bytes()).unwrap();
        encoder.flush().unwrap();
    }
    let frame = encoder.finish().unwrap();

    let logs = open(stored.root());
    let mut recovered = 0;
    for cut in 1..=frame.len() {
        fs::write(&stored.path, [&stored.bytes, &frame[..cut]].concat()).unwrap();
        let log = logs.read(ID).await.unwrap();
        if cut == frame.len() {
            assert_eq!((log.events, log.repair), ([&first[..], &second].concat(), None));
            break;
        }
        let repair = log.repair.unwrap();
        assert!(repair.recovered >= recovered, "a longer file holds no less");
        let more = repair.recovered > recovered;
        recovered = repair.recovered;
        assert_eq!(log.events[first.len()..][..recovered], second[..recovered]);
        if recovered == 0 || recovered == second.len() {
            assert_eq!(repair.closing, 0, "no turn is open");
        }
        if !more {
            continue;
        }
        let (resumed, writer) = logs.resume(ID).await.unwrap();
        assert_eq!(resumed.events[..log.events.len()], log.events);
        writer.close().await.unwrap();
        assert_eq!(logs.read(ID).await.unwrap().repair, None);
    }
    assert_eq!(recovered, second.len(), "only the checksum was missing in the last round");
}

#[tokio::test]
async fn a_garbled_line_in_a_torn_frame_ends_what_is_kept() {
    let first = turn(1, 0);
    let stored = stored(&[&first]).await;
    let line = |seq, text| encode_events(&[title(seq, text)], Packing::Plain);
    // Flushed but not finished: whole blocks, no end.
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(format!("{}{{\"type\":\n{}", line(10, "kept"), line(11, "lost")).as_bytes()).unwrap();
    encoder.flush().unwrap();
    fs::write(&stored.path, [&stored.bytes[..], encoder.get_ref()].concat()).unwrap();
    let log = open(stored.root()).read(ID).await.unwrap();
    assert_eq!(log.events, [&first[..], &[title(10, "kept")]].concat());
    assert_eq!(log.repair.unwrap().recovered, 1);
}

#[tokio::test]
async fn a_tail_of_zeros_is_the_mark_of_a_power_cut() {
    let first = turn(1, 0);
    let stored = stored(&[&first]).await;
    for zeros in [1, 3, 4, 4096] {
        fs::write(&stored.path, [&stored.bytes[..], &vec![0; zeros]].concat()).unwrap();
        let (log, writer) = open(stored.root()).resume(ID).await.unwrap();
        assert_eq!(log.events[..first.len()], first);
        assert_eq!(log.repair, Some(Repair { torn_bytes: zeros as u64, recovered: 0, closing: 0 }));
        writer.close().await.unwrap();
        assert_eq!(open(stored.root()).read(ID).await.unwrap().repair, None);
    }
}

#[tokio::test]
async fn no_flipped_bit_before_the_last_frame_changes_or_loses_an_event() {
    let (first, second) = (turn(1, 0), turn(2, 10));
    let all = [&first[..], &second, &[title(20, "after")]].concat();
    let stored = stored(&[&first, &second, &all[20..]]).await;
    let logs = open(stored.root());
    for at in 0..stored.bytes.len() {
        // Every bit where frames say how long they are, one bit a byte in their content.
        let in_frame = at - stored.bounds.iter().rfind(|bound| **bound <= at).unwrap();
        let bits = if in_frame < 12 { 0..8 } else { at % 8..at % 8 + 1 };
        for bit in bits {
            let mut bytes = stored.bytes.clone();
            bytes[at] ^= 1 << bit;
            fs::write(&stored.path, &bytes).unwrap();
            match logs.read(ID).await {
                Err(StoreError::Damaged { offset, events, .. }) => {
                    let frame =
                        stored.bounds.iter().rposition(|bound| *bound as u64 == offset).expect("a frame's start");
                    assert!(stored.bounds[frame] <= at, "byte {at} bit {bit}: said to begin at {offset}");
                    assert!(events <= all.len());
                }
                Err(error) => panic!("byte {at} bit {bit}: {error}"),
                Ok(log) if log.repair.is_none() => assert_eq!(log.events, all, "byte {at} bit {bit}"),
                // A wrong length in the last frame looks like a crash; only what came after the last turn/end can go.
                Ok(log) => {
                    assert!(
                        at >= stored.last_frame(),
                        "byte {at} bit {bit} before the last frame was taken for a crash"
                    );
                    assert_eq!(log.events, all[..20]);
                }
            }
        }
    }
}

#[tokio::test]
async fn damage_before_the_last_turn_end_is_refused_and_left_alone() {
    let (first, second) = (turn(1, 0), turn(2, 10));
    let stored = stored(&[&first, &second]).await;
    let logs = open(stored.root());
    let mut bytes = stored.bytes.clone();
    let second_frame = stored.last_frame();
    bytes[second_frame - 3] ^= 0xFF;
    fs::write(&stored.path, &bytes).unwrap();
    for error in [logs.read(ID).await.unwrap_err(), logs.resume(ID).await.unwrap_err()] {
        let said = error.to_string();
        let begins = stored.bounds[1];
        assert!(said.contains(&format!("session.jsonl.zstd is damaged at byte {begins}: ")), "{said}");
        assert!(
            said.ends_with(&format!("or cut it to {begins} bytes to keep the 0 events before the damage")),
            "{said}"
        );
    }
    assert_eq!(fs::read(&stored.path).unwrap(), bytes);
    // A refused resume holds nothing: once the file is mended, it works.
    fs::write(&stored.path, &stored.bytes).unwrap();
    logs.resume(ID).await.unwrap();
}

#[tokio::test]
async fn bytes_that_no_crash_explains_are_refused() {
    let first = turn(1, 0);
    let stored = stored(&[&first]).await;
    let frame = |text: &[u8]| {
        let mut compressor = zstd::bulk::Compressor::new(3).unwrap();
        compressor.set_parameter(zstd::zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
        compressor.compress(text).unwrap()
    };
    let gap = encode_events(&[title(11, "a gap")], Packing::Plain);
    let unchecked = zstd::bulk::compress(encode_events(&[title(10, "next")], Packing::Plain).as_bytes(), 3).unwrap();
    let cases: [(Vec<u8>, &str); 8] = [
        ([&stored.bytes[..], &unchecked].concat(), "the frame says that it has no checksum"),
        (Vec::new(), "line 1: the log is empty"),
        (stored.bytes[..stored.bounds[1] - 1].to_vec(), "is damaged at byte 0: the header's frame is incomplete"),
        ([&stored.bytes[..], b"garbage"].concat(), "no zstd frame begins here"),
        ([&stored.bytes[..], &[0, 0, 7]].concat(), "no zstd frame begins here"),
        (
            [&stored.bytes[..], &frame(gap.as_bytes())].concat(),
            "line 10: event 11 (session/title) comes where event 10 is due",
        ),
        ([&stored.bytes[..], &frame(b"{\"type\":")].concat(), "line 10: not valid JSON"),
        ([&stored.bytes[..], &frame(b"\xFF\xFE\n")].concat(), "invalid utf-8"),
    ];
    for (bytes, reason) in cases {
        fs::write(&stored.path, &bytes).unwrap();
        for error in
            [open(stored.root()).read(ID).await.unwrap_err(), open(stored.root()).resume(ID).await.unwrap_err()]
        {
            let said = error.to_string();
            assert!(said.contains(reason), "said:     {said}\nexpected: {reason}");
            assert!(said.contains("session.jsonl.zstd"), "{said}");
        }
        assert_eq!(fs::read(&stored.path).unwrap(), bytes);
    }
}

#[tokio::test]
async fn a_log_is_marked_once_however_often_it_is_resumed() {
    let first = turn(1, 0);
    let stored = stored(&[&first]).await;
    for _ in 0..3 {
        let (log, writer) = open(stored.root()).resume(ID).await.unwrap();
        assert_eq!(log.events.len(), first.len() + 1);
        assert_eq!(log.repair, None);
        writer.close().await.unwrap();
    }
    assert_eq!(frame_bounds(&fs::read(&stored.path).unwrap()).len(), stored.bounds.len() + 1);
}

#[tokio::test]
async fn closing_events_carry_the_last_sign_of_life() {
    let second = turn(2, 10);
    let stored = stored(&[&turn(1, 0), &second[..3]]).await;
    let log = open(stored.root()).read(ID).await.unwrap();
    let closing = log.repair.unwrap().closing;
    assert_eq!(closing, 2);
    assert!(log.events[log.events.len() - closing..].iter().all(|event| event.time == second[2].time));
}
