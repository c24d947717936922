use std::fmt;
use std::sync::Arc;

/// A credential. It is never printed, written or compared with what a provider says in the clear.
#[derive(Clone)]
pub struct Secret(Arc<str>);

/// What stands where a credential stood.
const MASK: &str = "***";

/// A shorter run of characters that happens to be part of the credential is taken for chance.
const SHORTEST_FRAGMENT: usize = 8;

impl Secret {
    /// Keeps `text` as a credential.
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        Self(text.into())
    }

    /// The credential itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// `text` without the credential: whole, in fragments, and as the half masked form (`sk-12****89`) in which
    /// providers echo it.
    pub fn scrub(&self, text: &str) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let mut clean = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if let Some(length) = self.half_masked(rest, clean.chars().next_back()).or_else(|| self.fragment(rest)) {
                clean.push_str(MASK);
                rest = &rest[length..];
            } else {
                clean.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        clean
    }

    /// Length of the longest piece of the credential that `text` starts with.
    fn fragment(&self, text: &str) -> Option<usize> {
        let shortest = SHORTEST_FRAGMENT.min(self.0.len());
        let common = |start: usize| {
            let pairs = self.0[start..].chars().zip(text.chars());
            pairs.take_while(|(key, said)| key == said).map(|(key, _)| key.len_utf8()).sum::<usize>()
        };
        self.0.char_indices().map(|(start, _)| common(start)).max().filter(|longest| *longest >= shortest)
    }

    /// Length of the word that `text` starts with, if it is the credential with a part masked.
    fn half_masked(&self, text: &str, before: Option<char>) -> Option<usize> {
        let mask = |c: char| matches!(c, '*' | '.' | '…' | '•');
        let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || mask(c);
        if before.is_some_and(inside) {
            return None;
        }
        let word = &text[..text.find(|c| !inside(c)).unwrap_or(text.len())];
        // A full stop behind the word is the sentence's, not the mask's.
        let word = if word.ends_with("..") { word } else { word.strip_suffix('.').unwrap_or(word) };
        if !["**", "..", "…", "•"].iter().any(|sign| word.contains(sign)) {
            return None;
        }
        let head = word.split(mask).next().filter(|head| !head.is_empty());
        let tail = word.rsplit(mask).next().filter(|tail| !tail.is_empty());
        let echoed =
            head.is_some_and(|head| self.0.starts_with(head)) || tail.is_some_and(|tail| self.0.ends_with(tail));
        echoed.then_some(word.len())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Secret {
        Secret::new("sk-4f9a77c1e02b4d6fa3b8")
    }

    #[test]
    fn debug_prints_a_mask() {
        assert_eq!(format!("{:?}", key()), "***");
    }

    #[test]
    fn the_whole_key_is_scrubbed_wherever_it_stands() {
        assert_eq!(key().scrub("bad key sk-4f9a77c1e02b4d6fa3b8!"), "bad key ***!");
        assert_eq!(key().scrub("Bearer:sk-4f9a77c1e02b4d6fa3b8sk-4f9a77c1e02b4d6fa3b8"), "Bearer:******");
    }

    #[test]
    fn long_fragments_are_scrubbed() {
        assert_eq!(key().scrub("starts with sk-4f9a77 here"), "starts with *** here");
        assert_eq!(key().scrub("‘4d6fa3b8’"), "‘***’");
    }

    #[test]
    fn half_masked_echoes_are_scrubbed() {
        for echo in ["****a3b8", "sk-4f****a3b8", "sk-4f...a3b8", "sk-4…b8", "sk-4f9a****", "sk-4f..."] {
            assert_eq!(
                key().scrub(&format!("Your api key: {echo} is invalid")),
                "Your api key: *** is invalid",
                "echoed as {echo}"
            );
        }
        assert_eq!(key().scrub("Your api key is ****a3b8."), "Your api key is ***.");
    }

    #[test]
    fn other_text_is_left_alone() {
        for text in ["wait... no", "a **bold** word", "é 4f9a", "", "****", "1.5.0"] {
            assert_eq!(key().scrub(text), text);
        }
    }

    #[test]
    fn an_empty_key_scrubs_nothing() {
        assert_eq!(Secret::new("").scrub("text"), "text");
    }
}
