//! Key names and what stands for them in the WebDriver protocol (WebDriver, "Keyboard actions").

use crate::error::{Error, Result};
use bidi::command::input::KeyAction;
use std::time::Duration;

const NAMED: &[(&str, char)] = &[
    ("Backspace", '\u{E003}'),
    ("Tab", '\u{E004}'),
    ("Enter", '\u{E006}'),
    ("Shift", '\u{E008}'),
    ("Control", '\u{E009}'),
    ("Alt", '\u{E00A}'),
    ("Escape", '\u{E00C}'),
    ("Space", ' '),
    ("PageUp", '\u{E00E}'),
    ("PageDown", '\u{E00F}'),
    ("End", '\u{E010}'),
    ("Home", '\u{E011}'),
    ("ArrowLeft", '\u{E012}'),
    ("ArrowUp", '\u{E013}'),
    ("ArrowRight", '\u{E014}'),
    ("ArrowDown", '\u{E015}'),
    ("Insert", '\u{E016}'),
    ("Delete", '\u{E017}'),
    ("F1", '\u{E031}'),
    ("F2", '\u{E032}'),
    ("F3", '\u{E033}'),
    ("F4", '\u{E034}'),
    ("F5", '\u{E035}'),
    ("F6", '\u{E036}'),
    ("F7", '\u{E037}'),
    ("F8", '\u{E038}'),
    ("F9", '\u{E039}'),
    ("F10", '\u{E03A}'),
    ("F11", '\u{E03B}'),
    ("F12", '\u{E03C}'),
    ("Meta", '\u{E03D}'),
    ("ControlOrMeta", CONTROL_OR_META),
    ("ShiftLeft", '\u{E008}'),
    ("ShiftRight", '\u{E050}'),
    ("ControlLeft", '\u{E009}'),
    ("ControlRight", '\u{E051}'),
    ("AltLeft", '\u{E00A}'),
    ("AltRight", '\u{E052}'),
    ("MetaLeft", '\u{E03D}'),
    ("MetaRight", '\u{E053}'),
    ("NumpadEnter", '\u{E007}'),
];

/// Keys that change what others mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// Alt, or Option.
    Alt,
    /// Control.
    Control,
    /// Meta on a Mac, Control elsewhere: what shortcuts of applications are made with.
    ControlOrMeta,
    /// Command, or the Windows key.
    Meta,
    /// Shift.
    Shift,
}

impl Modifier {
    /// Code point of the WebDriver table.
    pub(crate) fn code(self) -> char {
        match self {
            Self::Alt => '\u{E00A}',
            Self::Control => '\u{E009}',
            Self::ControlOrMeta => CONTROL_OR_META,
            Self::Meta => '\u{E03D}',
            Self::Shift => '\u{E008}',
        }
    }
}

const CONTROL_OR_META: char = if cfg!(target_os = "macos") { '\u{E03D}' } else { '\u{E009}' };

/// The keys of a combination such as `Enter`, `a` or `Control+Shift+K`, in the order they go down.
///
/// # Errors
/// [`Error::UnknownKey`].
pub(crate) fn parse(text: &str) -> Result<Vec<String>> {
    let unknown = |key: &str| Error::UnknownKey {
        key: key.to_owned(),
        combination: text.to_owned(),
        known: NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", "),
    };
    // A plus sign at the end is the key itself.
    let (modifiers, last) = match text.strip_suffix('+') {
        Some(modifiers) => (modifiers.strip_suffix('+').unwrap_or(modifiers), "+"),
        None => text.rsplit_once('+').unwrap_or(("", text)),
    };
    let names = modifiers.split('+').filter(|name| !name.is_empty()).chain([last]);
    names.map(|name| key(name).ok_or_else(|| unknown(name))).collect()
}

