//! zstd frames: one a batch, each with its checksum.

use std::io::{self, Read};

use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{CParameter, find_frame_compressed_size, get_error_name, is_error_kind};

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// In the byte after the magic number (RFC 8878, 3.1.1.1.1).
const CHECKSUM_FLAG: u8 = 1 << 2;

/// What stands at the start of some bytes.
pub(crate) enum Frame {
    /// A whole frame: its length in bytes and its content.
    Whole(usize, Vec<u8>),
    /// The bytes end inside a frame; the content that can be had from it.
    Incomplete(Vec<u8>),
    /// Not a frame, or not the one that was written.
    Damaged(String),
}

/// One frame with this content.
pub(crate) fn compress(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(zstd::DEFAULT_COMPRESSION_LEVEL)?;
    compressor.set_parameter(CParameter::ChecksumFlag(true))?;
    compressor.compress(content)
}

/// Reads the frame at the start of `bytes` (not empty).
pub(crate) fn read(bytes: &[u8]) -> Frame {
    let begins = bytes.len().min(MAGIC.len());
    if bytes[..begins] != MAGIC[..begins] {
        // A file system that had lengthened the file but not yet written to it leaves zeros after a power cut.
        return if bytes.iter().all(|byte| *byte == 0) {
            Frame::Incomplete(Vec::new())
        } else {
            Frame::Damaged("no zstd frame begins here".to_owned())
        };
    }
    if bytes.get(MAGIC.len()).is_some_and(|descriptor| descriptor & CHECKSUM_FLAG == 0) {
        return Frame::Damaged("the frame says that it has no checksum".to_owned());
    }
    match find_frame_compressed_size(bytes) {
        Ok(length) => match content(&bytes[..length]) {
            (content, None) => Frame::Whole(length, content),
            (_, Some(error)) => Frame::Damaged(error.to_string()),
        },
        Err(code) if is_error_kind(code, ZSTD_ErrorCode::ZSTD_error_srcSize_wrong) => {
            // A damaged length looks like a missing end; a whole frame further on tells them apart.
            match later_frame(bytes) {
                Some(at) => Frame::Damaged(format!("the frame's length is wrong, another frame begins {at} bytes on")),
                None => Frame::Incomplete(content(bytes).0),
            }
        }
        Err(code) => Frame::Damaged(get_error_name(code).to_owned()),
    }
}

/// What decompresses from `bytes`, and the error that ended it early.
fn content(bytes: &[u8]) -> (Vec<u8>, Option<io::Error>) {
    let mut content = Vec::new();
    let error = zstd::stream::read::Decoder::with_buffer(bytes)
        .and_then(|decoder| decoder.single_frame().read_to_end(&mut content))
        .err();
    (content, error)
}

fn later_frame(bytes: &[u8]) -> Option<usize> {
    (1..bytes.len().saturating_sub(MAGIC.len())).find(|at| {
        bytes[*at..].starts_with(&MAGIC)
            && find_frame_compressed_size(&bytes[*at..])
                .is_ok_and(|length| content(&bytes[*at..*at + length]).1.is_none())
    })
}
