use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use session::{Event, EventDraft, Header};
use store::{Clock, LogWriter, StoreError, StoredLog};
use tokio::sync::mpsc;

/// New events of a [`SessionLog`] in order, from the moment of subscription. Ends with the log.
pub type EventReceiver = mpsc::UnboundedReceiver<Event>;

/// The log of one live session: in memory, on its way to the store, and to whoever subscribed.
///
/// The order is one for all: an event is in memory, handed to the writer and sent to every subscriber under one lock.
pub struct SessionLog {
    header: Header,
    clock: Clock,
    writer: LogWriter,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    events: Vec<Event>,
    subscribers: Vec<mpsc::UnboundedSender<Event>>,
    closed: bool,
    /// The writer did not take some events: what is on disk will never be this log.
    refused: Option<StoreError>,
}

impl SessionLog {
    /// The log of a new session.
    pub fn create(header: Header, writer: LogWriter, clock: Clock) -> Arc<Self> {
        Self::with(header, Vec::new(), writer, clock)
    }

    /// The log of a stored session that goes on.
    pub fn resume(stored: StoredLog, writer: LogWriter, clock: Clock) -> Arc<Self> {
        Self::with(stored.header, stored.events, writer, clock)
    }

    fn with(header: Header, events: Vec<Event>, writer: LogWriter, clock: Clock) -> Arc<Self> {
        let inner = Inner { events, ..Inner::default() };
        Arc::new(Self { header, clock, writer, inner: Mutex::new(inner) })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        // A panic can't leave the lists half changed: each change is one push.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who the session is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Session id.
    pub fn id(&self) -> &str {
        &self.header.id
    }

    /// Gives the drafts their places and time, hands them on, and returns them as they stand in the log.
    ///
    /// A write that fails is reported by the next [`SessionLog::flush`].
    pub fn append(&self, drafts: Vec<EventDraft>) -> Vec<Event> {
        let time = (self.clock)();
        let mut inner = self.inner();
        let mut seq = inner.events.len() as u64;
        let events: Vec<_> = drafts
            .into_iter()
            .map(|draft| {
                let event = draft.at(seq, time);
                seq += 1;
                event
            })
            .collect();
        inner.events.extend(events.iter().cloned());
        // A failed write is kept by the writer, which tries again; events it did not take are lost to it. Either way
        // the next flush says so, which is where callers can act on it.
        if let Err(error @ (StoreError::Refused { .. } | StoreError::Closed { .. })) =
            self.writer.append(events.clone())
        {
            inner.refused.get_or_insert(error);
        }
        inner.subscribers.retain(|subscriber| events.iter().all(|event| subscriber.send(event.clone()).is_ok()));
        events
    }

    /// Sequence number of the last event, -1 for an empty log.
    pub fn tail_seq(&self) -> i64 {
        self.inner().events.len() as i64 - 1
    }

    /// The tail, and every event after it.
    pub fn subscribe(&self) -> (i64, EventReceiver) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut inner = self.inner();
        if !inner.closed {
            inner.subscribers.push(sender);
        }
        (inner.events.len() as i64 - 1, receiver)
    }

    /// All events so far.
    pub fn events(&self) -> Vec<Event> {
        self.inner().events.clone()
    }

    /// Reads the events in place, without a copy. `read` must not call back into this log.
    pub fn read<T>(&self, read: impl FnOnce(&[Event]) -> T) -> T {
        read(&self.inner().events)
    }

    /// The last `count` events, one line each, for messages.
    pub fn last_lines(&self, count: usize) -> Vec<String> {
        let inner = self.inner();
        let start = inner.events.len().saturating_sub(count);
        inner.events[start..].iter().map(line).collect()
    }

    /// Waits until everything appended so far is on disk.
    pub async fn flush(&self) -> Result<(), StoreError> {
        if let Some(refused) = self.inner().refused.clone() {
            return Err(refused);
        }
        self.writer.flush().await
    }

    /// Ends every subscription, flushes and lets the store go. Nothing may be appended after it.
    pub async fn close(&self) -> Result<(), StoreError> {
        {
            let mut inner = self.inner();
            inner.closed = true;
            inner.subscribers.clear();
        }
        self.writer.close().await
    }
}

/// An event in one line of at most some 200 characters.
fn line(event: &Event) -> String {
    let data = event.data.to_string();
    let cut: String = data.chars().take(160).collect();
    let more = if cut.len() < data.len() { "…" } else { "" };
    format!("#{} {} {cut}{more}", event.seq, event.kind)
}
