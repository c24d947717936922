use std::io;

use anyhow::anyhow;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals the program answers to, from the moment this exists.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    another: Signal,
}

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// SIGINT, SIGTERM.
    Stop,
    /// SIGUSR1.
    AnotherAddress,
}

impl Signals {
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let listen = || -> io::Result<Self> {
            Ok(Self {
                interrupt: signal(SignalKind::interrupt())?,
                terminate: signal(SignalKind::terminate())?,
                another: signal(SignalKind::user_defined1())?,
            })
        };
        listen().map_err(|error| anyhow!("cannot listen for signals: {error}"))
    }

    pub(crate) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::Stop,
            _ = self.terminate.recv() => Asked::Stop,
            _ = self.another.recv() => Asked::AnotherAddress,
        }
    }
}
