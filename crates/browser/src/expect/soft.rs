//! Assertions that do not end the test at once.

use crate::error::{Error, Result};

/// Collects failures, so that a test goes on and tells all of them at its end.
///
/// ```no_run
/// # async fn example(page: browser::Page) -> browser::Result<()> {
/// let mut soft = browser::Soft::default();
/// soft.check(page.get_by_role("heading", "Inbox").expect().to_be_visible()).await;
/// soft.check(page.expect().to_have_title("Inbox (3)")).await;
/// soft.finish()?;
/// # Ok(()) }
/// ```
#[derive(Debug, Default)]
#[must_use = "failures are told by `finish`"]
pub struct Soft {
    failures: Vec<Error>,
    checked: usize,
    finished: bool,
}

impl Soft {
    /// Awaits an assertion and keeps its failure. Gives whether it held.
    pub async fn check(&mut self, assertion: impl Future<Output = Result<()>>) -> bool {
        let outcome = assertion.await;
        self.checked += 1;
        outcome.map_err(|error| self.failures.push(error)).is_ok()
    }

    /// Ends the collection.
    ///
    /// # Errors
    /// [`Error::Soft`] with all failures, in order.
    pub fn finish(mut self) -> Result<()> {
        self.finished = true;
        let failures = std::mem::take(&mut self.failures);
        if failures.is_empty() { Ok(()) } else { Err(Error::Soft { checked: self.checked, failures }) }
    }
}

/// Failures that nobody asked for must not get lost.
///
/// # Panics
/// When assertions were collected and [`finish`](Soft::finish) was not called, unless the thread panics already.
impl Drop for Soft {
    fn drop(&mut self) {
        if self.checked > 0 && !self.finished && !std::thread::panicking() {
            let failures: Vec<String> = self.failures.iter().map(Error::to_string).collect();
            panic!(
                "{} soft assertions were collected and never told; call Soft::finish. Failures: [{}]",
                self.checked,
                failures.join("; ")
            );
        }
    }
}
