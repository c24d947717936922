//! One document of a page.

use super::Asked;
use crate::error::Result;
use crate::locator::Locator;
use crate::page::Page;
use bidi::command::browsing_context::{GetTree, TreeNode};
use serde_json::Map;
use std::sync::Arc;

/// A place for documents within a page: the page itself, or an `<iframe>` of it. Cheap to clone. It lasts over
/// navigations, and ends with its element; [`Page::frame_locator`] finds frames anew each time and never goes stale.
#[derive(Debug, Clone)]
pub struct Frame {
    page: Page,
    id: Arc<str>,
}

impl Frame {
    pub(crate) fn new(page: Page, id: impl Into<Arc<str>>) -> Self {
        Self { page, id: id.into() }
    }

    /// Browsing context id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The page it belongs to.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Whether it is the page's own document.
    pub fn is_main(&self) -> bool {
        *self.id == *self.page.id()
    }

    /// Address of the document.
    ///
    /// # Errors
    /// [`Error::PageClosed`](crate::Error::PageClosed), [`Error::FrameDetached`](crate::Error::FrameDetached), or a
    /// document that does not answer.
    pub async fn url(&self) -> Result<String> {
        self.read("url").await
    }

    /// Title of the document.
    ///
    /// # Errors
    /// As for [`url`](Self::url).
    pub async fn title(&self) -> Result<String> {
        self.read("title").await
    }

    /// The frame's name: the `name` of its element, unless the document has set `window.name`.
    ///
    /// # Errors
    /// As for [`url`](Self::url).
    pub async fn name(&self) -> Result<String> {
        self.read("frameName").await
    }

    /// The source of the document as it is now, doctype included.
    ///
    /// # Errors
    /// As for [`url`](Self::url).
    pub async fn content(&self) -> Result<String> {
        self.read("content").await
    }

    /// The frames right inside this one, in document order.
    ///
    /// # Errors
    /// [`Error::PageClosed`](crate::Error::PageClosed), [`Error::FrameDetached`](crate::Error::FrameDetached).
    pub async fn child_frames(&self) -> Result<Vec<Frame>> {
        let children = self.tree(Some(1)).await?.into_iter().flat_map(|node| node.children.unwrap_or_default());
        Ok(children.map(|child| Self::new(self.page.clone(), child.context)).collect())
    }

    /// This frame and all in it: each before those inside it.
    ///
    /// # Errors
    /// As for [`child_frames`](Self::child_frames).
    pub(crate) async fn all(&self) -> Result<Vec<Frame>> {
        let mut pending = self.tree(None).await?;
        let mut frames = Vec::new();
        while let Some(node) = pending.pop() {
            frames.push(Self::new(self.page.clone(), node.context));
            pending.extend(node.children.unwrap_or_default().into_iter().rev());
        }
        Ok(frames)
    }

    async fn tree(&self, max_depth: Option<u32>) -> Result<Vec<TreeNode>> {
        let get = GetTree { root: Some(self.id.to_string()), max_depth };
        let tree = self.page.core().link.call(&get).await;
        Ok(tree.map_err(|error| self.explain("listing its frames", error))?.contexts)
    }

    async fn read(&self, command: &str) -> Result<String> {
        let deadline = self.page.core().settings.action_deadline;
        let action = match command {
            "frameName" => "reading the name of the frame".to_owned(),
            other => format!("reading the {other}"),
        };
        let asked = Asked { command, arguments: Map::new(), action, deadline };
        Ok(self.ask(asked).await?.as_str().unwrap_or_default().to_owned())
    }

    fn root(&self) -> Locator {
        Locator::new(self.clone())
    }
}

crate::locator::finders!(Frame);
