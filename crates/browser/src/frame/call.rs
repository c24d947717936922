//! Running a function in a frame.

use super::Frame;
use crate::error::{Error, Result};
use bidi::command::script::{CallFunction, CallResult, RemoteValue, SerializationOptions, Target};
use serde_json::Value;
use std::time::Duration;

impl Frame {
    /// Calls a function in the document that is there now, in our isolated world or the page's own, and waits for a
    /// promise it returns.
    ///
    /// # Errors
    /// [`Error::Script`] when it throws, [`Error::PageClosed`] or [`Error::FrameDetached`].
    pub(crate) async fn call(
        &self,
        sandbox: Option<&str>,
        function: &str,
        arguments: Vec<Value>,
        deadline: Duration,
    ) -> Result<RemoteValue> {
        self.call_described(sandbox, function, arguments, deadline, None).await
    }

    /// [`call`](Self::call), with a say in how much of the result is described.
    ///
    /// # Errors
    /// As for [`call`](Self::call).
    pub(super) async fn call_described(
        &self,
        sandbox: Option<&str>,
        function: &str,
        arguments: Vec<Value>,
        deadline: Duration,
        serialization_options: Option<SerializationOptions>,
    ) -> Result<RemoteValue> {
        let core = self.page().core();
        let by_context = Target::Context { context: self.id().to_owned(), sandbox: sandbox.map(str::to_owned) };
        let target = match core.realms.of(self.id(), sandbox) {
            Some(realm) => Target::Realm { realm },
            None => by_context.clone(),
        };
        let by_realm = matches!(target, Target::Realm { .. });
        let mut call = CallFunction {
            function_declaration: function.to_owned(),
            arguments,
            await_promise: true,
            target,
            user_activation: false,
            serialization_options,
        };
        let mut result = self.page().call("a script", &call, deadline).await;
        if by_realm && result.as_ref().is_err_and(is_missing) {
            // The document went away in between. Whether the frame did too, only its context says.
            call.target = by_context;
            result = self.page().call("a script", &call, deadline).await;
        }
        match result {
            Ok(CallResult::Success { result }) => Ok(result),
            Ok(CallResult::Exception { exception_details: details }) => Err(Error::Script {
                text: details.text,
                stack: details
                    .stack_trace
                    .call_frames
                    .iter()
                    .map(|frame| {
                        let (line, column) = (frame.line_number + 1, frame.column_number + 1);
                        format!("{} {}:{line}:{column}", frame.function_name, frame.url).trim_start().to_owned()
                    })
                    .collect(),
            }),
            Err(error) if is_missing(&error) => Err(self.gone("a script")),
            Err(error) => Err(error),
        }
    }

    /// Tells a frame that is gone from other refusals.
    pub(crate) fn explain(&self, action: &str, error: Error) -> Error {
        if is_missing(&error) { self.gone(action) } else { error }
    }

    /// The error for a frame that is no longer there.
    pub(super) fn gone(&self, action: &str) -> Error {
        let action = action.to_owned();
        if self.is_main() {
            Error::PageClosed { action, page: self.id().to_owned() }
        } else {
            Error::FrameDetached { action, frame: self.id().to_owned() }
        }
    }
}

/// Whether the browser knows no such browsing context or realm.
fn is_missing(error: &Error) -> bool {
    matches!(error, Error::Protocol(bidi::Error::Refused { code, .. }) if code == "no such frame")
}
