//! What the handles and the two socket tasks share: pending commands and listeners.

use crate::error::Error;
use crate::event::Event;
use crate::message::{Incoming, Outcome, RemoteError};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// A listener's function.
pub(crate) type Handler = Box<dyn FnMut(Signal<'_>) + Send>;

/// What a listener is told.
pub(crate) enum Signal<'a> {
    Event(&'a Event),
    Ended(&'a Arc<str>),
}

/// State behind a connection.
#[derive(Default)]
pub(crate) struct State {
    commands: Mutex<Commands>,
    // A lock of its own: a handler runs under it and may look at commands, never at listeners.
    listeners: Mutex<Listeners>,
}

#[derive(Default)]
struct Commands {
    last_id: u64,
    pending: HashMap<u64, Pending>,
    ended: Option<Arc<str>>,
    orphan: Option<RemoteError>,
    heard: Option<Instant>,
}

struct Pending {
    method: String,
    // Handed to the socket, not only to the queue before it.
    sent: bool,
    reply: oneshot::Sender<Result<Outcome, Error>>,
}

#[derive(Default)]
struct Listeners {
    last_id: u64,
    handlers: Vec<(u64, Handler)>,
    ended: Option<Arc<str>>,
}

/// A registered command: its id and where the reply will come.
pub(crate) struct Registered {
    pub(crate) id: u64,
    pub(crate) reply: oneshot::Receiver<Result<Outcome, Error>>,
}

impl State {
    /// Takes the next id for `method`, or refuses because the connection has ended.
    pub(crate) fn register(&self, method: &str) -> Result<Registered, Error> {
        let mut commands = lock(&self.commands);
        if let Some(reason) = &commands.ended {
            return Err(Error::Closed { method: method.to_owned(), reason: reason.clone() });
        }
        commands.last_id += 1;
        let id = commands.last_id;
        let (sender, reply) = oneshot::channel();
        commands.pending.insert(id, Pending { method: method.to_owned(), sent: false, reply: sender });
        Ok(Registered { id, reply })
    }

    /// Forgets a command nobody waits for any more; its late reply will be dropped.
    pub(crate) fn forget(&self, id: u64) {
        lock(&self.commands).pending.remove(&id);
    }

    /// The socket has taken the command.
    pub(crate) fn sent(&self, id: u64) {
        if let Some(pending) = lock(&self.commands).pending.get_mut(&id) {
            pending.sent = true;
        }
    }

    /// Where command `id` got stuck, as far as this side can tell: in this process, in a remote end
    /// that has gone silent, or in one that talks of other things.
    pub(crate) fn stuck(&self, id: u64) -> String {
        let commands = lock(&self.commands);
        if commands.pending.get(&id).is_some_and(|pending| !pending.sent) {
            return "it was not even sent: something blocks this process's runtime, or the remote end reads nothing"
                .to_owned();
        }
        let heard = match commands.heard {
            None => "nothing was ever heard from the browser".to_owned(),
            Some(when) => format!("the browser was last heard of {:.1?} ago", when.elapsed()),
        };
        format!("{heard}, {} other commands wait too", commands.pending.len().saturating_sub(1))
    }

    /// An error the remote end sent without naming the command. It belongs to one that will get no
    /// reply, so a command that runs into its deadline asks for it.
    pub(crate) fn take_orphan(&self) -> Option<RemoteError> {
        lock(&self.commands).orphan.take()
    }

    /// Handles one message from the socket. `Err` is the reason why the connection must end.
    pub(crate) fn receive(&self, text: &str) -> Result<(), String> {
        lock(&self.commands).heard = Some(Instant::now());
        match Incoming::parse(text)? {
            Incoming::Reply { id, outcome } => {
                // No entry: the reply came after the deadline, or the caller went away.
                if let Some(pending) = lock(&self.commands).pending.remove(&id) {
                    let _ = pending.reply.send(Ok(outcome));
                }
            }
            Incoming::OrphanError(error) => lock(&self.commands).orphan = Some(error),
            Incoming::Event(event) => self.signal(&Signal::Event(&event)),
            Incoming::Unknown => {}
        }
        Ok(())
    }

    /// Ends the connection: fails what is pending, refuses what comes, tells the listeners.
    /// The first reason stays.
    pub(crate) fn end(&self, reason: &str) {
        let reason: Arc<str> = reason.into();
        let pending = {
            let mut commands = lock(&self.commands);
            if commands.ended.is_some() {
                return;
            }
            commands.ended = Some(reason.clone());
            std::mem::take(&mut commands.pending)
        };
        for Pending { method, reply, .. } in pending.into_values() {
            let _ = reply.send(Err(Error::Closed { method, reason: reason.clone() }));
        }
        lock(&self.listeners).ended = Some(reason.clone());
        self.signal(&Signal::Ended(&reason));
    }

    /// Why the connection ended, when it has.
    pub(crate) fn ended(&self) -> Option<Arc<str>> {
        lock(&self.commands).ended.clone()
    }

    /// Adds a listener. One added after the end is told so at once.
    pub(crate) fn listen(&self, mut handler: Handler) -> u64 {
        let mut listeners = lock(&self.listeners);
        if let Some(reason) = &listeners.ended {
            handler(Signal::Ended(reason));
        }
        listeners.last_id += 1;
        let id = listeners.last_id;
        listeners.handlers.push((id, handler));
        id
    }

    pub(crate) fn unlisten(&self, id: u64) {
        lock(&self.listeners).handlers.retain(|(other, _)| *other != id);
    }

    fn signal(&self, signal: &Signal<'_>) {
        for (_, handler) in &mut lock(&self.listeners).handlers {
            handler(match signal {
                Signal::Event(event) => Signal::Event(event),
                Signal::Ended(reason) => Signal::Ended(reason),
            });
        }
    }
}

/// A handler that panicked must not take the whole connection with it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
