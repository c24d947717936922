//! Publication: many marks, one flush. Structure goes out in a microtask, streamed text with the next frame.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::{Rc, Weak};

use crate::counters::Meter;
use crate::{Counters, Platform};

/// What changed. The new state is read from the client.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The connection's state, or the host's description.
    Connection,
    /// The list of sessions or of workspaces.
    Catalogue,
    /// The selected session.
    Selection,
    /// The view of an opened session.
    Session(String),
}

/// How soon a change goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// With the next animation frame.
    Frame,
    /// As soon as the running task is done.
    Microtask,
}

type Listener = Rc<dyn Fn(&Change)>;

/// Collects marks and tells the listeners.
pub(crate) struct Notifier {
    platform: Rc<dyn Platform>,
    meter: Rc<Meter>,
    listeners: RefCell<Vec<(u64, Listener)>>,
    next: Cell<u64>,
    dirty: RefCell<BTreeSet<Change>>,
    scheduled: Cell<Option<Urgency>>,
    flushes: Cell<u64>,
}

/// Ends the subscription when dropped.
#[must_use = "dropping it ends the subscription"]
pub struct Subscription {
    notifier: Weak<Notifier>,
    id: u64,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(notifier) = self.notifier.upgrade() {
            notifier.listeners.borrow_mut().retain(|(id, _)| *id != self.id);
        }
    }
}

impl Notifier {
    pub(crate) fn new(platform: Rc<dyn Platform>, meter: Rc<Meter>) -> Rc<Self> {
        Rc::new(Self {
            platform,
            meter,
            listeners: RefCell::default(),
            next: Cell::default(),
            dirty: RefCell::default(),
            scheduled: Cell::default(),
            flushes: Cell::default(),
        })
    }

    pub(crate) fn subscribe(self: &Rc<Self>, listener: Listener) -> Subscription {
        let id = self.next.replace(self.next.get() + 1);
        self.listeners.borrow_mut().push((id, listener));
        Subscription { notifier: Rc::downgrade(self), id }
    }

    /// Marks wait for their flush.
    pub(crate) fn is_pending(&self) -> bool {
        self.scheduled.get().is_some()
    }

    /// Marks a change. A microtask takes along what waits for the frame.
    pub(crate) fn mark(self: &Rc<Self>, change: Change, urgency: Urgency) {
        self.dirty.borrow_mut().insert(change);
        if self.scheduled.get() >= Some(urgency) {
            return;
        }
        self.scheduled.set(Some(urgency));
        let this = Rc::clone(self);
        let at = self.flushes.get();
        self.platform.spawn(Box::pin(async move {
            if urgency == Urgency::Frame {
                this.platform.frame().await;
            }
            if this.flushes.get() == at {
                this.flush();
            }
        }));
    }

    /// Tells every listener every change. Listeners may call the client, subscribe and unsubscribe; one that panics is
    /// counted and does not keep the others from being told.
    fn flush(&self) {
        self.flushes.set(self.flushes.get() + 1);
        self.scheduled.set(None);
        let changes = std::mem::take(&mut *self.dirty.borrow_mut());
        let listeners = self.listeners.borrow().clone();
        for change in &changes {
            for (id, listener) in &listeners {
                let subscribed = self.listeners.borrow().iter().any(|(known, _)| known == id);
                if subscribed && catch_unwind(AssertUnwindSafe(|| listener(change))).is_err() {
                    self.meter.add(Counters { sink_panics: 1, ..Counters::default() });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
