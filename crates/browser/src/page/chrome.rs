//! What only Chromium can do.

use super::Page;
use crate::error::Result;
use bidi::command::cdp::{GetSession, SendCommand};
use serde_json::Value;

impl Page {
    /// Sends a command of the Chrome DevTools Protocol to the page's session and gives back its result; `params` is an
    /// object. Chromium only: the way out for what WebDriver BiDi has no command for.
    ///
    /// # Errors
    /// [`Error::Protocol`](crate::Error::Protocol) with the browser's words, [`Error::PageClosed`](crate::Error::PageClosed).
    pub async fn chrome_devtools(&self, method: &str, params: Value) -> Result<Value> {
        let link = &self.core().link;
        let opened = link.call(&GetSession { context: self.id().to_owned() }).await;
        let session = opened.map_err(|error| self.explain(method, error))?.session;
        let command = SendCommand { method: method.to_owned(), params, session: Some(session) };
        let sent = link.call(&command).await;
        Ok(sent.map_err(|error| self.explain(method, error))?.result)
    }
}
