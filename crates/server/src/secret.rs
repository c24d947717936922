use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::ServerError;

/// What admits to the server. Never printed.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Fewest characters of a secret.
    pub const MIN_CHARS: usize = 16;

    /// A secret chosen by a person.
    ///
    /// # Errors
    /// [`ServerError::ShortSecret`] below [`Secret::MIN_CHARS`] characters.
    pub fn new(text: impl Into<String>) -> Result<Self, ServerError> {
        let text = text.into();
        let chars = text.chars().count();
        if chars < Self::MIN_CHARS { Err(ServerError::ShortSecret { chars }) } else { Ok(Self(text)) }
    }

    /// A fresh secret of 256 random bits, as 64 hexadecimal digits.
    ///
    /// # Errors
    /// [`ServerError::Random`] when the system has no randomness to give.
    pub fn random() -> Result<Self, ServerError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|source| ServerError::Random { reason: source.to_string() })?;
        Ok(Self(hex(&bytes)))
    }

    /// The text itself, for the one place that hands it on (a file only its owner reads).
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether `presented` is this secret. Takes as long for a near miss as for a far one, and tells nothing about the
    /// length either, as digests are compared.
    pub(crate) fn matches(&self, presented: &str) -> bool {
        Sha256::digest(&self.0).ct_eq(&Sha256::digest(presented)).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(***)")
    }
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_secret_below_sixteen_characters_is_refused_with_the_remedy() {
        let refused = Secret::new("fifteen chars..").unwrap_err().to_string();
        assert_eq!(
            refused,
            "the secret has 15 characters, at least 16 are needed: choose a longer one, or leave it out on a loopback \
             address and one is made"
        );
        assert!(Secret::new("sixteen chars...").is_ok());
    }

    #[test]
    fn a_secret_is_never_printed() {
        let secret = Secret::new("correct horse battery").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(***)");
    }

    #[test]
    fn only_the_whole_secret_matches() {
        let secret = Secret::new("correct horse battery").unwrap();
        assert!(secret.matches("correct horse battery"));
        for wrong in ["", "correct horse batter", "correct horse battery ", "Correct horse battery"] {
            assert!(!secret.matches(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn two_random_secrets_differ() {
        let (one, other) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_eq!(one.expose().len(), 64);
        assert_ne!(one.expose(), other.expose());
    }
}
