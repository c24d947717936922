use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{Stream, StreamExt};
use wire::ServerRequest;

use crate::refusal::{Code, Refusal};
use crate::traffic::{MAX_STREAMS, Slot, Traffic};

/// Tells the page that the stream stands, before there is a frame.
const OPENED: &str = ": connected\n\n";

/// Answers with the frames that `open` gives, one envelope an SSE event. Frames are taken from the host only as fast as
/// the reader takes them; dropping the answer drops the host's stream.
pub(crate) fn respond<F>(traffic: &Traffic, open: F) -> Response
where
    F: FnOnce() -> BoxStream<'static, ServerRequest>,
{
    let Some(slot) = traffic.open() else {
        let received = format!("one more stream than {MAX_STREAMS}");
        let message = format!("{MAX_STREAMS} streams are open already: close other tabs of this page, then reload");
        return Refusal::new(Code::TooManyStreams, message, received, format!("at most {MAX_STREAMS}")).into_response();
    };
    let Ok(frames) = catch_unwind(AssertUnwindSafe(open)) else {
        return Refusal::panicked("the stream").into_response();
    };
    let mut response = Response::new(Body::from_stream(body(frames, slot)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

fn body(frames: BoxStream<'static, ServerRequest>, slot: Slot) -> impl Stream<Item = io::Result<Bytes>> {
    let opened = stream::once(std::future::ready(Ok(Bytes::from_static(OPENED.as_bytes()))));
    let live = stream::unfold(Some((frames, slot)), |open| async {
        let (mut frames, slot) = open?;
        tokio::select! {
            biased;
            () = slot.cut.cancelled() => Some((Err(io::Error::from(io::ErrorKind::ConnectionAborted)), None)),
            // What the host has said already goes out before an orderly end; a host that never pauses is broken off at
            // the deadline of `Server::close`.
            frame = frames.next() => Some((Ok(event(&frame?)), Some((frames, slot)))),
            () = slot.end.cancelled() => None,
        }
    });
    opened.chain(live)
}

/// JSON has no raw line break, so that an envelope is one `data` line.
fn event(envelope: &ServerRequest) -> Bytes {
    let json = serde_json::to_string(envelope).expect("an envelope holds JSON values only");
    format!("data: {json}\n\n").into()
}
