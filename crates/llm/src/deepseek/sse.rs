//! Server-sent events, as far as a chat completion uses them: `data` fields (WHATWG HTML, section 9.2).

/// An event longer than this is not a chat completion's.
const LONGEST_EVENT: usize = 8 * 1024 * 1024;

/// Bytes in any cut to the data of events. Bytes, not text: a cut may fall inside a character.
#[derive(Default)]
pub(super) struct EventDecoder {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    /// The last byte was a carriage return, so a line feed now belongs to the same line end.
    after_return: bool,
}

/// The stream is no event stream.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event is longer than {LONGEST_EVENT} bytes")]
pub(super) struct EventTooLong;

impl EventDecoder {
    /// Takes more bytes; appends the data of each event they complete to `events`.
    pub(super) fn push(&mut self, mut bytes: &[u8], events: &mut Vec<Vec<u8>>) -> Result<(), EventTooLong> {
        let Some(first) = bytes.first() else { return Ok(()) };
        if std::mem::take(&mut self.after_return) && *first == b'\n' {
            bytes = &bytes[1..];
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.line.extend_from_slice(&bytes[..end]);
            self.end_line(events);
            let line_feed_follows = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
            self.after_return = bytes[end] == b'\r' && end + 1 == bytes.len();
            bytes = &bytes[end + 1 + usize::from(line_feed_follows)..];
        }
        self.line.extend_from_slice(bytes);
        if self.line.len() + self.data.as_ref().map_or(0, Vec::len) > LONGEST_EVENT {
            Err(EventTooLong)
        } else {
            Ok(())
        }
    }

    fn end_line(&mut self, events: &mut Vec<Vec<u8>>) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            events.extend(self.data.take());
            return;
        }
        // Other fields and comments (keep-alive) carry nothing of a completion.
        let Some(value) = line.strip_prefix(b"data:") else { return };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<String> {
        let mut decoder = EventDecoder::default();
        let mut events = Vec::new();
        for piece in pieces {
            decoder.push(piece, &mut events).unwrap();
        }
        events.into_iter().map(|event| String::from_utf8(event).unwrap()).collect()
    }

    #[test]
    fn every_cut_gives_the_same_events() {
        for end in ["\n", "\r\n", "\r"] {
            let text =
                format!("data: één{end}data:two{end}{end}: keep-alive{end}{end}event: x{end}data: 漢字🦀{end}{end}");
            let expected = ["één\ntwo", "漢字🦀"];
            let bytes = text.as_bytes();
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                    assert_eq!(decode(pieces), expected, "line end {end:?}, cut at {first} and {second}");
                }
            }
            assert_eq!(decode(bytes.chunks(1)), expected, "line end {end:?}, byte by byte");
        }
    }

    #[test]
    fn a_line_feed_belongs_to_the_return_before_it_once() {
        assert_eq!(decode([b"data: a\r".as_slice(), b"", b"\n", b"\n", b"data: b\n\n"]), ["a", "b"]);
    }

    #[test]
    fn an_event_that_is_not_ended_is_not_given() {
        assert_eq!(decode([b"data: {}\n".as_slice()]), Vec::<String>::new());
    }

    #[test]
    fn two_events_in_one_piece_are_two() {
        assert_eq!(decode([b"data: a\n\ndata: b\n\n".as_slice()]), ["a", "b"]);
    }

    #[test]
    fn an_endless_event_is_refused() {
        let mut decoder = EventDecoder::default();
        let piece = vec![b'x'; LONGEST_EVENT];
        assert_eq!(decoder.push(&piece, &mut Vec::new()), Ok(()));
        let error = decoder.push(b"x", &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "an event is longer than 8388608 bytes");
    }
}
