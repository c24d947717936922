//! Scripts of the test.

use super::Frame;
use super::ask::is_navigation;
use crate::error::{Error, Result};
use crate::script;
use bidi::command::script::{node, string};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

impl Frame {
    /// Calls `function`, the source of a JavaScript function, with `arguments` in the document's own
    /// world, waits for a promise it returns, and reads the result as JSON. What JSON has no form
    /// for (`undefined`, functions) is `null`.
    ///
    /// # Errors
    /// [`Error::Script`] when it throws or rejects, a protocol deadline when it takes longer than
    /// the action deadline, [`Error::PageClosed`], [`Error::FrameDetached`].
    pub async fn evaluate<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        self.evaluate_in(None, function, None, arguments, self.page().core().settings.action_deadline).await
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
        self.evaluate_in(None, function, None, arguments, deadline).await
    }

    /// [`evaluate`](Self::evaluate) in an isolated world: the document's DOM, but builtins the page
    /// can't have changed, and none of its globals. `ariaCapture` there is the object that [`aria::CAPTURE_SCRIPT`]
    /// evaluates to.
    ///
    /// # Errors
    /// As for [`evaluate`](Self::evaluate).
    pub async fn evaluate_isolated<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        self.evaluate_in(Some(script::SANDBOX), function, None, arguments, self.page().core().settings.action_deadline)
            .await
    }

    /// Calls `function` with the element of shared id `element`, when there is one, and the arguments.
    pub(crate) async fn evaluate_in<T: DeserializeOwned>(
        &self,
        sandbox: Option<&str>,
        function: &str,
        element: Option<&str>,
        arguments: &[Value],
        deadline: Duration,
    ) -> Result<T> {
        // JSON text both ways: describing values one by one is ten times slower.
        let wrapped = format!(
            "async (json, ...element) => {{ const value = await (\n{function}\n)(...element, ...JSON.parse(json)); \
             return value === undefined ? 'null' : JSON.stringify(value) ?? 'null'; }}"
        );
        let json = Value::from(arguments).to_string();
        let arguments = [string(&json)].into_iter().chain(element.map(node)).collect();
        let value = self.call(sandbox, &wrapped, arguments, deadline).await.map_err(|error| match error {
            Error::Protocol(lost) if is_navigation(&lost) => Error::Script {
                text: "its document was replaced while it ran; wait for the navigation first, and run it again".into(),
                stack: Vec::new(),
            },
            other => other,
        })?;
        let text = value.value.as_str().unwrap_or_default();
        serde_json::from_str(text).map_err(|error| Error::Script {
            text: format!("its result is not of the type asked for: {error}; it is {text}"),
            stack: Vec::new(),
        })
    }
}
