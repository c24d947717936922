//! Durations and counts as people read them.

use crate::strings::{Strings, fill};

/// A duration in milliseconds: `420ms`, `3.2s`, `2m 5s`.
pub(crate) fn duration(strings: &Strings, milliseconds: i64) -> String {
    let milliseconds = milliseconds.max(0);
    match milliseconds {
        0..1_000 => fill(strings.milliseconds, milliseconds),
        1_000..60_000 => fill(strings.seconds, format!("{}.{}", milliseconds / 1_000, milliseconds % 1_000 / 100)),
        _ => {
            let seconds = milliseconds / 1_000;
            fill(&fill(strings.minutes, seconds / 60), seconds % 60)
        }
    }
}

/// A count with its thousands grouped: `12,345`.
pub(crate) fn count(strings: &Strings, count: u64) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push_str(strings.thousands);
        }
        grouped.push(digit);
    }
    grouped
}
