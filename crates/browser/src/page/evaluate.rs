//! Scripts of the test, in the page's own document.

use super::Page;
use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

impl Page {
    /// Calls `function`, the source of a JavaScript function, with `arguments` in the page's own
    /// world, waits for a promise it returns, and reads the result as JSON. What JSON has no form
    /// for (`undefined`, functions) is `null`.
    ///
    /// # Errors
    /// [`Error::Script`] when it throws or rejects, a protocol deadline when it takes longer than
    /// the action deadline, [`Error::PageClosed`].
    pub async fn evaluate<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        self.main_frame().evaluate(function, arguments).await
    }

    /// [`evaluate`](Self::evaluate) with a deadline of its own, for promises that take long.
    ///
    /// # Errors
    /// As for [`evaluate`](Self::evaluate).
    pub async fn evaluate_within<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: &[Value],
        deadline: Duration,
    ) -> Result<T> {
        self.main_frame().evaluate_within(function, arguments, deadline).await
    }

    /// [`evaluate`](Self::evaluate) in an isolated world: the page's DOM, but builtins the page
    /// can't have changed, and none of its globals. `ariaCapture` there is the object that [`aria::CAPTURE_SCRIPT`]
    /// evaluates to.
    ///
    /// # Errors
    /// As for [`evaluate`](Self::evaluate).
    pub async fn evaluate_isolated<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        self.main_frame().evaluate_isolated(function, arguments).await
    }

    /// Tells a closed page from other refusals.
    pub(crate) fn explain(&self, action: &str, error: Error) -> Error {
        self.main_frame().explain(action, error)
    }
}
