//! One log file open for appending. Blocking; the writer runs it off the async threads.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use session::{Event, Header, Packing, encode_events, encode_header};

use crate::StoreError;
use crate::frame::compress;
use crate::paths::STAGING;

/// Where appends go. The lock on the file is held as long as this lives.
#[derive(Debug)]
pub(crate) struct LogFile {
    id: String,
    root: PathBuf,
    path: PathBuf,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing is on disk yet; the header waits for the first batch.
    Unpublished(Header),
    Published {
        file: File,
        /// Bytes of whole frames: the file's length unless a write failed half-way.
        length: u64,
        /// A failed write could not be rolled back yet.
        torn: bool,
    },
}

impl LogFile {
    /// A log that comes to be with its first batch.
    pub(crate) fn unpublished(root: &Path, path: PathBuf, header: Header) -> Self {
        Self { id: header.id.clone(), root: root.to_owned(), path, state: State::Unpublished(header) }
    }

    /// An existing log, locked, to go on after `length` bytes of whole frames; what follows them is cut off.
    pub(crate) fn published(root: &Path, path: PathBuf, id: &str, file: File, length: u64) -> Result<Self, StoreError> {
        let found = file.metadata().map_err(StoreError::io("look at the log", &path))?.len();
        if found > length {
            file.set_len(length)
                .and_then(|()| file.sync_all())
                .map_err(StoreError::io("cut the unfinished end off the log", &path))?;
        }
        let state = State::Published { file, length, torn: false };
        Ok(Self { id: id.to_owned(), root: root.to_owned(), path, state })
    }

    /// Writes one batch as one frame and syncs it. On failure the file is as long as before.
    pub(crate) fn append(&mut self, events: &[Event]) -> Result<(), StoreError> {
        let lines = encode_events(events, Packing::Packed);
        let frame = compress(lines.as_bytes()).map_err(StoreError::io("compress a batch for", &self.path))?;
        match &mut self.state {
            State::Unpublished(header) => {
                let mut content = compress(encode_header(header).as_bytes())
                    .map_err(StoreError::io("compress the header for", &self.path))?;
                content.extend(frame);
                let file = publish(&self.root, &self.path, &header.id, &content)?;
                self.state = State::Published { file, length: content.len() as u64, torn: false };
            }
            State::Published { file, length, torn } => {
                ready(file, *length, torn, &self.id, &self.path)?;
                let written = write_at(file, *length, &frame);
                if written.is_err() {
                    // Should this fail as well, the next batch begins with it.
                    *torn = file.set_len(*length).and_then(|()| file.sync_all()).is_err();
                }
                written.map_err(StoreError::io("append to", &self.path))?;
                *length += frame.len() as u64;
            }
        }
        Ok(())
    }
}

/// Takes the lock that every writer of a log holds.
pub(crate) fn lock(file: &File, id: &str, path: &Path) -> Result<(), StoreError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => StoreError::InUse { id: id.to_owned() },
        TryLockError::Error(error) => StoreError::io("lock", path)(error),
    })
}

/// Makes sure that the file ends where the last batch ended.
fn ready(file: &File, length: u64, torn: &mut bool, id: &str, path: &Path) -> Result<(), StoreError> {
    if *torn {
        file.set_len(length).map_err(StoreError::io("roll back", path))?;
        *torn = false;
    }
    let found = file.metadata().map_err(StoreError::io("look at", path))?;
    let changed = |detail| Err(StoreError::Changed { id: id.to_owned(), path: path.to_owned(), detail });
    if found.nlink() == 0 {
        return changed("it was deleted".to_owned());
    }
    if found.len() != length {
        return changed(format!("{length} bytes expected, {} found", found.len()));
    }
    Ok(())
}

fn write_at(file: &mut File, at: u64, bytes: &[u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)?;
    file.sync_data()
}

/// Puts a new log in its place in one step, without overwriting.
fn publish(root: &Path, path: &Path, id: &str, content: &[u8]) -> Result<File, StoreError> {
    let staging = root.join(STAGING);
    create_folder(&staging)?;
    let mut staged = tempfile::NamedTempFile::new_in(&staging).map_err(StoreError::io("create a file in", &staging))?;
    // Locked before it has a name: nobody resumes it in between, and the sweep of left-overs passes it by.
    lock(staged.as_file(), id, staged.path())?;
    staged
        .write_all(content)
        .and_then(|()| staged.as_file().sync_all())
        .map_err(StoreError::io("write", staged.path()))?;
    let folder = path.parent().expect("a log lies in its session's folder");
    create_folder(folder)?;
    let file = staged.persist_noclobber(path).map_err(|failed| match failed.error.kind() {
        io::ErrorKind::AlreadyExists => StoreError::Exists { id: id.to_owned(), path: path.to_owned() },
        _ => StoreError::io("publish", path)(failed.error),
    })?;
    let mut folders = folder.ancestors().take_while(|folder| folder.starts_with(root));
    if let Err(error) = folders.try_for_each(sync_folder) {
        // Not durable, so not published: the next batch tries the whole step again.
        std::fs::remove_file(path).map_err(StoreError::io("take back", path))?;
        return Err(error);
    }
    Ok(file)
}

/// Removes what a crash left in the staging folder. A file that is still being written is locked and stays.
pub(crate) fn sweep_staging(root: &Path) -> Result<(), StoreError> {
    let staging = root.join(STAGING);
    let entries = match std::fs::read_dir(&staging) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::io("list", &staging)(error)),
    };
    for entry in entries {
        let path = entry.map_err(StoreError::io("list", &staging))?.path();
        let Ok(file) = File::open(&path) else { continue };
        if file.try_lock().is_ok() {
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::io("remove the left-over", &path)(error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Creates a folder and those above it, readable by the owner only.
pub(crate) fn create_folder(folder: &Path) -> Result<(), StoreError> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(StoreError::io("create the folder", folder))
}

/// Makes the names in a folder durable.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(StoreError::io("sync the folder", folder))
}
