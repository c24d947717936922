use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use host::Host;

use crate::ScaffoldError;

/// A host at rest after a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The session whose turn ended.
    pub session_id: String,
    /// Last sequence number of its log, which is on disk up to here. What the page must have applied.
    pub tail_seq: i64,
}

/// The wait for the next turn's end, armed when it was made, so that a turn that ends before anybody awaits it is
/// not missed.
pub struct NextTurn {
    pub(crate) host: Arc<Host>,
    pub(crate) end: Pin<Box<dyn Future<Output = String> + Send>>,
    pub(crate) budget: Duration,
}

impl NextTurn {
    /// Turn ended, agent idle, log flushed.
    pub async fn settled(self) -> Result<Settled, ScaffoldError> {
        let Ok(session_id) = tokio::time::timeout(self.budget, self.end).await else {
            return Err(ScaffoldError::NoTurnEnd { budget: self.budget, state: self.host.describe_state().await });
        };
        let idle = self.host.when_idle(&session_id, self.budget).await?;
        Ok(Settled { session_id, tail_seq: idle.tail_seq })
    }
}
