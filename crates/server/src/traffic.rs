use std::sync::{Arc, Mutex};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Most streams open at a time; a page has two.
pub const MAX_STREAMS: usize = 64;

/// What is going on behind one router: its open streams and its running calls, and the way to end them.
#[derive(Clone)]
pub struct Traffic {
    slots: Arc<Semaphore>,
    end: CancellationToken,
    cut: Arc<Mutex<CancellationToken>>,
    calls: TaskTracker,
}

/// The place of one stream among the open ones, kept for as long as it is open.
pub(crate) struct Slot {
    _permit: OwnedSemaphorePermit,
    pub(crate) end: CancellationToken,
    pub(crate) cut: CancellationToken,
}

impl Default for Traffic {
    fn default() -> Self {
        Self::new()
    }
}

impl Traffic {
    /// No traffic yet.
    pub fn new() -> Self {
        Self {
            slots: Arc::new(Semaphore::new(MAX_STREAMS)),
            end: CancellationToken::new(),
            cut: Arc::default(),
            calls: TaskTracker::new(),
        }
    }

    /// How many streams are open.
    pub fn open_streams(&self) -> usize {
        MAX_STREAMS - self.slots.available_permits()
    }

    /// Breaks off every open stream in the middle, as a failing network would. Later ones are not affected.
    pub fn cut_streams(&self) {
        let mut cut = self.cut.lock().expect("no holder panics");
        std::mem::take(&mut *cut).cancel();
    }

    /// Ends every stream in order, the open ones and all that are still to come.
    pub fn end_streams(&self) {
        self.end.cancel();
    }

    /// A place for one more stream, unless all are taken.
    pub(crate) fn open(&self) -> Option<Slot> {
        let permit = Arc::clone(&self.slots).try_acquire_owned().ok()?;
        let cut = self.cut.lock().expect("no holder panics").clone();
        Some(Slot { _permit: permit, end: self.end.clone(), cut })
    }

    pub(crate) fn calls(&self) -> &TaskTracker {
        &self.calls
    }
}
