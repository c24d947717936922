use std::net::SocketAddr;
use std::time::Duration;

use crate::Secret;

/// Why a server did not start or did not stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The address cannot be listened on.
    #[error("cannot listen on {addr}: {source}; choose another port, or 0 for any free one")]
    Bind {
        /// The address asked for.
        addr: SocketAddr,
        /// The system's answer.
        source: std::io::Error,
    },
    /// Others could reach the address, and nobody chose a secret.
    #[error(
        "{addr} can be reached from other machines, and whoever reaches it can run commands here: set a secret of at \
         least {} characters, or listen on 127.0.0.1",
        Secret::MIN_CHARS
    )]
    OpenAddress {
        /// The address asked for.
        addr: SocketAddr,
    },
    /// The secret can be guessed.
    #[error(
        "the secret has {chars} characters, at least {} are needed: choose a longer one, or leave it out on a loopback \
         address and one is made",
        Secret::MIN_CHARS
    )]
    ShortSecret {
        /// How many it has.
        chars: usize,
    },
    /// A trusted host is not the authority of an address.
    #[error("the trusted host {given:?} is not a host name with an optional port: write it like dsh.example.org:8443")]
    TrustedHost {
        /// As given.
        given: String,
    },
    /// The system gives no randomness, without which no credential can be made.
    #[error("the system's random source failed ({reason}): no credential can be made, so nothing is served")]
    Random {
        /// The system's answer.
        reason: String,
    },
    /// Some connections or calls did not end by themselves and were broken off.
    #[error(
        "{} connections and {calls} calls were still busy {deadline:?} after the server was told to close, and were \
         broken off: {}; give it longer, or find out what keeps them",
        connections.len(),
        connections.join(", ")
    )]
    CloseDeadline {
        /// What they were given.
        deadline: Duration,
        /// For each connection its peer and its last request.
        connections: Vec<String>,
        /// Calls of the host that had not answered.
        calls: usize,
    },
}
