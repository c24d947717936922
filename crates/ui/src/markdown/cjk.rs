//! Emphasis beside Chinese, Japanese and Korean text.
//!
//! CommonMark lets `**` open or close beside punctuation only where a space or more punctuation stands on its other
//! side. These scripts write no spaces: in `他说**“好”**，` the marks would show as asterisks. A sentinel that counts as
//! punctuation, put between the letter and the mark, makes the parser take it; the sentinels are taken out of all that
//! the parser gives.

use std::borrow::Cow;

use pulldown_cmark::CowStr;

/// Punctuation of an old script that no text holds; one that does is left alone.
const SENTINEL: char = '\u{10A7F}';

/// A text ready for the parser.
pub(super) struct Prepared<'a> {
    /// What to parse.
    pub(super) text: Cow<'a, str>,
    /// Whether sentinels were put in. A text that held one before has none of ours.
    pub(super) sentinels: bool,
}

/// The text with sentinels where a mark of emphasis stands between a letter of these scripts and punctuation.
pub(super) fn prepared(markdown: &str) -> Prepared<'_> {
    let untouched = Prepared { text: Cow::Borrowed(markdown), sentinels: false };
    if !markdown.contains('*') || markdown.contains(SENTINEL) {
        return untouched;
    }
    let mut prepared = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = markdown[at..].find('*') {
        let start = at + found;
        let end = start + markdown[start..].len() - markdown[start..].trim_start_matches('*').len();
        let (before, after) = (markdown[..start].chars().next_back(), markdown[end..].chars().next());
        let place = match (before, after) {
            (Some(before), Some(after)) if unspaced(before) && punctuation(after) => Some(start),
            (Some(before), Some(after)) if punctuation(before) && unspaced(after) => Some(end),
            _ => None,
        };
        if let Some(place) = place {
            prepared.push_str(&markdown[copied..place]);
            prepared.push(SENTINEL);
            copied = place;
        }
        at = end;
    }
    if copied == 0 {
        return untouched;
    }
    prepared.push_str(&markdown[copied..]);
    Prepared { text: Cow::Owned(prepared), sentinels: true }
}

/// The text as it was before [`prepared`].
pub(super) fn without_sentinels(text: CowStr<'_>) -> CowStr<'_> {
    if text.contains(SENTINEL) { text.replace(SENTINEL, "").into() } else { text }
}

/// A letter of a script without spaces between words, or of Korean, whose particles follow a mark without one.
fn unspaced(sign: char) -> bool {
    matches!(sign,
        '\u{1100}'..='\u{11FF}'
        | '\u{2E80}'..='\u{2FDF}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30FF}'
        | '\u{3105}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF10}'..='\u{FFDC}'
        | '\u{20000}'..='\u{3FFFF}')
        && sign.is_alphanumeric()
}

fn punctuation(sign: char) -> bool {
    !sign.is_alphanumeric() && !sign.is_whitespace() && !sign.is_control()
}
