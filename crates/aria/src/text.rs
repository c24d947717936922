//! Text that knows which of its parts are volatile.

use std::fmt;
use std::ops::{Deref, Range};

use crate::chars::{is_invisible, is_space};

// The capture script's sentinels, see capture/marks.js.
const MARK_OPEN: char = '\u{E000}';
const MARK_TEXT: char = '\u{E001}';
const MARK_CLOSE: char = '\u{E002}';
const MARK_SOURCE: char = '\u{E003}';
const ESCAPE: char = '\u{E004}';

/// A string of a snapshot: a name, a text child, a property. It reads as a `str`; the parts that the page marked as
/// volatile are listed beside it until [`Snapshot::apply_tokens`](crate::Snapshot::apply_tokens) replaces them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Text {
    value: String,
    marks: Vec<Mark>,
}

/// One volatile part of a [`Text`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The value of the page's mark attribute, such as `clock`.
    pub kind: String,
    /// Where the value is in the text, in bytes.
    pub range: Range<usize>,
    /// Number of the marked element in its capture: two pieces of one element are one value, two elements never are.
    source: u32,
}

impl Text {
    /// The plain text, marks or not.
    pub fn as_str(&self) -> &str {
        &self.value
    }

    /// The volatile parts, in order and without overlap.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The parts of the text that no mark covers.
    pub(crate) fn unmarked(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.marks.iter().map(|mark| mark.range.end));
        let ends = self.marks.iter().map(|mark| mark.range.start).chain(std::iter::once(self.value.len()));
        starts.zip(ends).map(|(start, end)| &self.value[start..end])
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.value
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value)
    }
}

impl From<String> for Text {
    fn from(value: String) -> Self {
        Text { value, marks: Vec::new() }
    }
}

impl From<&str> for Text {
    fn from(value: &str) -> Self {
        value.to_owned().into()
    }
}

/// A text under construction, character by character.
#[derive(Debug, Default)]
struct TextBuilder {
    text: Text,
}

impl TextBuilder {
    /// Appends a character under a mark (kind and source element) or none. Touching pieces of one element are one mark.
    fn push(&mut self, c: char, mark: Option<(&str, u32)>) {
        let start = self.text.value.len();
        self.text.value.push(c);
        let end = self.text.value.len();
        let Some((kind, source)) = mark else { return };
        match self.text.marks.last_mut() {
            Some(last) if last.range.end == start && last.source == source && last.kind == kind => last.range.end = end,
            _ => self.text.marks.push(Mark { kind: kind.to_owned(), range: start..end, source }),
        }
    }
}

impl Text {
    /// Reads a text of the capture script with its sentinels.
    pub(crate) fn from_captured(captured: &str) -> Text {
        let mut builder = TextBuilder::default();
        let mut open: Option<(String, u32)> = None;
        let mut chars = captured.chars();
        while let Some(c) = chars.next() {
            let raw = match c {
                MARK_OPEN => {
                    let kind = chars.by_ref().take_while(|&c| c != MARK_SOURCE).collect();
                    let source: String = chars.by_ref().take_while(|&c| c != MARK_TEXT).collect();
                    open = Some((kind, source.parse().unwrap_or(u32::MAX)));
                    continue;
                }
                MARK_CLOSE => {
                    open = None;
                    continue;
                }
                ESCAPE => {
                    let letter = chars.next().map_or(0, |c| u32::from(c).wrapping_sub(u32::from('a')));
                    let code = u32::from(MARK_OPEN).saturating_add(letter);
                    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
                _ => c,
            };
            builder.push(raw, open.as_ref().map(|(kind, source)| (kind.as_str(), *source)));
        }
        builder.text
    }

    /// The texts one after the other, normalised: invisible characters deleted, white space collapsed and trimmed. A
    /// space is under a mark when both its neighbours are.
    pub(crate) fn normalised<'a>(texts: impl IntoIterator<Item = &'a Text>) -> Text {
        let mut builder = TextBuilder::default();
        let mut before = None;
        let mut space_pending = false;
        for text in texts {
            let mut marks = text.marks.iter().peekable();
            for (at, c) in text.value.char_indices().filter(|&(_, c)| !is_invisible(c)) {
                if is_space(c) {
                    space_pending = !builder.text.is_empty();
                    continue;
                }
                while marks.next_if(|mark| mark.range.end <= at).is_some() {}
                let mark = marks.peek().filter(|mark| mark.range.contains(&at));
                let mark = mark.map(|mark| (mark.kind.as_str(), mark.source));
                if space_pending {
                    builder.push(' ', if before == mark { mark } else { None });
                    space_pending = false;
                }
                builder.push(c, mark);
                before = mark;
            }
        }
        builder.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(text: &str) -> Text {
        Text::normalised([&Text::from_captured(text)])
    }

    fn marks(text: &Text) -> Vec<(&str, &str)> {
        text.marks().iter().map(|mark| (mark.kind.as_str(), &text[mark.range.clone()])).collect()
    }

    #[test]
    fn marked_part_is_found_and_trimmed() {
        let text = captured("  at \u{E000}clock\u{E003}0\u{E001} 12:30 \u{E002}. ");
        assert_eq!(text.as_str(), "at 12:30 .");
        assert_eq!(marks(&text), [("clock", "12:30")]);
        assert_eq!(text.unmarked().collect::<Vec<_>>(), ["at ", " ."]);
    }

    #[test]
    fn pieces_of_one_element_are_one_value() {
        let text = captured("\u{E000}d\u{E003}3\u{E001}1m\u{E002} \u{E000}d\u{E003}3\u{E001}2s\u{E002}");
        assert_eq!(marks(&text), [("d", "1m 2s")]);
    }

    #[test]
    fn two_elements_side_by_side_are_two_values() {
        let text = captured("\u{E000}d\u{E003}3\u{E001}1s\u{E002}\u{E000}d\u{E003}4\u{E001}2s\u{E002}");
        assert_eq!(marks(&text), [("d", "1s"), ("d", "2s")]);
    }

    #[test]
    fn private_use_characters_of_the_page_come_back() {
        let text = captured("icon \u{E004}a\u{E004}e and \u{E000}k\u{E003}1\u{E001}\u{E004}b\u{E002}");
        assert_eq!(text.as_str(), "icon \u{E000}\u{E004} and \u{E001}");
        assert_eq!(marks(&text), [("k", "\u{E001}")]);
    }

    #[test]
    fn white_space_follows_javascript() {
        assert_eq!(captured("a\u{A0}\u{3000}b\u{FEFF}\u{2028}c\u{200B}d\u{AD}e\u{180E}").as_str(), "a b cde\u{180E}");
    }
}
