use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::log_file::{create_folder, sweep_staging, sync_folder};
use crate::paths::STAGING;
use crate::{Clock, StoreError};

const FILE_NAME: &str = "workspaces.json";
const LOCK_NAME: &str = "workspaces.lock";
const VERSION: u32 = 0;

/// A folder people work in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Workspace {
    /// Id, a UUID.
    pub id: String,
    /// Real path (no links in it), absolute.
    pub path: String,
    /// Name shown.
    pub title: String,
    /// Milliseconds since the Unix epoch.
    pub created_at: i64,
}

/// The registered workspaces: `<root>/workspaces.json`. The file is the truth, read on every call, so that several
/// processes agree. Clones share one registry. Blocking, but short: one small file.
#[derive(Clone)]
pub struct WorkspaceRegistry {
    root: Arc<PathBuf>,
    clock: Clock,
    adding: Arc<Mutex<()>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    workspaces: Vec<Workspace>,
}

impl std::fmt::Debug for WorkspaceRegistry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WorkspaceRegistry").field("root", &self.root).finish_non_exhaustive()
    }
}

impl WorkspaceRegistry {
    /// The registry under `root`. Creates nothing; refuses a file that it could not read later.
    pub fn open(root: PathBuf, clock: Clock) -> Result<Self, StoreError> {
        sweep_staging(&root)?;
        let registry = Self { root: Arc::new(root), clock, adding: Arc::default() };
        registry.list()?;
        Ok(registry)
    }

    /// The workspaces in the order they were added.
    pub fn list(&self) -> Result<Vec<Workspace>, StoreError> {
        let path = self.root.join(FILE_NAME);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let registry = |detail| StoreError::Registry { path: path.clone(), detail };
        let document: Document = serde_json::from_str(&text).map_err(|error| registry(error.to_string()))?;
        if document.version != VERSION {
            return Err(registry(format!("version {} of the list, this program reads {VERSION}", document.version)));
        }
        Ok(document.workspaces)
    }

    /// The workspace with this id.
    pub fn get(&self, id: &str) -> Result<Option<Workspace>, StoreError> {
        Ok(self.list()?.into_iter().find(|workspace| workspace.id == id))
    }

    /// Registers a folder, by its real path; a folder that is registered gives its workspace.
    ///
    /// # Errors
    /// [`StoreError::Workspace`] for what is no folder.
    pub fn add(&self, path: &Path) -> Result<Workspace, StoreError> {
        let refuse = |reason: String| StoreError::Workspace { path: path.to_owned(), reason };
        let real = std::fs::canonicalize(path)
            .map_err(|error| refuse(format!("{error}; create the folder or correct the path")))?;
        if !real.is_dir() {
            return Err(refuse("it is not a folder; name the folder to work in".to_owned()));
        }
        let real = real.to_str().ok_or_else(|| refuse("its path is not UTF-8; rename the folder".to_owned()))?;

        let _one_here = self.adding.lock().unwrap_or_else(PoisonError::into_inner);
        create_folder(&self.root)?;
        let _one_anywhere = self.lock()?;
        let mut workspaces = self.list()?;
        if let Some(known) = workspaces.iter().find(|workspace| workspace.path == real) {
            return Ok(known.clone());
        }
        let title = Path::new(real).file_name().and_then(|name| name.to_str()).unwrap_or(real).to_owned();
        let id = uuid::Uuid::new_v4().to_string();
        let workspace = Workspace { id, path: real.to_owned(), title, created_at: (self.clock)() };
        workspaces.push(workspace.clone());
        self.replace(&Document { version: VERSION, workspaces })?;
        Ok(workspace)
    }

    fn lock(&self) -> Result<File, StoreError> {
        let path = self.root.join(LOCK_NAME);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(&path)
            .map_err(StoreError::io("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(StoreError::RegistryBusy { path: self.root.join(FILE_NAME) }),
            Err(TryLockError::Error(error)) => Err(StoreError::io("lock", &path)(error)),
        }
    }

    /// Readers see the old list or the new one, never a part.
    fn replace(&self, document: &Document) -> Result<(), StoreError> {
        let path = self.root.join(FILE_NAME);
        let mut text = serde_json::to_string_pretty(document).expect("strings and numbers serialize");
        text.push('\n');
        let staging = self.root.join(STAGING);
        create_folder(&staging)?;
        let mut staged =
            tempfile::NamedTempFile::new_in(&staging).map_err(StoreError::io("create a file in", &staging))?;
        staged.as_file().lock().map_err(StoreError::io("lock", staged.path()))?;
        staged
            .write_all(text.as_bytes())
            .and_then(|()| staged.as_file().sync_all())
            .map_err(StoreError::io("write", staged.path()))?;
        staged.persist(&path).map_err(|failed| StoreError::io("replace", &path)(failed.error))?;
        sync_folder(&self.root)
    }
}
