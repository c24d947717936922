//! Requests held back until the test lets them go.

use super::{Route, RouteHandle};
use crate::error::{CallLog, Error, Result};
use std::time::Duration;
use tokio::sync::mpsc;

/// Holds requests back. Each waits until the test takes it with [`next`](Self::next) and answers it, or releases them
/// all. Dropping the hold releases them too.
#[derive(Debug)]
#[must_use = "a hold that is dropped holds nothing"]
pub struct Hold {
    caught: mpsc::UnboundedReceiver<Route>,
    route: RouteHandle,
    pattern: String,
    deadline: Duration,
}

impl Hold {
    pub(crate) fn new(
        caught: mpsc::UnboundedReceiver<Route>,
        route: RouteHandle,
        pattern: String,
        deadline: Duration,
    ) -> Self {
        Self { caught, route, pattern, deadline }
    }

    /// The next request held, waiting for it up to the action deadline. Requests that were sent at the same moment may
    /// come in any order: look at [`Route::request`].
    ///
    /// # Errors
    /// [`Error::Timeout`].
    pub async fn next(&mut self) -> Result<Route> {
        let timeout = |seen: &str| Error::Timeout {
            action: format!("waiting for a held request that matches {}", self.pattern),
            deadline: self.deadline,
            log: CallLog(vec![seen.to_owned()]),
        };
        match tokio::time::timeout(self.deadline, self.caught.recv()).await {
            Ok(Some(route)) => Ok(route),
            Ok(None) => Err(timeout("the route was removed")),
            Err(_) => Err(timeout("no request of this page matched")),
        }
    }

    /// Lets all held requests go to the server, and holds no more.
    ///
    /// # Errors
    /// [`Error::BrowserGone`].
    pub async fn release(mut self) -> Result<()> {
        self.let_go();
        self.route.clone().remove().await
    }

    fn let_go(&mut self) {
        self.route.forget();
        self.caught.close();
        while let Ok(route) = self.caught.try_recv() {
            route.let_go();
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.let_go();
    }
}
