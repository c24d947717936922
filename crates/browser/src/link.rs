//! The BiDi connection with what is needed to explain its end.

use crate::error::{Error, Result};
use crate::launch::Output;
use bidi::{Command, Connection};
use std::sync::Arc;
use std::time::Duration;

/// How long a command may take that waits for nothing but the browser itself. Commands that wait
/// in the page get their own budget on top of this.
pub(crate) const COMMAND_DEADLINE: Duration = Duration::from_secs(30);

/// The connection to one browser.
#[derive(Debug)]
pub(crate) struct Link {
    connection: Connection,
    output: Arc<Output>,
}

impl Link {
    /// Connects to the session's websocket.
    ///
    /// # Errors
    /// [`Error::Protocol`].
    pub(crate) async fn connect(url: &str, output: Arc<Output>) -> Result<Self> {
        Ok(Self { connection: Connection::connect(url, COMMAND_DEADLINE).await?, output })
    }

    /// The connection, for listeners.
    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// What the driver prints.
    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    /// Sends a command.
    ///
    /// # Errors
    /// [`Error::BrowserGone`], [`Error::Protocol`].
    pub(crate) async fn call<C: Command>(&self, command: &C) -> Result<C::Output> {
        self.call_within(command, COMMAND_DEADLINE).await
    }

    /// Sends a command with a deadline of its own.
    ///
    /// # Errors
    /// [`Error::BrowserGone`], [`Error::Protocol`].
    pub(crate) async fn call_within<C: Command>(&self, command: &C, deadline: Duration) -> Result<C::Output> {
        self.connection.call_within(command, deadline).await.map_err(|error| match error {
            bidi::Error::Closed { method, reason } => self.gone(&method, &reason),
            other => Error::Protocol(other),
        })
    }

    /// The error for `what` when the connection has ended.
    pub(crate) fn ended(&self, what: &str) -> Option<Error> {
        Some(self.gone(what, &self.connection.ended()?))
    }

    fn gone(&self, what: &str, reason: &str) -> Error {
        let what = format!("{what}: the connection has ended: {reason}");
        Error::BrowserGone { what, log: self.output.snapshot() }
    }
}
