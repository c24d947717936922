use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use session::{Event, EventProblem, Header, LogCheck, Payload, Summary};

use crate::load::{Loaded, StoredLog};
use crate::log_file::{LogFile, lock, sweep_staging};
use crate::paths::{LOG_NAME, cwd_folder, escape_id, is_cwd_folder, unescape_id};
use crate::{LogWriter, StoreError};

/// The current time, in milliseconds since the Unix epoch. Injected, so that tests own it.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// The sessions under one root. Clones share it. Safe to open on one root from several processes.
#[derive(Clone)]
pub struct LogStore {
    inner: Arc<Inner>,
}

struct Inner {
    root: PathBuf,
    clock: Clock,
    /// Ids with a writer here. The file lock guards against other processes, and cannot before there is a file.
    writing: Mutex<HashSet<String>>,
}

/// One row of [`LogStore::list`].
#[derive(Clone, Debug)]
pub struct StoredSummary {
    /// The header. Of a damaged log only the id is true.
    pub header: Header,
    /// The title.
    pub title: Option<String>,
    /// Time of the last prompt, milliseconds since the Unix epoch.
    pub last_prompt_at: Option<i64>,
    /// No turn has started.
    pub blank: bool,
    /// Events in the log.
    pub event_count: usize,
    /// Why the log cannot be read; the other fields then say nothing.
    pub damage: Option<StoreError>,
}

/// The right to write a session; given back when dropped.
#[derive(Debug)]
pub(crate) struct Claim {
    inner: Arc<Inner>,
    id: String,
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.inner.writing.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogStore").field("root", &self.root).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for LogStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.fmt(f)
    }
}

impl LogStore {
    /// The store under `root`. Creates nothing; removes what a crash left of logs that were never published.
    pub fn open(root: PathBuf, clock: Clock) -> Result<Self, StoreError> {
        sweep_staging(&root)?;
        Ok(Self { inner: Arc::new(Inner { root, clock, writing: Mutex::default() }) })
    }

    /// Every stored session, in the order of their ids. A log that cannot be read is a row with its damage.
    pub async fn list(&self) -> Result<Vec<StoredSummary>, StoreError> {
        self.blocking(|inner| {
            let mut rows = Vec::new();
            for folder in inner.cwd_folders()? {
                for entry in entries(&folder)? {
                    let path = entry.join(LOG_NAME);
                    let id = entry.file_name().and_then(|name| name.to_str()).and_then(unescape_id);
                    if let (Some(id), true) = (id, path.is_file()) {
                        rows.push(summary(&id, &path));
                    }
                }
            }
            rows.sort_by(|a, b| a.header.id.cmp(&b.header.id));
            Ok(rows)
        })
        .await
    }

    /// Reads a session without changing it: what a crash left open is closed in memory only.
    pub async fn read(&self, id: &str) -> Result<StoredLog, StoreError> {
        let id = id.to_owned();
        self.blocking(move |inner| {
            let path = inner.find_existing(&id)?;
            let mut file = File::open(&path).map_err(StoreError::io("open", &path))?;
            Ok(load(&mut file, &id, &path)?.balanced())
        })
        .await
    }

    /// A writer for a new session. Nothing is on disk until its first batch; without one nothing ever is.
    ///
    /// # Errors
    /// [`StoreError::Exists`], [`StoreError::InUse`] (a writer of that id is open), [`StoreError::BadId`].
    pub async fn create(&self, header: Header) -> Result<LogWriter, StoreError> {
        let (claim, file) = self
            .blocking(move |inner| {
                let escaped = escape_id(&header.id)?;
                let claim = inner.claim(&header.id)?;
                if let Some(path) = inner.find(&header.id)? {
                    return Err(StoreError::Exists { id: header.id, path });
                }
                let path = cwd_folder(&inner.root, header.cwd.as_deref()).join(escaped).join(LOG_NAME);
                Ok((claim, LogFile::unpublished(&inner.root, path, header)))
            })
            .await?;
        Ok(LogWriter::start(claim.id.clone(), file, LogCheck::default(), claim))
    }

    /// Reads a session and goes on writing it. What a crash left is repaired on disk first: the unfinished last frame
    /// is cut off, what could be read of it and the closing of the open turn are written. A log that is resumed for
    /// the first time gets one `session/end-seed` marker.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::InUse`], and [`StoreError::Damaged`] for damage that no crash explains.
    pub async fn resume(&self, id: &str) -> Result<(StoredLog, LogWriter), StoreError> {
        let id = id.to_owned();
        let (claim, log, check, file) = self
            .blocking(move |inner| {
                let path = inner.find_existing(&id)?;
                let claim = inner.claim(&id)?;
                let mut file = OpenOptions::new()
                    .read(true)
                    .write(true)
                    .open(&path)
                    .map_err(StoreError::io("open for writing", &path))?;
                lock(&file, &id, &path)?;
                let loaded = load(&mut file, &id, &path)?;
                let (whole_bytes, whole_events) = (loaded.whole_bytes, loaded.whole_events);
                let mut log = loaded.balanced();
                if !log.events.iter().any(|event| event.kind == "session/end-seed") {
                    let marker = Payload::EndSeed.into_draft().at(log.events.len() as u64, (inner.clock)());
                    log.events.push(marker);
                }
                // Before anything is written: repair must not make a log that the next start refuses.
                let check = admit_all(&log.events).map_err(|problem| StoreError::Refused { id, problem })?;
                let mut file = LogFile::published(&inner.root, path, &claim.id, file, whole_bytes)?;
                if log.events.len() > whole_events {
                    file.append(&log.events[whole_events..])?;
                }
                Ok((claim, log, check, file))
            })
            .await?;
        Ok((log, LogWriter::start(claim.id.clone(), file, check, claim)))
    }

