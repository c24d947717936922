//! When a string must be quoted, and how.

use std::fmt::Write;

use crate::chars::is_space;
use crate::pattern;

/// Whether a plain scalar would not read back as this string in YAML 1.1 or 1.2, or would look like something else.
pub(super) fn needs_quotes(text: &str) -> bool {
    let (Some(first), Some(last)) = (text.chars().next(), text.chars().next_back()) else { return true };
    is_space(first)
        || is_space(last)
        || "-&*],?!>|@\"'#%[".contains(first)
        || text.contains(|c| is_unprintable(c) || matches!(c, '\n' | '\r' | '{' | '}' | '`'))
        || text
            .chars()
            .zip(text.chars().skip(1))
            .any(|(c, next)| (c == ':' && is_space(next)) || (is_space(c) && next == '#'))
        || last == ':'
        || is_number(text)
        || is_word_with_a_meaning(text)
}

/// Control characters that a YAML stream cannot hold as they are. Tab and line ends are not among them.
fn is_unprintable(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{7F}'..='\u{9F}')
}

/// Whether JavaScript's `Number()` makes a number of it.
fn is_number(text: &str) -> bool {
    let text = text.trim_matches(is_space);
    if let Some((radix, digits)) = ["0x", "0X", "0o", "0O", "0b", "0B"]
        .iter()
        .zip([16, 16, 8, 8, 2, 2])
        .find_map(|(prefix, radix)| text.strip_prefix(prefix).map(|digits| (radix, digits)))
    {
        return !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "Infinity" {
        return true;
    }
    // Rust's float grammar is JavaScript's but for the words it also takes.
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') && unsigned.parse::<f64>().is_ok()
}

fn is_word_with_a_meaning(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let unsigned = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
    matches!(lower.as_str(), "y" | "n" | "yes" | "no" | "true" | "false" | "on" | "off" | "null" | "~")
        || matches!(unsigned, ".inf" | ".nan")
}

/// A text as a value that a template reads as that text. Between slashes it is read as a pattern, for which it matches
/// itself too; where it is no valid one, an escaped slash says that it is none.
pub(super) fn literal(text: &str) -> String {
    if pattern::is_readable(text) {
        return value(text);
    }
    let quoted = double_quoted(text);
    format!("\"\\{}", &quoted[1..])
}

/// A value: plain where that is safe, else in double quotes with YAML's escapes.
pub(super) fn value(text: &str) -> String {
    if !needs_quotes(text) {
        return text.to_owned();
    }
    double_quoted(text)
}

/// In double quotes with YAML's escapes.
fn double_quoted(text: &str) -> String {
    quoted(text, |c, quoted| {
        let escape = is_unprintable(c);
        if escape {
            _ = write!(quoted, "\\x{:02x}", u32::from(c));
        }
        escape
    })
}

/// A key: plain, or as a whole in single quotes.
pub(super) fn key(key: String) -> String {
    if needs_quotes(&key) { format!("'{}'", key.replace('\'', "''")) } else { key }
}

/// A name: a JSON string, as JavaScript writes it.
pub(super) fn name(text: &str) -> String {
    quoted(text, |c, quoted| {
        let escape = c <= '\u{1F}';
        if escape {
            _ = write!(quoted, "\\u{:04x}", u32::from(c));
        }
        escape
    })
}

/// In double quotes with the escapes YAML and JSON share; `special` writes the others of its form and says so.
fn quoted(text: &str, special: impl Fn(char, &mut String) -> bool) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{C}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if special(c, &mut quoted) => {}
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
