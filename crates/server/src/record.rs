use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use crate::Code;

/// Where records go. Injected, so that servers side by side in one process keep theirs apart.
pub type Sink = Arc<dyn Fn(&Record) + Send + Sync>;

/// One line of the server's log. Its `Display` is one line of printable characters and never holds a credential: the
/// query of an address is left out, and so is what was presented as one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Record {
    /// A request was refused.
    Refused {
        /// Who asked.
        peer: Option<SocketAddr>,
        /// `POST /api/host.describe`.
        request: String,
        /// The code the caller got.
        code: Code,
        /// What was received, in words or quoted.
        received: String,
        /// What would have been right.
        expected: String,
    },
    /// A request was answered. Written only where others than this machine can reach the server.
    Served {
        /// Who asked.
        peer: Option<SocketAddr>,
        /// `POST /api/host.describe`.
        request: String,
        /// The HTTP status.
        status: u16,
    },
    /// A connection broke before there was a request to answer.
    Broken {
        /// Who connected.
        peer: SocketAddr,
        /// What was wrong.
        reason: String,
    },
    /// The system could not accept a connection; the server goes on trying.
    AcceptFailed {
        /// The system's answer.
        reason: String,
    },
}

impl fmt::Display for Record {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { peer, request, code, received, expected } => write!(
                formatter,
                "refused {request} from {}: {} ({}); received {received}, expected {expected}",
                Peer(*peer),
                code.as_str(),
                code.status().as_u16(),
            ),
            Self::Served { peer, request, status } => {
                write!(formatter, "served {request} to {}: {status}", Peer(*peer))
            }
            Self::Broken { peer, reason } => write!(formatter, "connection from {peer} broke: {reason}"),
            Self::AcceptFailed { reason } => write!(formatter, "cannot accept a connection: {reason}; trying again"),
        }
    }
}

struct Peer(Option<SocketAddr>);

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(peer) => peer.fmt(formatter),
            None => formatter.write_str("this process"),
        }
    }
}

/// What a stranger sent, fit for a log: quoted, escaped, cut.
pub(crate) fn quote(text: &[u8]) -> String {
    const LONGEST: usize = 200;
    let text = String::from_utf8_lossy(text);
    let cut: String = text.chars().take(LONGEST).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("{cut:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn a_strangers_text_cannot_break_the_line_or_fill_the_log() {
        assert_eq!(quote(b"a\r\nb\x1b[31m"), r#""a\r\nb\u{1b}[31m""#);
        let long = quote(&[b'x'; 10_000]);
        assert_eq!(long.chars().count(), 203);
        assert!(long.ends_with('…'));
    }
}
