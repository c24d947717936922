//! One websocket, shared by all its handles.

use crate::command::Command;
use crate::error::{Error, Result, excerpt};
use crate::event::Event;
use crate::listener::{EventStream, Listener};
use crate::state::{Registered, State};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio_tungstenite::tungstenite::protocol::{Message, WebSocketConfig};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

/// What the writing task is given.
enum Outgoing {
    Command { id: u64, text: String },
    Close,
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A BiDi connection. Cheap to clone; the socket closes when the last handle is gone.
#[derive(Clone)]
pub struct Connection {
    inner: Arc<Inner>,
}

struct Inner {
    state: Arc<State>,
    outgoing: mpsc::UnboundedSender<Outgoing>,
    deadline: Duration,
    tasks: [AbortHandle; 2],
}

impl Drop for Inner {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection").field("ended", &self.ended()).finish_non_exhaustive()
    }
}

impl Connection {
    /// Opens the websocket at `url`. `deadline` bounds the opening and is each command's default.
    ///
    /// # Errors
    /// [`Error::Connect`].
    pub async fn connect(url: &str, deadline: Duration) -> Result<Self> {
        let failed = |reason: String| Error::Connect { url: url.to_owned(), reason };
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        // Nagle would hold back small commands behind unacknowledged ones.
        let opening = connect_async_with_config(url, Some(config), true);
        let (socket, _) = tokio::time::timeout(deadline, opening)
            .await
            .map_err(|_| failed(format!("no answer within {deadline:?}")))?
            .map_err(|error| failed(error.to_string()))?;

        let (sink, stream) = socket.split();
        let state = Arc::new(State::default());
        let (outgoing, queue) = mpsc::unbounded_channel();
        let end = EndOnDrop(state.clone());
        let tasks = [
            tokio::spawn(async move { read(stream, &end).await }).abort_handle(),
            tokio::spawn(write(sink, queue, state.clone())).abort_handle(),
        ];
        Ok(Self { inner: Arc::new(Inner { state, outgoing, deadline, tasks }) })
    }

    /// Sends a typed command and waits for its result within the default deadline.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Deadline`], [`Error::Closed`], [`Error::Shape`].
    pub async fn call<C: Command>(&self, command: &C) -> Result<C::Output> {
        self.call_within(command, self.inner.deadline).await
    }

    /// [`call`](Self::call) with a deadline of its own.
    ///
    /// # Errors
    /// As for [`call`](Self::call).
    pub async fn call_within<C: Command>(&self, command: &C, deadline: Duration) -> Result<C::Output> {
        let shape = |reason: serde_json::Error, excerpt| Error::Shape {
            method: C::METHOD.to_owned(),
            reason: reason.to_string(),
            excerpt,
        };
        let params = serde_json::to_value(command).map_err(|e| shape(e, "the command itself".into()))?;
        let result = self.send_within(C::METHOD, params, deadline).await?;
        C::Output::deserialize(&result).map_err(|e| shape(e, excerpt(&result.to_string())))
    }

    /// Sends any command as JSON within the default deadline. `params` must be an object.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Deadline`], [`Error::Closed`].
    pub async fn send(&self, method: &str, params: Value) -> Result<Value> {
        self.send_within(method, params, self.inner.deadline).await
    }

    /// [`send`](Self::send) with a deadline of its own.
    ///
    /// # Errors
    /// As for [`send`](Self::send).
    pub async fn send_within(&self, method: &str, params: Value, deadline: Duration) -> Result<Value> {
        let state = &self.inner.state;
        let Registered { id, reply } = state.register(method)?;
        // Also when the caller's future is dropped, so that nothing stays in the table.
        let _abandon = Abandon { state, id };
        let text = json!({ "id": id, "method": method, "params": params }).to_string();
        // A failure here means that the writer is gone; the reply then says why.
        let _ = self.inner.outgoing.send(Outgoing::Command { id, text });
        match tokio::time::timeout(deadline, reply).await {
            Ok(Ok(outcome)) => outcome?.map_err(|error| Error::Refused {
                method: method.to_owned(),
                code: error.code,
                message: error.message,
            }),
            Ok(Err(_)) => Err(Error::Closed { method: method.to_owned(), reason: "its tasks were stopped".into() }),
            Err(_) => Err(Error::Deadline {
                method: method.to_owned(),
                deadline,
                stuck: state.stuck(id),
                orphan: state
                    .take_orphan()
                    .map(|e| format!(" (the remote end complained about some command: {}: {})", e.code, e.message))
                    .unwrap_or_default(),
            }),
        }
    }

    /// Calls `handler` for every event, in socket order, on the reading task: when a command's
    /// reply is returned, the handler has seen every event sent before it. The handler must be
    /// quick and must not add or drop listeners. Which events come is decided by
    /// [`Subscribe`](crate::command::session::Subscribe).
    pub fn listen(&self, handler: impl FnMut(&Event) + Send + 'static) -> Listener {
        Listener::add(&self.inner.state, handler)
    }

    /// Calls `ended` with the reason when the connection ends, after all events before that; at once when it has.
    pub fn on_end(&self, ended: impl FnOnce(&str) + Send + 'static) -> Listener {
        Listener::add_end(&self.inner.state, ended)
    }

    /// A queue of the events named (all, when `methods` is empty) from now on.
    pub fn events(&self, methods: &[&str]) -> EventStream {
        EventStream::add(&self.inner.state, methods)
    }

    /// Why the connection ended, or `None` while it lives.
    pub fn ended(&self) -> Option<Arc<str>> {
        self.inner.state.ended()
    }

    /// Ends the connection: pending commands fail with `reason`, later ones are refused with it.
    pub fn end(&self, reason: &str) {
        self.inner.state.end(reason);
        let _ = self.inner.outgoing.send(Outgoing::Close);
    }
}

struct Abandon<'a> {
    state: &'a State,
    id: u64,
}

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        self.state.forget(self.id);
    }
}

/// Ends the connection also when the reading task is dropped, as happens with its whole runtime:
/// nobody would answer the commands then.
struct EndOnDrop(Arc<State>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end("the runtime it was opened on has stopped");
    }
}

async fn read(mut stream: SplitStream<Socket>, EndOnDrop(state): &EndOnDrop) {
    let reason = loop {
        match stream.next().await {
            Some(Ok(Message::Text(text))) => {
                if let Err(reason) = state.receive(&text) {
                    break reason;
                }
            }
            Some(Ok(Message::Close(Some(frame)))) => {
                break format!("the browser closed it: {} {}", frame.code, frame.reason).trim_end().to_owned();
            }
            Some(Ok(Message::Close(None))) | None => break "the browser closed it".to_owned(),
            // Pings are answered by the library; BiDi has no binary messages.
            Some(Ok(_)) => {}
            Some(Err(error)) => break format!("the socket broke: {error}"),
        }
    };
    state.end(&reason);
}

async fn write(mut sink: SplitSink<Socket, Message>, mut queue: mpsc::UnboundedReceiver<Outgoing>, state: Arc<State>) {
    while let Some(outgoing) = queue.recv().await {
        let (id, message) = match outgoing {
            Outgoing::Command { id, text } => (Some(id), Message::text(text)),
            Outgoing::Close => (None, Message::Close(None)),
        };
        if let Err(error) = sink.send(message).await {
            state.end(&format!("the socket broke: {error}"));
            return;
        }
        if let Some(id) = id {
            state.sent(id);
        }
    }
}