/// The actions for a combination: the keys go down in order, stay for `delay` and come up in the opposite order.
///
/// # Errors
/// [`Error::UnknownKey`].
pub(crate) fn combination(text: &str, delay: Duration) -> Result<Vec<KeyAction>> {
    let keys = parse(text)?;
    let down = keys.iter().map(|key| KeyAction::KeyDown { value: key.clone() });
    let up = keys.iter().rev().map(|key| KeyAction::KeyUp { value: key.clone() });
    Ok(down.chain(pause(delay)).chain(up).collect())
}

/// The actions that type `text`, one key per character, with a pause after each; line breaks are the Enter key.
pub(crate) fn text(text: &str, delay: Duration) -> Vec<KeyAction> {
    let value = |c| match c {
        '\n' => '\u{E006}',
        '\t' => '\u{E004}',
        other => other,
    };
    let keys = text.chars().filter(|c| *c != '\r').map(|c| value(c).to_string());
    keys.flat_map(|key| {
        [KeyAction::KeyDown { value: key.clone() }, KeyAction::KeyUp { value: key }].into_iter().chain(pause(delay))
    })
    .collect()
}

/// The bit of a modifier key in the masks of Chromium's protocol; 0 for other keys.
pub(super) fn modifier_bit(value: &str) -> u32 {
    match value {
        "\u{E00A}" | "\u{E052}" => 1,
        "\u{E009}" | "\u{E051}" => 2,
        "\u{E03D}" | "\u{E053}" => 4,
        "\u{E008}" | "\u{E050}" => 8,
        _ => 0,
    }
}

/// Whether this is the code point of a Shift key.
pub(super) fn is_shift(value: &str) -> bool {
    matches!(value, "\u{E008}" | "\u{E050}")
}

/// Makes keys type what they do while Shift is held, before them or among them: WebDriver leaves that to the caller.
pub(super) fn shift(actions: &mut [KeyAction], mut held: bool) {
    for action in actions {
        let (value, down) = match action {
            KeyAction::KeyDown { value } => (value, true),
            KeyAction::KeyUp { value } => (value, false),
            KeyAction::Pause { .. } => continue,
        };
        let mut chars = value.chars();
        if is_shift(value) {
            held = down;
        } else if let (true, Some(c), None) = (held, chars.next(), chars.next()) {
            *value = super::layout::shifted(c).to_string();
        }
    }
}

fn pause(delay: Duration) -> Option<KeyAction> {
    (delay > Duration::ZERO).then_some(KeyAction::Pause { duration: delay.as_millis() as u64 })
}

fn key(name: &str) -> Option<String> {
    let mut chars = name.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return Some(only.to_string());
    }
    let named = NAMED.iter().find(|(known, _)| *known == name).map(|(_, code)| *code);
    named.or_else(|| super::layout::character_of(name)).map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(combination_text: &str, expected: &str) {
        let shown: String = combination(combination_text, Duration::ZERO)
            .unwrap()
            .iter()
            .map(|action| match action {
                KeyAction::KeyDown { value } => format!("↓{value}"),
                KeyAction::KeyUp { value } => format!("↑{value}"),
                KeyAction::Pause { duration } => format!("({duration})"),
            })
            .collect();
        assert_eq!(shown, expected, "{combination_text}");
    }

    #[test]
    fn modifiers_are_held_around_the_key() {
        check("a", "↓a↑a");
        check("Enter", "↓\u{E006}↑\u{E006}");
        check("Control+KeyA", "↓\u{E009}↓a↑a↑\u{E009}");
        check("Alt+Digit1", "↓\u{E00A}↓1↑1↑\u{E00A}");
        check("Control+Shift+K", "↓\u{E009}↓\u{E008}↓K↑K↑\u{E008}↑\u{E009}");
    }

    #[test]
    fn plus_is_a_key_too() {
        check("+", "↓+↑+");
        check("Control++", "↓\u{E009}↓+↑+↑\u{E009}");
    }

    #[test]
    fn unknown_key_is_named_with_those_that_exist() {
        let error = parse("Control+Enterr").unwrap_err().to_string();
        assert!(
            error.starts_with(r#"unknown key "Enterr" in "Control+Enterr"; use one character or one of: "#),
            "{error}"
        );
        assert!(parse("").is_err());
    }
}
