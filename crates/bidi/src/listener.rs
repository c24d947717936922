//! Ways to hear events: a function called in order, or a queue.

use crate::error::{Error, Result};
use crate::event::Event;
use crate::state::{Signal, State};
use std::sync::{Arc, Weak};
use tokio::sync::mpsc;

/// Keeps a listener alive; dropping it stops the calls.
#[derive(Debug)]
#[must_use = "a listener that is dropped hears nothing"]
pub struct Listener {
    id: u64,
    state: Weak<State>,
}

impl Listener {
    /// Calls `handler` for every event, on the reading task and in socket order. It must be quick
    /// and must not add or drop listeners.
    pub(crate) fn add(state: &Arc<State>, mut handler: impl FnMut(&Event) + Send + 'static) -> Self {
        let id = state.listen(Box::new(move |signal| {
            if let Signal::Event(event) = signal {
                handler(event);
            }
        }));
        Self { id, state: Arc::downgrade(state) }
    }
}

impl Listener {
    /// Calls `ended` with the reason when the connection ends, at once when it has.
    pub(crate) fn add_end(state: &Arc<State>, ended: impl FnOnce(&str) + Send + 'static) -> Self {
        let mut ended = Some(ended);
        let id = state.listen(Box::new(move |signal| {
            if let Signal::Ended(reason) = signal
                && let Some(ended) = ended.take()
            {
                ended(reason);
            }
        }));
        Self { id, state: Arc::downgrade(state) }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let Some(state) = self.state.upgrade() {
            state.unlisten(self.id);
        }
    }
}

/// An unbounded queue of events in socket order. Nothing is ever dropped from it.
#[derive(Debug)]
pub struct EventStream {
    queue: mpsc::UnboundedReceiver<Result<Event, Arc<str>>>,
    _listener: Listener,
}

impl EventStream {
    pub(crate) fn add(state: &Arc<State>, methods: &[&str]) -> Self {
        let methods: Vec<String> = methods.iter().map(|&method| method.to_owned()).collect();
        let (sender, queue) = mpsc::unbounded_channel();
        let id = state.listen(Box::new(move |signal| {
            // The receiver may be gone already; its listener is then about to be removed.
            let _ = match signal {
                Signal::Event(event) if methods.is_empty() || methods.contains(&event.method) => {
                    sender.send(Ok(event.clone()))
                }
                Signal::Event(_) => Ok(()),
                Signal::Ended(reason) => sender.send(Err(reason.clone())),
            };
        }));
        Self { queue, _listener: Listener { id, state: Arc::downgrade(state) } }
    }

    /// The next event.
    ///
    /// # Errors
    /// [`Error::Closed`] once the connection has ended and all events before that were taken.
    pub async fn next(&mut self) -> Result<Event> {
        let ended = |reason| Error::Closed { method: "waiting for an event".into(), reason };
        match self.queue.recv().await {
            Some(Ok(event)) => Ok(event),
            Some(Err(reason)) => Err(ended(reason)),
            None => Err(ended("it ended before".into())),
        }
    }

    /// An event that is already here, without waiting.
    pub fn try_next(&mut self) -> Option<Event> {
        self.queue.try_recv().ok()?.ok()
    }
}
