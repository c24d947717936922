use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use session::{Event, LogCheck};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

use crate::StoreError;
use crate::log_file::LogFile;
use crate::log_store::Claim;

/// How long the first event of a batch waits for more before the batch is written.
pub const BATCH_WINDOW: Duration = Duration::from_millis(200);

/// How long a flush or close waits for the disk.
pub const FLUSH_DEADLINE: Duration = Duration::from_secs(30);

/// The one writer of a session's log. Dropping it writes what is pending in the background; [`close`](Self::close)
/// waits for that and reports.
///
/// After a failed write the file is as long as before and the events stay pending: `append` keeps taking events but
/// returns the failure, the next `flush` returns it too, and the flush after that tries to write everything again.
#[derive(Debug)]
pub struct LogWriter {
    id: String,
    commands: mpsc::UnboundedSender<Command>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
enum Command {
    Append(Vec<Event>),
    Flush(oneshot::Sender<Result<(), StoreError>>),
    Close(oneshot::Sender<Result<(), StoreError>>),
}

#[derive(Debug)]
struct State {
    check: LogCheck,
    /// The last write failed; cleared by one that succeeds.
    failure: Option<StoreError>,
    /// No flush has returned it yet.
    unreported: bool,
}

impl LogWriter {
    /// Starts the writer's task on the current runtime. `check` has admitted what the log holds.
    pub(crate) fn start(id: String, file: LogFile, check: LogCheck, claim: Claim) -> Self {
        let (commands, receiver) = mpsc::unbounded_channel();
        let state = Arc::new(Mutex::new(State { check, failure: None, unreported: false }));
        let task =
            Task { commands: receiver, state: state.clone(), file, pending: Vec::new(), due: None, _claim: claim };
        tokio::spawn(task.run());
        Self { id, commands, state }
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Takes events that follow the log's last one; they are on disk after the batch window or the next flush.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: an event that cannot follow; none of `events` is taken. [`StoreError::Closed`]: likewise.
    /// Any other error is that of an earlier write: `events` are taken, but the log on disk is behind.
    pub fn append(&self, events: Vec<Event>) -> Result<(), StoreError> {
        let mut state = lock(&self.state);
        let mut check = state.check;
        for event in &events {
            check.admit(event).map_err(|problem| StoreError::Refused { id: self.id.clone(), problem })?;
        }
        // Sent under the lock, so that two callers cannot swap their events.
        self.commands.send(Command::Append(events)).map_err(|_| self.closed())?;
        state.check = check;
        state.failure.clone().map_or(Ok(()), Err)
    }

    /// Writes what is pending and waits until it is durable, at most [`FLUSH_DEADLINE`].
    pub async fn flush(&self) -> Result<(), StoreError> {
        self.call(Command::Flush).await
    }

    /// Writes what is pending, reports how that went, and gives the session free for another writer.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.call(Command::Close).await
    }

    async fn call(&self, command: fn(oneshot::Sender<Result<(), StoreError>>) -> Command) -> Result<(), StoreError> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).map_err(|_| self.closed())?;
        match timeout(FLUSH_DEADLINE, answer).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(self.closed())),
            Err(_) => Err(StoreError::Stuck { id: self.id.clone(), waited: FLUSH_DEADLINE }),
        }
    }

    fn closed(&self) -> StoreError {
        StoreError::Closed { id: self.id.clone() }
    }
}

struct Task {
    commands: mpsc::UnboundedReceiver<Command>,
    state: Arc<Mutex<State>>,
    file: LogFile,
    pending: Vec<Event>,
    due: Option<Instant>,
    _claim: Claim,
}

impl Task {
    async fn run(mut self) {
        loop {
            let window = async {
                match self.due {
                    Some(due) => sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            // The window comes first: a stream of appends must not put the write off.
            let command = tokio::select! {
                biased;
                () = window => None,
                command = self.commands.recv() => Some(command),
            };
            match command {
                None => match self.write().await {
                    Some((task, _)) => self = task,
                    None => return,
                },
                Some(Some(Command::Append(events))) => {
                    if !events.is_empty() {
                        self.pending.extend(events);
                        self.due.get_or_insert_with(|| Instant::now() + BATCH_WINDOW);
                    }
                }
                Some(Some(Command::Flush(reply))) => {
                    if let Some(failure) = self.unreported_failure() {
                        // A caller that went away has no use for the answer.
                        let _ = reply.send(Err(failure));
                        continue;
                    }
                    let Some((task, written)) = self.write().await else { return };
                    self = task;
                    lock(&self.state).unreported = false;
                    let _ = reply.send(written);
                }
                Some(Some(Command::Close(reply))) => {
                    let Some((task, written)) = self.write().await else { return };
                    drop(task);
                    let _ = reply.send(written);
                    return;
                }
                Some(None) => {
                    self.write().await;
                    return;
                }
            }
        }
    }

    fn unreported_failure(&mut self) -> Option<StoreError> {
        let mut state = lock(&self.state);
        if std::mem::replace(&mut state.unreported, false) { state.failure.clone() } else { None }
    }

    /// Writes the pending events off the async threads. `None` when the runtime shuts down.
    async fn write(mut self) -> Option<(Self, Result<(), StoreError>)> {
        self.due = None;
        if self.pending.is_empty() {
            return Some((self, Ok(())));
        }
        tokio::task::spawn_blocking(move || {
            let written = self.file.append(&self.pending);
            if written.is_ok() {
                self.pending.clear();
            }
            let mut state = lock(&self.state);
            state.failure = written.clone().err();
            state.unreported = written.is_err();
            drop(state);
            (self, written)
        })
        .await
        .ok()
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_disk_that_does_not_answer_ends_the_wait_and_says_so() {
        // The commands are taken by nobody.
        let (commands, _receiver) = mpsc::unbounded_channel();
        let state = State { check: LogCheck::default(), failure: None, unreported: false };
        let writer = LogWriter { id: "5f0c".to_owned(), commands, state: Arc::new(Mutex::new(state)) };
        let start = Instant::now();
        let error = writer.flush().await.unwrap_err();
        assert!(start.elapsed() >= FLUSH_DEADLINE && start.elapsed() < FLUSH_DEADLINE * 2);
        assert_eq!(
            error.to_string(),
            "session \"5f0c\" is not on disk after 30s: the write of its last batch has not returned; check the disk"
        );
    }
}
