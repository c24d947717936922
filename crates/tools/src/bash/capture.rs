//! Output kept within a limit: its head and its tail, never its middle.

/// Collects bytes; beyond the limit only the first and the last half of it stay.
pub(super) struct Capture {
    half: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    total: u64,
}

impl Capture {
    pub(super) fn new(limit: usize) -> Self {
        Self { half: (limit / 2).max(1), head: Vec::new(), tail: Vec::new(), total: 0 }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = self.half - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        // Cut only now and then, so that a flood costs one move a buffer, not one a read.
        if self.tail.len() > 4 * self.half {
            self.cut_tail();
        }
    }

    fn cut_tail(&mut self) {
        let surplus = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..surplus);
    }

    /// The text, with a note where bytes are missing, and how many are. Bytes that are no UTF-8 become U+FFFD; a
    /// character cut by the limit is left out whole.
    pub(super) fn finish(mut self) -> (String, u64) {
        self.cut_tail();
        let kept = (self.head.len() + self.tail.len()) as u64;
        if kept == self.total {
            self.head.extend_from_slice(&self.tail);
            return (String::from_utf8_lossy(&self.head).into_owned(), 0);
        }
        let head = without_cut_end(&self.head);
        let tail = without_cut_start(&self.tail);
        let omitted = self.total - (head.len() + tail.len()) as u64;
        let text = format!(
            "{}\n[{omitted} of {} bytes omitted here; write long output to a file and read the part you need]\n{}",
            String::from_utf8_lossy(head),
            self.total,
            String::from_utf8_lossy(tail),
        );
        (text, omitted)
    }
}

/// Drops an incomplete character at the end.
fn without_cut_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        // Elsewhere broken too: the lossy reading shows it, only the last character is looked at.
        Err(_) => {
            let start = bytes.len().saturating_sub(4);
            let lead = (start..bytes.len()).rev().find(|&at| bytes[at] & 0xC0 != 0x80);
            match lead {
                Some(at) if std::str::from_utf8(&bytes[at..]).is_err_and(|error| error.error_len().is_none()) => {
                    &bytes[..at]
                }
                _ => bytes,
            }
        }
        Ok(_) => bytes,
    }
}

/// Drops the rest of a character whose start is gone.
fn without_cut_start(bytes: &[u8]) -> &[u8] {
    let rest = bytes.iter().take(3).take_while(|&&byte| byte & 0xC0 == 0x80).count();
    &bytes[rest..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(limit: usize, pieces: &[&[u8]], text: &str, omitted: u64) {
        let mut capture = Capture::new(limit);
        for piece in pieces {
            capture.push(piece);
        }
        assert_eq!(capture.finish(), (text.to_owned(), omitted));
    }

    #[test]
    fn output_up_to_the_limit_is_kept_byte_for_byte() {
        check(8, &[b"1234", b"5678"], "12345678", 0);
        check(8, &[], "", 0);
        check(8, &["é\u{fe0f}\n".as_bytes()], "é\u{fe0f}\n", 0);
    }

    #[test]
    fn beyond_the_limit_head_and_tail_stay_with_a_note_between() {
        let note = "\n[2 of 10 bytes omitted here; write long output to a file and read the part you need]\n";
        check(8, &[b"0123456789"], &format!("0123{note}6789"), 2);
        check(8, &[b"0", b"12345", b"6789"], &format!("0123{note}6789"), 2);
    }

    #[test]
    fn a_character_cut_by_the_limit_is_left_out_whole() {
        let note = "\n[6 of 12 bytes omitted here; write long output to a file and read the part you need]\n";
        check(8, &["日本語字".as_bytes()], &format!("日{note}字"), 6);
    }

    #[test]
    fn a_flood_keeps_memory_bounded() {
        let mut capture = Capture::new(1024);
        for _ in 0..10_000 {
            capture.push(&[b'y'; 512]);
            assert!(capture.head.len() + capture.tail.len() < 8 * 1024);
        }
        let (text, omitted) = capture.finish();
        assert_eq!(omitted, 10_000 * 512 - 1024);
        assert!(text.len() < 1200);
    }
}
