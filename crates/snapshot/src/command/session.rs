//! The browser of one run: started once, started again when it has gone.

use std::time::Duration;

use anyhow::Context as _;
use browser::{Browser, Context, ContextOptions, LaunchOptions, Page};

use super::look::{Look, Seen};
use crate::file_url::file_url;

/// Where a page is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'a> {
    Url(&'a str),
    Html(&'a str),
}

/// A browser with one profile and one page, which is there only while nothing went wrong with it.
pub(super) struct Session {
    launch: LaunchOptions,
    timeout: Duration,
    open: Option<Open>,
}

struct Open {
    browser: Browser,
    context: Context,
    page: Page,
}

impl Session {
    /// Starts the browser.
    pub(super) async fn start(launch: LaunchOptions, headed: bool, timeout: Duration) -> anyhow::Result<Self> {
        let launch = LaunchOptions { headed, navigation_deadline: timeout, action_deadline: timeout, ..launch };
        let open = Some(Open::start(&launch).await?);
        Ok(Self { launch, timeout, open })
    }

    /// Loads a page and looks at it. After an error the next page gets a window, or a browser, of its own.
    pub(super) async fn visit(&mut self, place: Place<'_>, look: &Look) -> anyhow::Result<(Page, Seen)> {
        let open = match self.open.take() {
            Some(open) => open,
            None => Open::start(&self.launch).await?,
        };
        let seen = open.visit(place, look, self.timeout).await;
        let page = open.page.clone();
        self.open = if seen.is_ok() { Some(open) } else { open.renewed().await };
        Ok((page, seen?))
    }

    /// Ends the browser.
    pub(super) async fn close(self) -> anyhow::Result<()> {
        match self.open {
            Some(open) => Ok(open.browser.close().await?),
            None => Ok(()),
        }
    }
}

impl Open {
    async fn start(launch: &LaunchOptions) -> anyhow::Result<Self> {
        let browser = Browser::launch(launch.clone()).await?;
        let context = browser.new_context(ContextOptions::default()).await?;
        let page = context.new_page().await?;
        Ok(Self { browser, context, page })
    }

    async fn visit(&self, place: Place<'_>, look: &Look, timeout: Duration) -> anyhow::Result<Seen> {
        let url = match place {
            Place::Url(url) => url.to_owned(),
            Place::Html(html) => {
                let file = self.browser.folder().join("page.html");
                // The mark in front makes it UTF-8 without adding anything to the document.
                std::fs::write(&file, format!("\u{FEFF}{html}"))
                    .with_context(|| format!("cannot write {}", file.display()))?;
                file_url(&file)
            }
        };
        self.page.goto(&url).await?;
        look.at(&self.page, timeout).await
    }

    /// The same profile with another window, unless the browser has gone.
    async fn renewed(self) -> Option<Self> {
        let page = self.context.new_page().await.ok()?;
        // It may be the page that can't be closed any more.
        let _ = self.page.close().await;
        Some(Self { page, ..self })
    }
}
