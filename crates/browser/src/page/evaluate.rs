//! Scripts of the test, in the page's own document.

use super::Page;
use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

impl Page {
    /// [`Frame::evaluate`](crate::Frame::evaluate) in the page's own document.
    ///
    /// # Errors
    /// As for [`Frame::evaluate`](crate::Frame::evaluate).
    pub async fn evaluate<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        self.main_frame().evaluate(function, arguments).await
    }

    /// [`Frame::evaluate_within`](crate::Frame::evaluate_within) in the page's own document.
    ///
    /// # Errors
    /// As for [`Frame::evaluate`](crate::Frame::evaluate).
    pub async fn evaluate_within<T: DeserializeOwned>(
        &self,
        function: &str,
        arguments: &[Value],
        deadline: Duration,
    ) -> Result<T> {
        self.main_frame().evaluate_within(function, arguments, deadline).await
    }

    /// [`Frame::evaluate_isolated`](crate::Frame::evaluate_isolated) in the page's own document.
    ///
    /// # Errors
    /// As for [`Frame::evaluate`](crate::Frame::evaluate).
    pub async fn evaluate_isolated<T: DeserializeOwned>(&self, function: &str, arguments: &[Value]) -> Result<T> {
        self.main_frame().evaluate_isolated(function, arguments).await
    }

    /// Tells a closed page from other refusals.
    pub(crate) fn explain(&self, action: &str, error: Error) -> Error {
        self.main_frame().explain(action, error)
    }
}
