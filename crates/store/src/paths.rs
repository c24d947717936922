//! Where a session lives. Names are made from ids and working directories by escaping, never used as they come.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::StoreError;

/// Name of the log inside a session's folder.
pub(crate) const LOG_NAME: &str = "session.jsonl.zstd";

/// Folder under the root where new logs are prepared before they are published.
pub(crate) const STAGING: &str = ".new";

/// Longest escaped id; below the 255 bytes a file name may have.
const MAX_ESCAPED: usize = 200;

/// Longest readable part of a working directory's name.
const MAX_READABLE: usize = 100;

/// The folder name of a session: lower-case letters, digits, `-` and `_` stay, every other byte becomes `%XX`. Upper
/// case is escaped too, so that ids stay apart on file systems that ignore case.
pub(crate) fn escape_id(id: &str) -> Result<String, StoreError> {
    let bad = |reason| StoreError::BadId { id: id.chars().take(40).collect(), reason };
    if id.is_empty() {
        return Err(bad("it is empty"));
    }
    let mut escaped = String::new();
    for byte in id.bytes() {
        if byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_') {
            escaped.push(byte as char);
        } else {
            write!(escaped, "%{byte:02X}").expect("a String takes every write");
        }
        if escaped.len() > MAX_ESCAPED {
            return Err(bad("it is too long for a file name (200 bytes after escaping)"));
        }
    }
    Ok(escaped)
}

/// The id a folder name stands for; `None` for a name that [`escape_id`] does not make.
pub(crate) fn unescape_id(name: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = name.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        if first == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(first);
            rest = tail;
        }
    }
    let id = String::from_utf8(bytes).ok()?;
    (escape_id(&id).ok()? == name).then_some(id)
}

/// The folder that holds the sessions of one working directory: `--<readable cwd>--`. For people; two directories may
/// share one.
pub(crate) fn cwd_folder(root: &Path, cwd: Option<&str>) -> PathBuf {
    let readable: String = cwd
        .unwrap_or("no-cwd")
        .chars()
        .map(|letter| if letter.is_alphanumeric() || matches!(letter, '_' | '.') { letter } else { '-' })
        .collect();
    let readable = readable.trim_matches('-');
    // The end of a path says more than its beginning.
    let mut start = readable.len().saturating_sub(MAX_READABLE);
    while !readable.is_char_boundary(start) {
        start += 1;
    }
    root.join(format!("--{}--", &readable[start..]))
}

/// Whether a folder name is one that [`cwd_folder`] makes.
pub(crate) fn is_cwd_folder(name: &str) -> bool {
    name.len() >= 4 && name.starts_with("--") && name.ends_with("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_one_safe_path_component_and_back() {
        for (id, escaped) in [
            ("0b9c-1_a", "0b9c-1_a"),
            ("../x", "%2E%2E%2Fx"),
            (".", "%2E"),
            ("a\0b", "a%00b"),
            ("Ab", "%41b"),
            ("ab%41", "ab%2541"),
            ("日本", "%E6%97%A5%E6%9C%AC"),
            ("{{sessionId}}", "%7B%7Bsession%49d%7D%7D"),
        ] {
            assert_eq!(escape_id(id).unwrap(), escaped);
            assert_eq!(unescape_id(escaped).as_deref(), Some(id));
        }
    }

    #[test]
    fn names_that_escaping_does_not_make_are_nobodys_id() {
        for name in ["A", "%2e", "%61", "%", "%4", "%ZZ", "..", "", "%FF"] {
            assert_eq!(unescape_id(name), None, "{name}");
        }
    }

    #[test]
    fn empty_and_overlong_ids_are_refused_with_the_reason() {
        assert_eq!(
            escape_id("").unwrap_err().to_string(),
            "\"\" cannot be a session id: it is empty; use a UUID or another short name"
        );
        assert!(escape_id(&"a".repeat(200)).is_ok());
        let message = escape_id(&"a".repeat(100_000)).unwrap_err().to_string();
        assert!(message.contains("too long for a file name (200 bytes after escaping)"), "{message}");
        assert!(message.len() < 200, "{message}");
        assert!(escape_id(&"é".repeat(34)).is_err());
    }

    #[test]
    fn folders_stay_readable_and_inside_the_root() {
        let name = |cwd| cwd_folder(Path::new("/r"), cwd).strip_prefix("/r").unwrap().to_str().unwrap().to_owned();
        assert_eq!(name(Some("/home/me/my proj")), "--home-me-my-proj--");
        assert_eq!(name(Some("/../..")), "--..-..--");
        assert_eq!(name(Some("")), "----");
        assert_eq!(name(None), "--no-cwd--");
        let long = "/日本".repeat(100);
        assert!(name(Some(&long)).len() <= MAX_READABLE + 4);
        for cwd in [Some("/a"), Some(""), None, Some("\0")] {
            assert!(is_cwd_folder(&name(cwd)));
        }
        assert!(!is_cwd_folder(STAGING));
    }
}
