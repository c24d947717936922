//! One stream of frames to many readers, none of which can hold up another.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::stream::{BoxStream, StreamExt, unfold};
use tokio::sync::mpsc;
use wire::{HostFrame, MuxFrame};

/// Sends frames to every reader. Each has a queue of its own; one whose queue is full gets `stream/error` after what it
/// holds, and its stream ends.
pub(crate) struct Hub<F> {
    queue_frames: usize,
    inner: Mutex<Inner<F>>,
}

struct Inner<F> {
    readers: Vec<Reader<F>>,
    /// Last sequence number sent of each attached session, in the order of attachment.
    attached: Vec<(String, i64)>,
    index: BTreeMap<String, usize>,
    ended: bool,
}

struct Reader<F> {
    queue: mpsc::Sender<F>,
    overflowed: Arc<AtomicBool>,
}

/// A frame that can say that its stream is over.
pub(crate) trait Frame: Clone + Send + 'static {
    fn error(message: String) -> Self;
}

impl Frame for MuxFrame {
    fn error(message: String) -> Self {
        Self::Error { message }
    }
}

impl Frame for HostFrame {
    fn error(message: String) -> Self {
        Self::Error { message }
    }
}

impl<F: Frame> Hub<F> {
    pub(crate) fn new(queue_frames: usize) -> Self {
        let inner = Inner { readers: Vec::new(), attached: Vec::new(), index: BTreeMap::new(), ended: false };
        Self { queue_frames: queue_frames.max(1), inner: Mutex::new(inner) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner<F>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a frame to every reader.
    pub(crate) fn publish(&self, frame: &F) {
        send(&mut self.inner().readers, frame);
    }

    /// A new reader: what `baseline` gives, then everything published from now on.
    fn read_after(&self, baseline: impl FnOnce(&Inner<F>) -> Vec<F>) -> BoxStream<'static, F> {
        let overflowed = Arc::new(AtomicBool::new(false));
        let mut inner = self.inner();
        let baseline = baseline(&inner);
        let (queue, receiver) = mpsc::channel(self.queue_frames);
        if !inner.ended {
            inner.readers.push(Reader { queue, overflowed: Arc::clone(&overflowed) });
        }
        drop(inner);
        let limit = self.queue_frames;
        let live = unfold((receiver, overflowed), move |(mut receiver, overflowed)| async move {
            match receiver.recv().await {
                Some(frame) => Some((frame, (receiver, overflowed))),
                // Once only: swapped back so that the next turn ends the stream.
                None if overflowed.swap(false, Ordering::AcqRel) => {
                    let message =
                        format!("this reader was more than {limit} frames behind; connect again for a fresh start");
                    Some((F::error(message), (receiver, overflowed)))
                }
                None => None,
            }
        });
        futures_util::stream::iter(baseline).chain(live).boxed()
    }

    /// Ends every stream, after what its reader still has to read; later readers get their baseline only.
    pub(crate) fn end(&self) {
        let mut inner = self.inner();
        inner.ended = true;
        inner.readers.clear();
    }
}

impl Hub<HostFrame> {
    /// A new reader of what happens from now on.
    pub(crate) fn read(&self) -> BoxStream<'static, HostFrame> {
        self.read_after(|_| Vec::new())
    }
}

impl Hub<MuxFrame> {
    /// A new reader: `subscribed` for every attached session, then live.
    pub(crate) fn read(&self) -> BoxStream<'static, MuxFrame> {
        self.read_after(|inner| {
            let subscribed = |(session_id, last_seq): &(String, i64)| MuxFrame::Subscribed {
                session_id: session_id.clone(),
                last_seq: *last_seq,
            };
            inner.attached.iter().map(subscribed).collect()
        })
    }

    /// A session joins; every reader is told where its log stands.
    pub(crate) fn attach(&self, session_id: &str, last_seq: i64) {
        let mut inner = self.inner();
        let place = inner.attached.len();
        inner.index.insert(session_id.to_owned(), place);
        inner.attached.push((session_id.to_owned(), last_seq));
        send(&mut inner.readers, &MuxFrame::Subscribed { session_id: session_id.to_owned(), last_seq });
    }

    /// An event of an attached session.
    pub(crate) fn event(&self, session_id: &str, event: session::Event) {
        let mut inner = self.inner();
        if let Some(place) = inner.index.get(session_id).copied() {
            inner.attached[place].1 = event.seq as i64;
        }
        send(&mut inner.readers, &MuxFrame::Event { session_id: session_id.to_owned(), event });
    }
}

fn send<F: Clone>(readers: &mut Vec<Reader<F>>, frame: &F) {
    readers.retain(|reader| match reader.queue.try_send(frame.clone()) {
        Ok(()) => true,
        Err(mpsc::error::TrySendError::Full(_)) => {
            reader.overflowed.store(true, Ordering::Release);
            false
        }
        Err(mpsc::error::TrySendError::Closed(_)) => false,
    });
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn error(message: &str) -> HostFrame {
        HostFrame::Error { message: message.to_owned() }
    }

    #[tokio::test]
    async fn a_slow_reader_is_ended_with_an_error_and_holds_nobody_up() {
        let hub = Hub::<HostFrame>::new(2);
        let slow = hub.read();
        let mut quick = hub.read();
        for name in ["a", "b", "c", "d"] {
            hub.publish(&error(name));
            assert_eq!(quick.next().now_or_never().flatten(), Some(error(name)));
        }
        let seen: Vec<_> = slow.collect().await;
        let last = "this reader was more than 2 frames behind; connect again for a fresh start";
        assert_eq!(seen, [error("a"), error("b"), error(last)]);
    }

    #[tokio::test]
    async fn a_reader_starts_with_every_attached_session_and_misses_nothing_after() {
        let hub = Hub::<MuxFrame>::new(8);
        let mut early = hub.read();
        hub.attach("s1", -1);
        let event = session::Payload::EndSeed.into_draft().at(0, 1);
        hub.event("s1", event.clone());
        let subscribed = |last_seq| MuxFrame::Subscribed { session_id: "s1".to_owned(), last_seq };
        assert_eq!(early.next().await, Some(subscribed(-1)));
        assert_eq!(early.next().await, Some(MuxFrame::Event { session_id: "s1".to_owned(), event }));
        let mut late = hub.read();
        assert_eq!(late.next().await, Some(subscribed(0)));
        hub.end();
        assert_eq!(late.next().await, None);
        assert_eq!(early.next().await, None);
        assert_eq!(hub.read().collect::<Vec<_>>().await, [subscribed(0)]);
    }
}
