use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use session::{EventProblem, LogError};

/// What can go wrong in the store. Cheap to clone, because a write failure is kept and reported again.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}; check that the folder exists, is writable and has space left", path.display())]
    Io {
        /// What was attempted, a verb with its object's kind.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's words.
        source: Arc<io::Error>,
    },
    /// An id that cannot name a session.
    #[error("{id:?} cannot be a session id: {reason}; use a UUID or another short name")]
    BadId {
        /// The id, cut to its beginning when it is long.
        id: String,
        /// Why not.
        reason: &'static str,
    },
    /// No log has this id.
    #[error("no session {id:?} is stored under {}; list the sessions to see which there are", root.display())]
    NotFound {
        /// The id asked for.
        id: String,
        /// Root of the store.
        root: PathBuf,
    },
    /// The id is taken.
    #[error("session {id:?} exists already ({}); resume it or use another id", path.display())]
    Exists {
        /// The id.
        id: String,
        /// Its log.
        path: PathBuf,
    },
    /// Somebody else writes this session.
    #[error("session {id:?} is open for writing elsewhere; close it there first (one writer a session)")]
    InUse {
        /// The id.
        id: String,
    },
    /// Two logs claim one id.
    #[error("session {id:?} is stored twice: {} and {}; move one of them away", first.display(), second.display())]
    Ambiguous {
        /// The id.
        id: String,
        /// One log.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
    /// The file holds another session than its folder says.
    #[error("{} holds session {found:?}, its folder is that of {id:?}; move the file to its own folder", path.display())]
    WrongId {
        /// The log.
        path: PathBuf,
        /// Id of the folder.
        id: String,
        /// Id in the header.
        found: String,
    },
    /// Bytes that are not what was written, at a place no crash explains.
    #[error(
        "{} is damaged at byte {offset}: {detail}; restore the file from a copy, or cut it to {offset} bytes to keep \
         the {events} events before the damage", path.display()
    )]
    Damaged {
        /// The log.
        path: PathBuf,
        /// Where the damaged frame begins.
        offset: u64,
        /// What does not fit.
        detail: String,
        /// Events readable before it.
        events: usize,
    },
    /// A log whose lines are refused.
    #[error("{}, {error}", path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// Line (of the decompressed text) and reason.
        error: LogError,
    },
    /// Events that a reader of the log would refuse.
    #[error("session {id:?} cannot take the event: {problem}")]
    Refused {
        /// The session.
        id: String,
        /// Why.
        problem: EventProblem,
    },
    /// A history that cannot be seeded.
    #[error("session {id:?} cannot be seeded: {reason}")]
    Seed {
        /// The session.
        id: String,
        /// Why, and what to do.
        reason: String,
    },
    /// The file is not as this writer left it.
    #[error(
        "{} was changed by another program while session {id:?} was open ({detail}); nothing was written, \
         close the session and resume it", path.display()
    )]
    Changed {
        /// The session.
        id: String,
        /// The log.
        path: PathBuf,
        /// Expected and found.
        detail: String,
    },
    /// The writer is closed.
    #[error("the writer of session {id:?} is closed; resume the session to write again")]
    Closed {
        /// The session.
        id: String,
    },
    /// The disk does not answer.
    #[error(
        "session {id:?} is not on disk after {waited:?}: the write of its last batch has not returned; check the disk"
    )]
    Stuck {
        /// The session.
        id: String,
        /// How long the caller waited.
        waited: Duration,
    },
    /// A folder that cannot be a workspace.
    #[error("{} cannot be a workspace: {reason}", path.display())]
    Workspace {
        /// The folder.
        path: PathBuf,
        /// Why, and what to do.
        reason: String,
    },
    /// The list of workspaces is not readable.
    #[error("{}: {detail}; correct the file or move it away to start with an empty list", path.display())]
    Registry {
        /// The file.
        path: PathBuf,
        /// The parser's words with line and column.
        detail: String,
    },
    /// Another process is changing the list of workspaces at this moment.
    #[error("{} is being changed by another program; do it again", path.display())]
    RegistryBusy {
        /// The file.
        path: PathBuf,
    },
}

impl StoreError {
    /// For `map_err`: an I/O error with what was attempted.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source: Arc::new(source) }
    }
}
