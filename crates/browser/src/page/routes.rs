//! Routes: requests answered by the test.

use super::Page;
use crate::browser::Core;
use crate::context::Context;
use crate::error::Result;
use crate::monitor::Scope;
use crate::network::{Hold, Request, Route, RouteHandle, Routes, UrlPattern};
use tokio::sync::mpsc;

impl Page {
    /// Gives requests of the page that match to `handler`, which answers in the server's place, changes them, or lets
    /// them go on. Those sent after the return reach it, each hop of a redirect anew. The newest route that matches is
    /// asked first, those of the page before those of its context; [`Route::fallback`] passes on to the next.
    ///
    /// A handler that gives no answer, panics, fails or takes longer than the action deadline does not hold the page up:
    /// the request goes on to the server, and is a [`Problem`](crate::Problem). What a route answers or aborts is none.
    /// A handler that keeps the [`Route`] (sends it to the test) may answer later.
    ///
    /// The browser cannot catch websockets and the requests of service workers.
    ///
    /// ```no_run
    /// # async fn example(page: &browser::Page) -> browser::Result<()> {
    /// use browser::Fulfill;
    /// page.route("**/api/user", |route| route.fulfill(Fulfill::json(&["Ada"]))).await?;
    /// page.route("**/*.{png,jpg}", |route| route.abort()).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone), [`Protocol`](crate::Error::Protocol) when the page is gone.
    pub async fn route<F, Fut>(&self, pattern: impl Into<UrlPattern>, handler: F) -> Result<RouteHandle>
    where
        F: Fn(Route) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        Routes::add(&self.core().monitor, self.routed_scope(), pattern.into(), None, handler).await
    }

    /// [`route`](Self::route) that acts on the first `times` requests only.
    ///
    /// # Errors
    /// As for [`route`](Self::route).
    pub async fn route_times<F, Fut>(
        &self,
        times: u64,
        pattern: impl Into<UrlPattern>,
        handler: F,
    ) -> Result<RouteHandle>
    where
        F: Fn(Route) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        Routes::add(&self.core().monitor, self.routed_scope(), pattern.into(), Some(times), handler).await
    }

    /// Holds requests of the page that match back until the test lets them go.
    ///
    /// # Errors
    /// As for [`route`](Self::route).
    pub async fn hold(&self, pattern: impl Into<UrlPattern>) -> Result<Hold> {
        hold(self.core(), self.routed_scope(), pattern.into()).await
    }

    /// Takes all routes of the page away; those of its context stay.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn unroute_all(&self) -> Result<()> {
        Routes::clear(&self.core().monitor, self.routed_scope()).await
    }

    /// Shows no more in [`console`](Self::console) of what was printed up to now. Problems stay.
    pub fn clear_console(&self) {
        self.log().clear_console();
    }

    fn routed_scope(&self) -> Scope {
        Scope::Page(self.id().to_owned())
    }
}

impl Context {
    /// [`Page::route`] for all pages of the context, those to come and popups included. It costs all other contexts of
    /// the browser a round trip a request while it is set up, since the browser catches for all or for single pages.
    ///
    /// # Errors
    /// As for [`Page::route`].
    pub async fn route<F, Fut>(&self, pattern: impl Into<UrlPattern>, handler: F) -> Result<RouteHandle>
    where
        F: Fn(Route) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<()>> + Send + 'static,
    {
        Routes::add(&self.core().monitor, self.routed_scope(), pattern.into(), None, handler).await
    }

    /// [`Page::hold`] for all pages of the context.
    ///
    /// # Errors
    /// As for [`Page::route`].
    pub async fn hold(&self, pattern: impl Into<UrlPattern>) -> Result<Hold> {
        hold(self.core(), self.routed_scope(), pattern.into()).await
    }

    /// Takes all routes of the context away; those of its pages stay.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone).
    pub async fn unroute_all(&self) -> Result<()> {
        Routes::clear(&self.core().monitor, self.routed_scope()).await
    }

    /// All requests of all pages it ever had, and of its workers.
    pub fn requests(&self) -> Vec<Request> {
        self.core().monitor.requests_of(self.id())
    }

    fn routed_scope(&self) -> Scope {
        Scope::Context(self.id().to_owned())
    }
}

async fn hold(core: &Core, scope: Scope, pattern: UrlPattern) -> Result<Hold> {
    let (sender, caught) = mpsc::unbounded_channel();
    let name = pattern.to_string();
    let handler = move |route: Route| {
        // The hold takes its routes away before it goes; one that comes in between goes on to the server.
        if let Err(late) = sender.send(route) {
            late.0.let_go();
        }
        std::future::ready(Ok(()))
    };
    let route = Routes::add(&core.monitor, scope, pattern, None, handler).await?;
    Ok(Hold::new(caught, route, name, core.settings.action_deadline))
}
