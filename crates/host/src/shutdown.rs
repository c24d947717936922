use std::sync::PoisonError;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::timeout;

use crate::{Host, ShutdownError};

impl Host {
    /// Ends the host: cancels every turn, lets agents write what they have, tells readers the last events, ends the
    /// streams. Agents that are not done by `deadline` are given up; every failure is reported. A second call does
    /// nothing.
    pub async fn shutdown(&self, deadline: Duration) -> Result<(), ShutdownError> {
        let open = {
            let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
            sessions.ending = true;
            std::mem::take(&mut sessions.open)
        };
        let mut failures: Vec<_> = join_all(open.iter().map(|live| live.agent.close(deadline)))
            .await
            .into_iter()
            .filter_map(Result::err)
            .map(|error| error.to_string())
            .collect();
        for live in &open {
            let Some(mut teller) = live.take_teller() else { continue };
            match timeout(deadline, &mut teller).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => failures.push(format!("telling the events of session {}: {error}", live.log.id())),
                Err(_) => {
                    teller.abort();
                    failures.push(format!(
                        "the last events of session {} were not told within {deadline:?}",
                        live.log.id()
                    ));
                }
            }
        }
        self.outlets.mux.end();
        self.outlets.host.end();
        if failures.is_empty() { Ok(()) } else { Err(ShutdownError { failures }) }
    }
}
