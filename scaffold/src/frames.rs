//! A tap on both event streams: what the host sent, kept for the report of a failure.

use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use wire::{Api, ServerRequest};

/// Frames in the order the host sent them, per stream.
#[derive(Clone, Default)]
pub(crate) struct FrameTap {
    lines: Arc<Mutex<Vec<String>>>,
}

impl FrameTap {
    /// Follows both streams of the host until they end with it.
    pub(crate) fn follow(api: &dyn Api) -> Self {
        let tap = Self::default();
        let (mux, host) = (api.mux(), api.host_events());
        let (for_mux, for_host) = (tap.clone(), tap.clone());
        tokio::spawn(async move {
            mux.for_each(|frame| for_mux.keep("mux", frame.into_envelope())).await;
        });
        tokio::spawn(async move {
            host.for_each(|frame| for_host.keep("host", frame.into_envelope())).await;
        });
        tap
    }

    fn keep(&self, stream: &str, frame: ServerRequest) -> std::future::Ready<()> {
        let line = serde_json::json!({"stream": stream, "method": frame.method, "payload": frame.payload}).to_string();
        self.lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(line);
        std::future::ready(())
    }

    /// One JSON object a line.
    pub(crate) fn text(&self) -> String {
        self.lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner).join("\n")
    }
}
