//! Key names and what stands for them in the WebDriver protocol (WebDriver, "Keyboard actions").

use crate::error::{Error, Result};
use bidi::command::input::KeyAction;

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
];

/// The actions for a combination such as `Enter`, `a` or `Control+Shift+K`: the keys go down in
/// order and come up in the opposite one.
///
/// # Errors
/// [`Error::UnknownKey`].
pub(crate) fn combination(text: &str) -> Result<Vec<KeyAction>> {
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
    let keys = names.map(|name| key(name).ok_or_else(|| unknown(name))).collect::<Result<Vec<String>>>()?;
    let down = keys.iter().map(|key| KeyAction::KeyDown { value: key.clone() });
    let up = keys.iter().rev().map(|key| KeyAction::KeyUp { value: key.clone() });
    Ok(down.chain(up).collect())
}

/// The actions that type `text`, one key per character; line breaks are the Enter key.
pub(crate) fn text(text: &str) -> Vec<KeyAction> {
    let keys = text.chars().map(|c| if c == '\n' { '\u{E006}' } else { c }.to_string());
    keys.flat_map(|key| [KeyAction::KeyDown { value: key.clone() }, KeyAction::KeyUp { value: key }]).collect()
}

fn key(name: &str) -> Option<String> {
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) => Some(only.to_string()),
        _ => NAMED.iter().find(|(known, _)| *known == name).map(|(_, code)| code.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(combination_text: &str, expected: &str) {
        let shown: String = combination(combination_text)
            .unwrap()
            .iter()
            .map(|action| match action {
                KeyAction::KeyDown { value } => format!("↓{value}"),
                KeyAction::KeyUp { value } => format!("↑{value}"),
            })
            .collect();
        assert_eq!(shown, expected, "{combination_text}");
    }

    #[test]
    fn modifiers_are_held_around_the_key() {
        check("a", "↓a↑a");
        check("Enter", "↓\u{E006}↑\u{E006}");
        check("Control+Shift+K", "↓\u{E009}↓\u{E008}↓K↑K↑\u{E008}↑\u{E009}");
    }

    #[test]
    fn plus_is_a_key_too() {
        check("+", "↓+↑+");
        check("Control++", "↓\u{E009}↓+↑+↑\u{E009}");
    }

    #[test]
    fn unknown_key_is_named_with_those_that_exist() {
        let error = combination("Control+Enterr").unwrap_err().to_string();
        assert!(
            error.starts_with(r#"unknown key "Enterr" in "Control+Enterr"; use one character or one of: "#),
            "{error}"
        );
        assert!(combination("").is_err());
    }
}
