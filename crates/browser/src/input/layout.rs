//! The keys of a US keyboard: what `KeyboardEvent.code` and `keyCode` say for a character.

/// Keys beside letters and digits: without and with Shift, code, `keyCode`.
const SIGNS: &[(char, char, &str, u32)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];

const ABOVE_DIGITS: &str = ")!@#$%^&*(";

/// `code` and `keyCode` of the key that types `c`; nothing for what the keyboard has no key for.
pub(super) fn key_for(c: char) -> Option<(String, u32)> {
    if c == ' ' {
        return Some(("Space".to_owned(), 32));
    }
    if c.is_ascii_alphabetic() {
        let upper = c.to_ascii_uppercase();
        return Some((format!("Key{upper}"), upper.into()));
    }
    let digit = c.to_digit(10).or_else(|| ABOVE_DIGITS.find(c).map(|at| at as u32));
    if let Some(digit) = digit {
        return Some((format!("Digit{digit}"), u32::from(b'0') + digit));
    }
    SIGNS.iter().find(|(plain, shifted, ..)| [*plain, *shifted].contains(&c)).map(|key| (key.2.to_owned(), key.3))
}

/// What a key types with Shift held; the same when there is no such key.
pub(super) fn shifted(c: char) -> char {
    let digit = c.to_digit(10).and_then(|digit| ABOVE_DIGITS.chars().nth(digit as usize));
    let sign = || SIGNS.iter().find(|(plain, ..)| *plain == c).map(|key| key.1);
    digit.or_else(sign).unwrap_or_else(|| c.to_ascii_uppercase())
}

/// The character of a key by its code: `KeyA`, `Digit1`, `Slash`.
pub(super) fn character_of(code: &str) -> Option<char> {
    let single = |rest: &str| rest.parse::<char>().ok();
    if let Some(letter) = code.strip_prefix("Key").and_then(single).filter(char::is_ascii_uppercase) {
        return Some(letter.to_ascii_lowercase());
    }
    if let Some(digit) = code.strip_prefix("Digit").and_then(single).filter(char::is_ascii_digit) {
        return Some(digit);
    }
    SIGNS.iter().find(|(_, _, known, _)| *known == code).map(|key| key.0)
}
