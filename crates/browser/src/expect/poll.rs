//! Waiting for something outside the page.

use crate::error::{CallLog, Error, Result};
use std::fmt::Debug;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout_at};

/// Asks `probe` again and again until its answer is right; for what no page shows: a row in a database, a line in a log.
/// What a page shows is waited for by [`Locator::expect`](crate::Locator::expect), which asks nothing in vain.
///
/// ```no_run
/// # async fn rows() -> usize { 3 }
/// # async fn example() -> browser::Result<()> {
/// browser::poll("rows saved", async || rows().await).to_equal(3).await?;
/// # Ok(()) }
/// ```
pub fn poll<T, F: AsyncFnMut() -> T>(what: &str, probe: F) -> Poll<F> {
    Poll { what: what.to_owned(), probe, deadline: Duration::from_secs(10) }
}

/// A question that is put until its answer is right. See [`poll`].
#[derive(Debug)]
#[must_use = "nothing is asked before `until` or `to_equal`"]
pub struct Poll<F> {
    what: String,
    probe: F,
    deadline: Duration,
}

/// Pauses between two looks, the last for all further ones.
const PAUSES: [u64; 5] = [10, 20, 50, 100, 250];

/// How many different answers a failure tells.
const TOLD: usize = 8;

impl<F> Poll<F> {
    /// With another budget than 10 s.
    pub fn within(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Waits until `accept` takes the answer, and gives it back. `expected` says what that is, for the failure.
    ///
    /// # Errors
    /// [`Error::Timeout`] with the answers that came instead.
    pub async fn until<T>(self, expected: &str, accept: impl FnMut(&T) -> bool) -> Result<T>
    where
        F: AsyncFnMut() -> T,
        T: Debug,
    {
        self.wait(expected, |answer| format!("it is {answer:?}"), accept).await
    }

    /// [`until`](Self::until), with a say in how an answer is told.
    pub(super) async fn wait<T>(
        mut self,
        expected: &str,
        told: impl Fn(&T) -> String,
        mut accept: impl FnMut(&T) -> bool,
    ) -> Result<T>
    where
        F: AsyncFnMut() -> T,
    {
        let end = Instant::now() + self.deadline;
        let mut seen: Vec<String> = Vec::new();
        for round in 0.. {
            let Ok(answer) = timeout_at(end, (self.probe)()).await else {
                if seen.is_empty() {
                    seen.push("the probe did not answer in time".to_owned());
                }
                break;
            };
            if accept(&answer) {
                return Ok(answer);
            }
            let line = told(&answer);
            if seen.last() != Some(&line) {
                seen.push(line);
            }
            let next = Instant::now() + Duration::from_millis(PAUSES[round.min(PAUSES.len() - 1)]);
            if next >= end {
                break;
            }
            sleep_until(next).await;
        }
        let log = CallLog(seen.split_off(seen.len().saturating_sub(TOLD)));
        Err(Error::Timeout { action: format!("expecting {} {expected}", self.what), deadline: self.deadline, log })
    }

    /// Waits until the answer is equal to `value`.
    ///
    /// # Errors
    /// As for [`until`](Self::until).
    pub async fn to_equal<T>(self, value: T) -> Result<()>
    where
        F: AsyncFnMut() -> T,
        T: Debug + PartialEq,
    {
        self.until(&format!("to equal {value:?}"), |answer| *answer == value).await.map(|_| ())
    }
}
