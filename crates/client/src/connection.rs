//! The connection: generations of two streams and a handshake, one after the other, with growing waits between.

use std::future::pending;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use futures_channel::oneshot;
use futures_util::StreamExt;
use futures_util::future::{join, select, try_join};
use wire::{Empty, HOST_STREAM_PATH, HostDescribe, MUX_STREAM_PATH, SessionList, WorkspaceList};

use crate::core::Core;
use crate::frames::{self, Frame};
use crate::sse::{SseItem, SseParser};
use crate::{ConnectionState, Counters, backoff};

/// How long to wait for carriers that do not report that they are open.
const OPEN_CAP: Duration = Duration::from_secs(3);

/// Keeps a connection until the future is dropped.
pub(crate) async fn run(core: Rc<Core>) {
    let mut failed = 0;
    loop {
        core.begin_generation();
        let why = generation(&core).await;
        if core.state.borrow().connection == ConnectionState::Connected {
            failed = 0;
        }
        failed += 1;
        core.meter.add(Counters { reconnects: 1, ..Counters::default() });
        core.disconnected(ConnectionState::Reconnecting { attempt: failed }, Some(why));
        core.platform.sleep(backoff::delay(failed, core.platform.random())).await;
    }
}

/// One generation; resolves when it is over, with the reason. Dropping its streams aborts both.
async fn generation(core: &Rc<Core>) -> String {
    let (mux_opened, mux_open) = oneshot::channel();
    let (host_opened, host_open) = oneshot::channel();
    let mux = pump(core, MUX_STREAM_PATH, mux_opened, Core::mux_frame);
    let host = pump(core, HOST_STREAM_PATH, host_opened, Core::host_frame);
    let handshake = async {
        // A stream that failed to open drops its sender, and its own future ends the generation.
        select(join(mux_open, host_open), core.platform.sleep(OPEN_CAP)).await;
        match handshake(core).await {
            Ok(()) => pending().await,
            Err(why) => why,
        }
    };
    let streams = async { select(pin!(mux), pin!(host)).await.factor_first().0 };
    select(pin!(streams), pin!(handshake)).await.factor_first().0
}

async fn handshake(core: &Rc<Core>) -> Result<(), String> {
    let host = core.call::<HostDescribe>(Empty {}).await.map_err(|error| error.to_string())?;
    let lists = try_join(core.call::<SessionList>(Empty {}), core.call::<WorkspaceList>(Empty {}));
    let (sessions, workspaces) = lists.await.map_err(|error| error.to_string())?;
    core.connected(host, sessions.items, workspaces.items);
    Ok(())
}

/// Reads one stream until it ends; why it ended. A frame that can't be read is counted and the next one is read.
async fn pump<F: Frame>(
    core: &Rc<Core>,
    path: &'static str,
    opened: oneshot::Sender<()>,
    take: impl Fn(&Rc<Core>, F) -> Result<(), String>,
) -> String {
    let mut stream = match core.platform.open_stream(path).await {
        Ok(stream) => stream,
        Err(error) => return format!("{path} did not open: {error}"),
    };
    opened.send(()).ok();
    let mut parser = SseParser::default();
    while let Some(bytes) = stream.next().await {
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => return format!("{path} broke: {error}"),
        };
        for item in parser.push(&bytes) {
            if core.is_stopped() {
                return format!("{path}: the client was stopped");
            }
            let frame = match item {
                SseItem::Data(text) => frames::read::<F>(&text),
                SseItem::NotUtf8 => Err("a frame is not UTF-8".to_owned()),
            };
            match frame {
                Ok(frame) => {
                    if let Err(why) = take(core, frame) {
                        return why;
                    }
                }
                Err(why) => core.malformed(format!("{path}: {why}")),
            }
        }
    }
    format!("{path} ended")
}

#[cfg(test)]
mod tests;
