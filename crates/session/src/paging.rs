use std::ops::Range;

use crate::{Event, SurfaceOp};

/// The page of history that ends before `before_seq` (the tail page when `None`): the range of `events` in it and
/// whether there are events before it.
///
/// `events` is a whole log, so that the event `n` stands at index `n`. Append-origin user and assistant messages are
/// counted backwards from the end; the page begins at the lowest source of the oldest message counted, so that no
/// message is cut off from its chunks. Below `max_messages` messages the page begins at the start of the log. A page
/// holds at least one message, also for `max_messages` 0.
pub fn history_page(events: &[Event], before_seq: Option<u64>, max_messages: u32) -> (Range<usize>, bool) {
    let end =
        before_seq.map_or(events.len(), |seq| usize::try_from(seq).map_or(events.len(), |seq| seq.min(events.len())));
    let oldest = events[..end]
        .iter()
        .rev()
        .filter(|event| {
            matches!(event.kind.as_str(), "user/message" | "assistant/message")
                && matches!(event.surface_op, Some(SurfaceOp::Append(_)))
        })
        .nth(max_messages.max(1) as usize - 1);
    let start = oldest.map_or(0, |event| {
        let lowest = event.source_event_seqs.iter().flatten().fold(event.seq, |lowest, source| lowest.min(*source));
        lowest as usize
    });
    (start..end, start > 0)
}
