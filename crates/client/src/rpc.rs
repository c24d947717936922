//! Unary calls: one request, one validated answer, one deadline.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, select};
use wire::{ClientRequest, EnvelopeKind, Method, RpcResult, ServerResponse};

use crate::{CallError, Platform};

/// How long a call may take.
const DEADLINE: Duration = Duration::from_secs(30);

/// Makes calls and knows how many are under way.
pub(crate) struct Calls {
    platform: Rc<dyn Platform>,
    pending: Rc<Cell<usize>>,
}

/// Counts a call for as long as it lives.
struct Pending(Rc<Cell<usize>>);

impl Pending {
    fn new(count: &Rc<Cell<usize>>) -> Self {
        count.set(count.get() + 1);
        Self(Rc::clone(count))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

impl Calls {
    pub(crate) fn new(platform: Rc<dyn Platform>) -> Self {
        Self { platform, pending: Rc::default() }
    }

    /// Calls without an answer yet.
    pub(crate) fn pending(&self) -> usize {
        self.pending.get()
    }

    /// Calls a method under an id the caller minted.
    pub(crate) async fn call_as<M: Method>(&self, rpc_id: String, payload: M::Payload) -> Result<M::Value, CallError> {
        let _counted = Pending::new(&self.pending);
        let malformed = |issue: String| CallError::Malformed { method: M::NAME, issue };
        let payload = serde_json::to_value(payload).map_err(|issue| malformed(issue.to_string()))?;
        let request = ClientRequest {
            kind: EnvelopeKind::ClientRequest,
            rpc_id: rpc_id.clone(),
            method: M::NAME.to_owned(),
            payload,
        };
        let body = serde_json::to_string(&request).map_err(|issue| malformed(issue.to_string()))?;
        let answer = self.platform.unary(&format!("/api/{}", M::NAME), body);
        let (status, body) = match select(answer, self.platform.sleep(DEADLINE)).await {
            Either::Left((answer, _)) => answer.map_err(|cause| CallError::Transport { method: M::NAME, cause })?,
            Either::Right(_) => return Err(CallError::Timeout { method: M::NAME, seconds: DEADLINE.as_secs() }),
        };
        if !(200..300).contains(&status) {
            return Err(CallError::Status { method: M::NAME, status, body });
        }
        let answer: ServerResponse = serde_json::from_str(&body).map_err(|issue| malformed(issue.to_string()))?;
        if answer.kind != EnvelopeKind::ServerResponse {
            return Err(malformed(format!("its type is {:?}, expected server-response", answer.kind)));
        }
        if answer.rpc_id != rpc_id {
            return Err(malformed(format!("it answers call {}, this is call {rpc_id}", answer.rpc_id)));
        }
        match answer.result {
            RpcResult::Ok(value) => serde_json::from_value(value).map_err(|issue| malformed(format!("value: {issue}"))),
            RpcResult::Err(error) => Err(CallError::Refused(error)),
        }
    }
}

#[cfg(test)]
mod tests;
