//! Lengths of time as interfaces print them, in English and Chinese.

/// Names of each unit, the larger unit first.
const UNITS: [&[&str]; 5] = [
    &["d", "day", "days", "天"],
    &["h", "hr", "hrs", "hour", "hours", "小时", "时"],
    &["m", "min", "mins", "minute", "minutes", "分", "分钟"],
    &["s", "sec", "secs", "second", "seconds", "秒", "秒钟"],
    &["ms", "毫秒"],
];

/// Whether the text is one length of time and nothing else: numbers with units, each unit at most once, larger first.
/// Only the last number may have a fraction.
pub(super) fn is_duration(text: &str) -> bool {
    let mut rest = text;
    let mut largest_left = 0;
    let mut fraction_seen = false;
    loop {
        let Some((has_fraction, after_number)) = number(rest) else { return false };
        let after_number = after_number.strip_prefix(' ').unwrap_or(after_number);
        let end = after_number.find(|c: char| c == ' ' || c.is_ascii_digit()).unwrap_or(after_number.len());
        let (name, after_unit) = after_number.split_at(end);
        let Some(unit) = UNITS.iter().position(|names| names.contains(&name)) else { return false };
        if unit < largest_left || fraction_seen {
            return false;
        }
        largest_left = unit + 1;
        fraction_seen = has_fraction;
        if after_unit.is_empty() {
            return true;
        }
        rest = after_unit.strip_prefix(' ').unwrap_or(after_unit);
    }
}

/// A decimal number at the start, with thousands separators or not: whether it has a fraction, and what follows.
fn number(text: &str) -> Option<(bool, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ',' && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    let (whole, fraction) = match number.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (number, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next()?;
    let grouped = whole.contains(',');
    let is_whole =
        digits(first) && (!grouped || first.len() <= 3) && groups.all(|group| group.len() == 3 && digits(group));
    (is_whole && fraction.is_none_or(digits)).then_some((fraction.is_some(), rest))
}
