//! Why a call gave no value.

use wire::RpcError;

use crate::TransportError;

/// A call that gave no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// The host answered with an error; its message is meant for the person.
    #[error("{}", .0.message)]
    Refused(RpcError),
    /// There was no answer. Whether the host took the call is not known.
    #[error("{method}: the host could not be reached ({cause}); check that dsh is still running, then try again")]
    Transport {
        /// Method name.
        method: &'static str,
        /// What the carrier reported.
        cause: TransportError,
    },
    /// The carrier answered with a status other than 2xx.
    #[error("{method}: HTTP {status}{}; reload the page, the address may have expired", detail(.body))]
    Status {
        /// Method name.
        method: &'static str,
        /// HTTP status.
        status: u16,
        /// Body of the answer.
        body: String,
    },
    /// No answer within the deadline. Whether the host took the call is not known.
    #[error("{method}: no answer within {seconds} s; the host may be busy, try again")]
    Timeout {
        /// Method name.
        method: &'static str,
        /// The deadline.
        seconds: u64,
    },
    /// The answer is not what the protocol says.
    #[error("{method}: the answer does not fit: {issue}; page and host may be of different versions, reload the page")]
    Malformed {
        /// Method name.
        method: &'static str,
        /// What does not fit.
        issue: String,
    },
    /// The client was stopped while the call was under way.
    #[error("{method}: the client was stopped before the answer came; open the page again")]
    Stopped {
        /// Method name.
        method: &'static str,
    },
}

impl CallError {
    /// There was no answer because what carries calls was lost, not because of the call.
    pub(crate) fn is_loss(&self) -> bool {
        matches!(self, Self::Transport { .. } | Self::Stopped { .. })
    }
}

fn detail(body: &str) -> String {
    let text: String = body.trim().chars().take(200).collect();
    if text.is_empty() { text } else { format!(" ({text})") }
}
