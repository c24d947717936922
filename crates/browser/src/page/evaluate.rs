//! Scripts of the test.

use super::Page;
use crate::error::{Error, Result};
use crate::script;
use bidi::command::script::string;
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
        self.evaluate_in(None, function, arguments, self.core().settings.action_deadline).await
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
        self.evaluate_in(None, function, arguments, deadline).await
    }

    /// [`evaluate`](Self::evaluate) in an isolated world: the page's DOM, but builtins the page
    /// can't have changed, and none of its globals. `ariaCapture` there is the object that [`aria::CAPTURE_SCRIPT`]
    /// evaluates to.
    ///
    /// # Errors
    /// As for [`evaluate`](Self::evaluate).
    pub async fn evaluate_isolated<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        self.evaluate_in(Some(script::SANDBOX), function, arguments, self.core().settings.action_deadline).await
    }

    async fn evaluate_in<T: DeserializeOwned>(
        &self,
        sandbox: Option<&str>,
        function: &str,
        arguments: &[Value],
        deadline: Duration,
    ) -> Result<T> {
        // JSON text both ways: describing values one by one is ten times slower.
        let wrapped = format!(
            "async (json) => {{ const value = await (\n{function}\n)(...JSON.parse(json)); \
             return value === undefined ? 'null' : JSON.stringify(value) ?? 'null'; }}"
        );
        let json = Value::from(arguments).to_string();
        let text = self.call_in(sandbox, &wrapped, vec![string(&json)], deadline).await?.unwrap_or_default();
        serde_json::from_str(&text).map_err(|error| Error::Script {
            text: format!("its result is not of the type asked for: {error}; it is {text}"),
            stack: Vec::new(),
        })
    }
}
