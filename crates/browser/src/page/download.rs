//! Files a page lets the person save.
//!
//! A browser that was attached to saves none: every download fails. Else they go to a folder of the context within the browser's own, and are gone with it: [`Download::save_as`] keeps them.

use super::Page;
use crate::browser::Core;
use crate::error::{Error, Result};
use crate::network::Remote;
use bidi::command::cdp::SendCommand;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::watch;

/// A file that is being saved, or was. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Download {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    id: String,
    url: String,
    suggested_filename: String,
    user_context: String,
    state: watch::Sender<State>,
    remote: Remote,
}

#[derive(Debug, Clone)]
enum State {
    Running,
    Done(PathBuf),
    Failed(String),
}

impl Download {
    pub(crate) fn new(
        id: String,
        url: String,
        suggested_filename: String,
        user_context: String,
        remote: Remote,
    ) -> Self {
        let state = watch::Sender::new(State::Running);
        Self { inner: Arc::new(Inner { id, url, suggested_filename, user_context, state, remote }) }
    }

    pub(crate) fn is(&self, id: &str) -> bool {
        self.inner.id == id
    }

    /// It has ended: with a file, or without.
    pub(crate) fn end(&self, file: Option<String>) {
        let state = match file {
            Some(file) => State::Done(file.into()),
            None => State::Failed("it was cancelled, or the connection broke".to_owned()),
        };
        self.inner.state.send_replace(state);
    }

    /// Where the file comes from.
    pub fn url(&self) -> &str {
        &self.inner.url
    }

    /// The name the server or the page wants for it.
    pub fn suggested_filename(&self) -> &str {
        &self.inner.suggested_filename
    }

    /// Where the file is, once it is complete. Its name there is not the suggested one. It is gone with the context.
    ///
    /// # Errors
    /// [`Error::Download`] when it fails or does not end within the action deadline.
    pub async fn path(&self) -> Result<PathBuf> {
        let mut state = self.inner.state.subscribe();
        let ended = state.wait_for(|state| !matches!(state, State::Running));
        let deadline = self.inner.remote.deadline;
        match tokio::time::timeout(deadline, ended).await.map(|state| state.map(|state| state.clone())) {
            Ok(Ok(State::Done(path))) => Ok(path),
            Ok(Ok(State::Failed(reason))) => Err(self.failed(reason)),
            Ok(Ok(State::Running) | Err(_)) | Err(_) => {
                Err(self.failed(format!("it has not ended within {deadline:?}")))
            }
        }
    }

    /// Copies the complete file to `path`. Folders on the way are made.
    ///
    /// # Errors
    /// As for [`path`](Self::path), and [`Error::File`] when it can't be written.
    pub async fn save_as(&self, path: impl AsRef<Path>) -> Result<()> {
        let (from, to) = (self.path().await?, path.as_ref().to_owned());
        let copied = async {
            if let Some(folder) = to.parent() {
                tokio::fs::create_dir_all(folder).await?;
            }
            tokio::fs::copy(&from, &to).await
        };
        copied.await.map(|_| ()).map_err(|source| Error::File { action: "saving a download", path: to, source })
    }

    /// Why it failed; `None` when it is complete. Waits for its end.
    ///
    /// # Errors
    /// [`Error::Download`] when it does not end within the action deadline.
    pub async fn failure(&self) -> Result<Option<String>> {
        match self.path().await {
            Ok(_) => Ok(None),
            Err(error) => match &*self.inner.state.borrow() {
                State::Failed(reason) => Ok(Some(reason.clone())),
                State::Running | State::Done(_) => Err(error),
            },
        }
    }

    /// Stops it. One that has ended stays as it is.
    ///
    /// # Errors
    /// [`Error::BrowserGone`].
    pub async fn cancel(&self) -> Result<()> {
        let params = json!({ "guid": self.inner.id, "browserContextId": self.inner.user_context });
        // WebDriver BiDi has no word for it.
        let command = SendCommand { method: "Browser.cancelDownload".into(), params, session: None };
        match self.inner.remote.link("cancelling a download")?.call(&command).await {
            Ok(_) | Err(Error::Protocol(bidi::Error::Refused { .. })) => Ok(()),
            Err(other) => Err(other),
        }
    }

    fn failed(&self, reason: String) -> Error {
        Error::Download { name: self.inner.suggested_filename.clone(), url: self.inner.url.clone(), reason }
    }
}

impl Page {
    /// All downloads of the page since it was opened.
    pub fn downloads(&self) -> Vec<Download> {
        self.log().downloads()
    }
}

/// The folder for downloads of a user context; none when the browser is not ours, and saves nothing then.
pub(crate) fn folder(core: &Core, user_context: &str) -> Option<PathBuf> {
    Some(core.folder()?.join("downloads").join(user_context))
}

/// Lets the pages of a user context save files. Chromium's own command, since that of WebDriver BiDi gives files the names
/// pages suggest: two of the same name at the same time would become one.
pub(crate) async fn allow(core: &Core, user_context: &str) -> Result<()> {
    let Some(folder) = folder(core, user_context) else { return Ok(()) };
    let params = json!({
        "behavior": "allowAndName",
        "browserContextId": user_context,
        "downloadPath": folder,
        "eventsEnabled": true,
    });
    let command = SendCommand { method: "Browser.setDownloadBehavior".into(), params, session: None };
    core.link.call(&command).await.map(|_| ())
}
