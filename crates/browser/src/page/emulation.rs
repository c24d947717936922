//! Settings of one page. Those of its context hold where it has none.

use super::Page;
use crate::clock::Clock;
use crate::context::{self, Media, Viewport};
use crate::error::Result;
use crate::script;
use bidi::command::Scope;
use bidi::command::browsing_context::SetViewport;
use bidi::command::script::AddPreloadScript;
use serde_json::Value;

impl Page {
    fn scope(&self) -> Scope {
        Scope::Contexts(vec![self.id().to_owned()])
    }

    /// The clock of the page's context: there is one for all its pages.
    pub fn clock(&self) -> Clock<'_> {
        self.context().clock()
    }

    /// Sets the size of the area the page draws on, in CSS pixels.
    ///
    /// # Errors
    /// [`OptionRefused`](crate::Error::OptionRefused) for a size that is none, [`PageClosed`](crate::Error::PageClosed).
    pub async fn set_viewport_size(&self, width: u32, height: u32) -> Result<()> {
        let command = SetViewport {
            viewport: Some(Viewport { width, height }),
            device_pixel_ratio: None,
            context: Some(self.id().to_owned()),
            user_contexts: Vec::new(),
        };
        let set = context::set(self.core(), "viewport", &command).await;
        set.map(|_| ()).map_err(|error| self.explain("setting its size", error))
    }

    /// Changes what media queries answer in this page. What is `None` is again as in the context, whatever was set
    /// before.
    ///
    /// # Errors
    /// [`OptionRefused`](crate::Error::OptionRefused), [`PageClosed`](crate::Error::PageClosed).
    pub async fn emulate_media(&self, media: Media) -> Result<()> {
        let media = media.or(self.context().media());
        let set = context::set_media(self.core(), self.scope(), media).await;
        set.map_err(|error| self.explain("setting its media features", error))
    }

    /// Headers added to every request of the page from now on, besides those of the context and instead of those given
    /// here before.
    ///
    /// # Errors
    /// [`OptionRefused`](crate::Error::OptionRefused) for a name or value that HTTP does not allow,
    /// [`PageClosed`](crate::Error::PageClosed).
    pub async fn set_extra_http_headers(&self, headers: &[(&str, &str)]) -> Result<()> {
        let set = context::set_headers(self.core(), self.scope(), &context::owned(headers)).await;
        set.map_err(|error| self.explain("setting its headers", error))
    }

    /// [`Context::add_init_script`](crate::Context::add_init_script) for this page and its frames only.
    ///
    /// # Errors
    /// [`PageClosed`](crate::Error::PageClosed).
    pub async fn add_init_script(&self, function: &str, arguments: &[Value]) -> Result<()> {
        let command = AddPreloadScript {
            function_declaration: script::call(function, arguments),
            contexts: vec![self.id().to_owned()],
            ..AddPreloadScript::default()
        };
        let added = self.core().link.call(&command).await;
        added.map(|_| ()).map_err(|error| self.explain("adding an init script", error))
    }
}
