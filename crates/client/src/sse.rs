//! Server-sent events, as far as the wire uses them: `data` lines and comments.

/// One thing a stream said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SseItem {
    /// The data of one event; its `data` lines joined by `\n`.
    Data(String),
    /// An event whose bytes are not UTF-8.
    NotUtf8,
}

/// Takes the bytes of a stream in any pieces and gives the events they complete. Lines are put together as bytes, so a
/// character may be split anywhere. Rules: HTML standard, "Interpreting an event stream"; fields other than `data` and
/// comments are skipped, an event that never ends is never given.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    started: bool,
    after_cr: bool,
}

impl SseParser {
    /// Takes more bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<SseItem> {
        let mut items = Vec::new();
        for &byte in bytes {
            let second_half_of_crlf = std::mem::take(&mut self.after_cr) && byte == b'\n';
            match byte {
                _ if second_half_of_crlf => {}
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    items.extend(self.end_line());
                }
                _ => self.line.push(byte),
            }
        }
        items
    }

    fn end_line(&mut self) -> Option<SseItem> {
        let mut line = std::mem::take(&mut self.line);
        if !std::mem::replace(&mut self.started, true) && line.starts_with(b"\xEF\xBB\xBF") {
            line.drain(..3);
        }
        if line.is_empty() {
            let data = self.data.take()?;
            return Some(String::from_utf8(data).map_or(SseItem::NotUtf8, SseItem::Data));
        }
        let (field, value) = match line.iter().position(|&byte| byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (&line[..], &b""[..]),
        };
        if field == b"data" {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{SseItem, SseParser};

    fn data(texts: &[&str]) -> Vec<SseItem> {
        texts.iter().map(|text| SseItem::Data((*text).to_owned())).collect()
    }

    #[test]
    fn reads_events_comments_and_joined_lines() {
        let table: &[(&str, &str, &[&str])] = &[
            ("one frame", "data: {}\n\n", &["{}"]),
            ("two frames in one chunk", "data: 1\n\ndata: 2\n\n", &["1", "2"]),
            ("comment lines are skipped", ": connected\n\n: still here\ndata: 1\n: x\n\n", &["1"]),
            ("data lines are joined", "data: a\ndata: b\n\n", &["a\nb"]),
            ("only one blank is stripped", "data:  a\n\ndata:b\n\n", &[" a", "b"]),
            ("carriage returns end lines too", "data: a\r\n\r\ndata: b\r\rdata: c\n\n", &["a", "b", "c"]),
            ("other fields are skipped", "event: x\nid: 7\nretry: 1\ndata: a\nnothing\n\n", &["a"]),
            ("empty data is an event", "data\n\ndata:\n\n", &["", ""]),
            ("a byte order mark is no field name", "\u{FEFF}data: a\n\n", &["a"]),
            ("an unfinished event is not given", "data: a\n\ndata: b\n", &["a"]),
            ("no events at all", "\n\n\n: x\n", &[]),
        ];
        for (name, text, expected) in table {
            assert_eq!(SseParser::default().push(text.as_bytes()), data(expected), "{name}");
        }
    }

    #[test]
    fn every_split_of_the_bytes_gives_the_same_events() {
        let text = ": connected\r\n\r\ndata: {\"a\":\"漢字 🦀 é\"}\r\n\r\ndata: x\ndata: ü\n\ndata: 最後\r\r";
        let whole = data(&["{\"a\":\"漢字 🦀 é\"}", "x\nü", "最後"]);
        let bytes = text.as_bytes();
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let mut parser = SseParser::default();
                let mut items = parser.push(&bytes[..first]);
                items.extend(parser.push(&bytes[first..second]));
                items.extend(parser.push(&bytes[second..]));
                assert_eq!(items, whole, "split at {first} and {second}");
            }
        }
        let mut parser = SseParser::default();
        assert_eq!(bytes.iter().flat_map(|byte| parser.push(&[*byte])).collect::<Vec<_>>(), whole);
    }

    #[test]
    fn an_event_that_is_not_utf8_is_told_and_the_next_is_read() {
        let items = SseParser::default().push(b"data: \xFF\xFE\n\ndata: a\n\n");
        assert_eq!(items, [SseItem::NotUtf8, SseItem::Data("a".to_owned())]);
    }
}
