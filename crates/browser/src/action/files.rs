//! Files for inputs.

use crate::error::{Error, Result};
use crate::frame::Answered;
use crate::locator::Locator;
use bidi::command::prompt::ChooseFiles;
use bidi::command::script::node;
use std::path::{Path, PathBuf};

/// A file for an `<input type=file>`: one that is there, by its path, or one made up by the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputFile {
    /// A file that is there; relative paths start at the working directory.
    Path(PathBuf),
    /// A file of this name and content. It lives as long as the browser.
    Memory {
        /// Name, without folders. The browser tells the type from its ending.
        name: String,
        /// Content.
        bytes: Vec<u8>,
    },
}

impl InputFile {
    /// A file of this name and content.
    pub fn memory(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self::Memory { name: name.into(), bytes: bytes.into() }
    }
}

impl<P: AsRef<Path>> From<P> for InputFile {
    fn from(path: P) -> Self {
        Self::Path(path.as_ref().to_owned())
    }
}

impl Locator {
    /// Puts files into an `<input type=file>`, or takes all out when there are none, visible or not, once it is
    /// enabled. The page gets `input` and `change`.
    ///
    /// # Errors
    /// [`File`](crate::Error::File) for a file that is not there; [`Unsuitable`](crate::Error::Unsuitable) for other
    /// elements, and for several files where one may be; else [`Timeout`](crate::Error::Timeout),
    /// [`Strict`](crate::Error::Strict), [`PageClosed`](crate::Error::PageClosed).
    pub async fn set_input_files(&self, files: impl IntoIterator<Item = impl Into<InputFile>>) -> Result<()> {
        const VERB: &str = "put files into";
        let folder = self.page().core().upload_folder();
        let title = format!("{VERB} {self}");
        let paths = files.into_iter().map(|file| {
            let failed = |(path, source)| Error::File { action: "putting files into an input", path, source };
            path_of(file.into(), folder.as_deref()).map_err(failed)
        });
        let files = paths.collect::<Result<Vec<String>>>()?;
        let work = async {
            let arguments = [("count", files.len().into())];
            let (input, frame) = self.ask_for("fileInput", VERB, &arguments).await?;
            let Answered::Node(input) = input else {
                return Err(Error::Unsuitable { action: title.clone(), reason: "the input went away".into() });
            };
            let set = ChooseFiles { context: frame.id().to_owned(), element: node(&input), files };
            let done = self.page().core().link.call(&set).await;
            done.map(|_| ()).map_err(|error| frame.explain(&title, error))
        };
        self.page().act(title.clone(), work).await
    }
}

/// Absolute path of a file, made if need be; or the path that is wrong, and why.
fn path_of(file: InputFile, folder: Option<&Path>) -> Result<String, (PathBuf, std::io::Error)> {
    let path = match file {
        // The browser takes paths where nothing is.
        InputFile::Path(path) => path.canonicalize().map_err(|error| (path, error))?,
        InputFile::Memory { name, bytes } => {
            let Some(folder) = folder else {
                let reason = "a browser that was attached to keeps no files of the test; give a file that is there";
                return Err((name.into(), std::io::Error::other(reason)));
            };
            std::fs::create_dir_all(folder).map_err(|error| (folder.to_owned(), error))?;
            let path = folder.join(Path::new(&name).file_name().unwrap_or("file".as_ref()));
            std::fs::write(&path, bytes).map_err(|error| (path.clone(), error))?;
            path
        }
    };
    Ok(path.display().to_string())
}
