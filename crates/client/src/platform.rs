//! What the surroundings give to the client. A page gives `fetch`, timers and animation frames; tests give paused time.

use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use futures_util::stream::LocalBoxStream;

/// The bytes of an open event stream, in any pieces. Ends when the carrier does.
pub type ByteStream = LocalBoxStream<'static, Result<Vec<u8>, TransportError>>;

/// The carrier failed: no connection, a broken stream, a status that opens no stream.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TransportError(
    /// What the carrier reported, for a person.
    pub String,
);

/// Everything the client needs from outside. Single-threaded: nothing here is `Send`.
pub trait Platform {
    /// `POST path` with a JSON body. Status and body text of the answer, whatever the status; an error only when there
    /// was no answer. Dropping the future gives the call up.
    fn unary(&self, path: &str, body: String) -> LocalBoxFuture<'static, Result<(u16, String), TransportError>>;
    /// `GET path` as an event stream. Resolves when the stream is open (status 200 arrived); any other status is an
    /// error. Dropping the future or the stream aborts the request.
    fn open_stream(&self, path: &str) -> LocalBoxFuture<'static, Result<ByteStream, TransportError>>;
    /// Runs a task on this thread, not before the caller returns.
    fn spawn(&self, task: LocalBoxFuture<'static, ()>);
    /// Resolves after `duration`.
    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()>;
    /// Resolves at the next animation frame. Where frames stop (a hidden page) it must still resolve, by a timer.
    fn frame(&self) -> LocalBoxFuture<'static, ()>;
    /// Chance in `0.0..1.0`, for the spread of reconnect delays.
    fn random(&self) -> f64;
    /// Milliseconds since the Unix epoch, for the time of a prompt that is not durable yet.
    fn now(&self) -> i64;
}