    /// Stores a whole recorded session, as if it had been run here.
    ///
    /// # Errors
    /// [`StoreError::Seed`] unless the events are a log that ends in `turn/end`; else as [`create`](Self::create).
    pub async fn seed(&self, header: Header, events: Vec<Event>) -> Result<(), StoreError> {
        let refuse = |reason: String| Err(StoreError::Seed { id: header.id.clone(), reason });
        match events.last() {
            None => return refuse("it has no events; seed a recorded history".to_owned()),
            Some(last) if last.kind != "turn/end" => {
                let (kind, seq) = (&last.kind, last.seq);
                return refuse(format!(
                    "its last event, {seq}, is {kind}, not turn/end; cut the recording at the end of a turn"
                ));
            }
            Some(_) => {}
        }
        if let Err(problem) = admit_all(&events) {
            return refuse(problem.to_string());
        }
        let writer = self.create(header).await?;
        writer.append(events)?;
        writer.close().await
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<Inner>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = self.inner.clone();
        match tokio::task::spawn_blocking(move || work(&inner)).await {
            Ok(done) => done,
            Err(stopped) if stopped.is_panic() => std::panic::resume_unwind(stopped.into_panic()),
            Err(stopped) => Err(StoreError::io("finish reading", &self.inner.root)(io::Error::other(stopped))),
        }
    }
}

impl Inner {
    fn claim(self: &Arc<Self>, id: &str) -> Result<Claim, StoreError> {
        let free = self.writing.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned());
        if !free {
            return Err(StoreError::InUse { id: id.to_owned() });
        }
        Ok(Claim { inner: self.clone(), id: id.to_owned() })
    }

    fn cwd_folders(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut folders = entries(&self.root)?;
        folders.retain(|folder| folder.file_name().and_then(|name| name.to_str()).is_some_and(is_cwd_folder));
        Ok(folders)
    }

    /// The log of an id, in whichever working directory's folder it lies.
    fn find(&self, id: &str) -> Result<Option<PathBuf>, StoreError> {
        let escaped = escape_id(id)?;
        let mut found = self.cwd_folders()?.into_iter().map(|folder| folder.join(&escaped).join(LOG_NAME));
        let mut found = found.by_ref().filter(|path| path.is_file());
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => Err(StoreError::Ambiguous { id: id.to_owned(), first, second }),
            (first, _) => Ok(first),
        }
    }

    fn find_existing(&self, id: &str) -> Result<PathBuf, StoreError> {
        self.find(id)?.ok_or_else(|| StoreError::NotFound { id: id.to_owned(), root: self.root.clone() })
    }
}

fn admit_all(events: &[Event]) -> Result<LogCheck, EventProblem> {
    let mut check = LogCheck::default();
    events.iter().try_for_each(|event| check.admit(event))?;
    Ok(check)
}

fn summary(id: &str, path: &Path) -> StoredSummary {
    match File::open(path).map_err(StoreError::io("open", path)).and_then(|mut file| load(&mut file, id, path)) {
        Ok(loaded) => {
            let Summary { title, last_prompt_at, blank, .. } = Summary::of(&loaded.events);
            let event_count = loaded.events.len();
            StoredSummary { header: loaded.header, title, last_prompt_at, blank, event_count, damage: None }
        }
        Err(damage) => StoredSummary {
            header: Header::new(id, 0, None),
            title: None,
            last_prompt_at: None,
            blank: false,
            event_count: 0,
            damage: Some(damage),
        },
    }
}

fn load(file: &mut File, id: &str, path: &Path) -> Result<Loaded, StoreError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(StoreError::io("read", path))?;
    let loaded = Loaded::from_bytes(path, &bytes)?;
    if loaded.header.id != id {
        let (path, id, found) = (path.to_owned(), id.to_owned(), loaded.header.id);
        return Err(StoreError::WrongId { path, id, found });
    }
    Ok(loaded)
}

/// What lies in a folder, in order; nothing when it does not exist.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listed = match std::fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        // A file among the folders is nobody's session.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::io("list", folder)(error)),
    };
    let mut paths: Vec<PathBuf> = listed
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()
        .map_err(StoreError::io("list", folder))?;
    paths.sort();
    Ok(paths)
}
