//! File choosers. The browser's own dialog never opens.

use crate::error::{Error, Result};
use crate::network::Remote;
use bidi::command::prompt::ChooseFiles;
use serde_json::json;
use std::path::{Path, PathBuf};

/// A page's wish for files: the person clicked on something that asks for them. Left alone it is as if the person had
/// cancelled.
#[derive(Debug, Clone)]
pub struct FileChooser {
    frame: String,
    element: Option<String>,
    is_multiple: bool,
    remote: Remote,
}

impl FileChooser {
    pub(crate) fn new(frame: String, element: Option<String>, is_multiple: bool, remote: Remote) -> Self {
        Self { frame, element, is_multiple, remote }
    }

    /// Whether several files may be given.
    pub fn is_multiple(&self) -> bool {
        self.is_multiple
    }

    /// Browsing context id of the document that asks.
    pub fn frame(&self) -> &str {
        &self.frame
    }

    /// WebDriver's shared id of the `<input>`; `None` when a script asked without one.
    pub fn element(&self) -> Option<&str> {
        self.element.as_deref()
    }

    /// Gives files, or none to clear the input. The page gets `input` and `change` events. Relative paths are those of
    /// this process.
    ///
    /// # Errors
    /// [`Error::File`] for a file that is not there; [`Error::Unsuitable`] for several files where one may be given, and
    /// when a script asked without an input: browsers take no files then.
    pub async fn set_files(&self, files: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<()> {
        const ACTION: &str = "choosing files";
        let unsuitable = |reason: &str| Error::Unsuitable { action: ACTION.into(), reason: reason.into() };
        let absolute = |file: &Path| -> std::io::Result<PathBuf> { file.canonicalize() };
        let mut paths = Vec::new();
        for file in files {
            let file = file.as_ref();
            let path =
                absolute(file).map_err(|source| Error::File { action: ACTION, path: file.to_owned(), source })?;
            paths.push(path.display().to_string());
        }
        if paths.len() > 1 && !self.is_multiple {
            return Err(unsuitable("the input takes one file; give one, or set its attribute multiple"));
        }
        let element = self.element.as_ref().ok_or_else(|| {
            unsuitable("a script asked for files without an <input>, and WebDriver can't answer that; test it with one")
        })?;
        let link = self.remote.link(ACTION)?;
        let command =
            ChooseFiles { context: self.frame.clone(), element: json!({ "sharedId": element }), files: paths };
        match link.call(&command).await {
            Err(Error::Protocol(bidi::Error::Refused { code, .. })) if code == "no such node" => {
                Err(unsuitable("the input is no longer in the page"))
            }
            other => other.map(|_| ()),
        }
    }
}
