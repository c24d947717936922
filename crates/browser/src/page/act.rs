//! The one door that every action and every assertion of a test goes through.

use super::Page;
use crate::error::Result;
use std::time::Duration;

impl Page {
    /// Does `work`, an action called by its title: `click get_by_role("button")`. First comes the pause of slow
    /// motion. Actions are not nested: one that is made of several asks for their inner parts. Titles hold no text
    /// that was typed: it may be a password, and traces are passed around.
    pub(crate) async fn act<T>(&self, title: String, work: impl Future<Output = Result<T>>) -> Result<T> {
        let pause = self.core().settings.slow_motion;
        if pause > Duration::ZERO {
            tokio::time::sleep(pause).await;
        }
        match self.core().recorders.of(self.context().id()) {
            Some(recorder) => Box::pin(recorder.record_action(self, title, work)).await,
            None => work.await,
        }
    }

    /// Does `work`, an assertion: it looks at the page and changes nothing.
    pub(crate) async fn look<T>(&self, title: String, work: impl Future<Output = Result<T>>) -> Result<T> {
        match self.core().recorders.of(self.context().id()) {
            Some(recorder) => Box::pin(recorder.record_look(self, title, work)).await,
            None => work.await,
        }
    }
}
