use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hmac::{Hmac, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use crate::Secret;
use crate::secret::hex;

/// Name of the query field that carries a one-time token.
pub(crate) const TOKEN_FIELD: &str = "token";
/// Wrong tokens and secrets within [`ATTEMPTS_WITHIN`] after which none is looked at any more.
pub(crate) const MAX_ATTEMPTS: usize = 5;
/// How long a wrong attempt counts.
pub(crate) const ATTEMPTS_WITHIN: Duration = Duration::from_secs(60);

/// What admits to one server.
///
/// - The secret, as a bearer token: for programs of the same user.
/// - A one-time token in the address of the page. It buys the cookie and is then forgotten.
/// - The cookie: a keyed digest of the port under the secret. It names the port because cookies are shared by all
///   ports of a host, and it ends with the secret.
///
/// Wrong tokens and secrets are counted, whoever sends them; a wrong cookie is not, since the tab that was left open
/// on an earlier server sends one with every try to reconnect, and 256 bits are not found by trying.
pub(crate) struct Credentials {
    secret: Secret,
    cookie_name: String,
    cookie_value: String,
    token_key: Secret,
    minted: AtomicU64,
    tokens: Mutex<Vec<String>>,
    failures: Mutex<VecDeque<Instant>>,
}

/// Too many attempts were wrong; none is looked at before this time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limited(pub(crate) Duration);

impl Credentials {
    /// `token_key` is fresh for each start: tokens are its digests, so that minting one cannot fail.
    pub(crate) fn new(secret: Secret, token_key: Secret, port: u16) -> Self {
        let cookie_name = format!("dsh-{port}");
        let cookie_value = keyed_digest(&secret, &format!("cookie of port {port}"));
        let (minted, tokens, failures) = (AtomicU64::new(0), Mutex::default(), Mutex::default());
        Self { secret, cookie_name, cookie_value, token_key, minted, tokens, failures }
    }

    pub(crate) fn secret(&self) -> &Secret {
        &self.secret
    }

    /// A fresh one-time token.
    pub(crate) fn mint(&self) -> String {
        let number = self.minted.fetch_add(1, Ordering::Relaxed);
        let token = keyed_digest(&self.token_key, &format!("one-time token {number}"));
        self.tokens.lock().expect("no holder panics").push(token.clone());
        token
    }

    /// Spends a one-time token; whether it was one.
    pub(crate) fn redeem(&self, token: &str) -> Result<bool, Limited> {
        self.attempt(|| {
            let mut tokens = self.tokens.lock().expect("no holder panics");
            let before = tokens.len();
            tokens.retain(|known| !bool::from(known.as_bytes().ct_eq(token.as_bytes())));
            tokens.len() < before
        })
    }

    /// Whether `presented` is the secret.
    pub(crate) fn bearer(&self, presented: &str) -> Result<bool, Limited> {
        self.attempt(|| self.secret.matches(presented))
    }

    /// Whether one of the cookies of a `Cookie` header is the server's.
    pub(crate) fn cookie(&self, header: &str) -> bool {
        header.split(';').filter_map(|pair| pair.trim().split_once('=')).any(|(name, value)| {
            name == self.cookie_name && bool::from(value.as_bytes().ct_eq(self.cookie_value.as_bytes()))
        })
    }

    /// The name under which a browser keeps it.
    pub(crate) fn cookie_name(&self) -> &str {
        &self.cookie_name
    }

    /// The `Set-Cookie` header of an exchange. Ends with the browser; scripts cannot read it, other sites cannot send it.
    pub(crate) fn set_cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name, self.cookie_value)
    }

    fn attempt(&self, right: impl FnOnce() -> bool) -> Result<bool, Limited> {
        let now = Instant::now();
        let mut failures = self.failures.lock().expect("no holder panics");
        while failures.front().is_some_and(|&at| now - at >= ATTEMPTS_WITHIN) {
            failures.pop_front();
        }
        if failures.len() >= MAX_ATTEMPTS {
            return Err(Limited(failures[0] + ATTEMPTS_WITHIN - now));
        }
        let right = right();
        if !right {
            failures.push_back(now);
        }
        Ok(right)
    }
}

fn keyed_digest(key: &Secret, text: &str) -> String {
    let mut digest = Hmac::<Sha256>::new_from_slice(key.expose().as_bytes()).expect("HMAC takes a key of any length");
    digest.update(text.as_bytes());
    hex(&digest.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{ATTEMPTS_WITHIN, Credentials, Limited, MAX_ATTEMPTS};
    use crate::Secret;

    const SECRET: &str = "correct horse battery";

    fn credentials(secret: &str, port: u16) -> Credentials {
        Credentials::new(Secret::new(secret).unwrap(), Secret::random().unwrap(), port)
    }

    fn cookie_of(credentials: &Credentials) -> String {
        credentials.set_cookie().split(';').next().unwrap().to_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn each_token_works_once() {
        let credentials = credentials(SECRET, 4100);
        let (one, other) = (credentials.mint(), credentials.mint());
        assert_eq!(credentials.redeem(&one), Ok(true));
        assert_eq!(credentials.redeem(&one), Ok(false));
        assert_eq!(credentials.redeem(""), Ok(false));
        assert_eq!(credentials.redeem(&other), Ok(true));
    }

    #[test]
    fn the_cookie_ends_with_the_secret_and_belongs_to_the_port() {
        let old = credentials(SECRET, 4100);
        assert!(old.cookie(&format!("theme=dark; {}", cookie_of(&old))));
        assert!(credentials(SECRET, 4100).cookie(&cookie_of(&old)), "a restart with the same secret keeps it");
        assert!(!credentials("another secret here", 4100).cookie(&cookie_of(&old)));
        assert!(!credentials(SECRET, 4101).cookie(&cookie_of(&old)));
        let value = cookie_of(&old).split_once('=').unwrap().1.to_owned();
        assert!(!credentials(SECRET, 4101).cookie(&format!("dsh-4101={value}")), "the value is bound to the port");
        assert!(!old.cookie("dsh-4100="));
        assert!(!value.contains(SECRET));
    }

    #[tokio::test(start_paused = true)]
    async fn after_five_wrong_attempts_even_the_right_one_is_not_looked_at_for_a_minute() {
        let credentials = credentials(SECRET, 4100);
        for _ in 0..MAX_ATTEMPTS - 1 {
            assert_eq!(credentials.bearer("wrong"), Ok(false));
        }
        assert_eq!(credentials.bearer(SECRET), Ok(true), "a right one is still taken, and forgives nothing");
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(credentials.redeem("wrong"), Ok(false));
        assert_eq!(credentials.bearer(SECRET), Err(Limited(Duration::from_secs(50))));
        assert!(credentials.cookie(&cookie_of(&credentials)), "who is in stays in");
        tokio::time::advance(ATTEMPTS_WITHIN - Duration::from_secs(10)).await;
        assert_eq!(credentials.bearer(SECRET), Ok(true));
    }
}
