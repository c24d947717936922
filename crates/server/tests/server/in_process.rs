//! The carriage without sockets, as a client in the same process uses it.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use server::{Traffic, router};
use tower::ServiceExt;
use wire::{MUX_STREAM_PATH, MuxFrame};

use crate::support::{TestApi, soon};

fn get(path: &str) -> Request<Body> {
    Request::get(path).body(Body::empty()).unwrap()
}

#[tokio::test]
async fn a_call_needs_no_gate_and_the_envelope_is_the_real_one() {
    let router = router(Arc::new(TestApi::default()), &Traffic::new());
    let body = r#"{"type":"client-request","rpcId":"r-1","method":"host.describe","payload":{}}"#;
    let request = Request::post("/api/host.describe").header("content-type", "application/json");
    let response = router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    assert_eq!(response.status(), 200);
    let missing = router.oneshot(get("/api/none.such")).await.unwrap();
    assert_eq!(missing.status(), 404);
}

#[tokio::test]
async fn frames_and_a_cut_reach_the_reader_of_the_body() {
    let (api, traffic) = (Arc::new(TestApi::default()), Traffic::new());
    let response = router(api.clone(), &traffic).oneshot(get(MUX_STREAM_PATH)).await.unwrap();
    let mut body = response.into_body().into_data_stream();
    assert_eq!(soon("the comment", body.next()).await.unwrap().unwrap(), ": connected\n\n");
    api.emit(&MuxFrame::Subscribed { session_id: "s-1".to_owned(), last_seq: -1 });
    let frame = soon("the frame", body.next()).await.unwrap().unwrap();
    assert!(frame.starts_with(b"data: {") && frame.ends_with(b"}\n\n"), "{frame:?}");
    traffic.cut_streams();
    assert!(soon("the cut", body.next()).await.unwrap().is_err());
    assert!(soon("the end", body.next()).await.is_none());
    assert_eq!(traffic.open_streams(), 0);
}

#[tokio::test]
async fn ended_traffic_ends_streams_that_are_still_to_come() {
    let (api, traffic) = (Arc::new(TestApi::default()), Traffic::new());
    traffic.end_streams();
    let response = router(api.clone(), &traffic).oneshot(get(MUX_STREAM_PATH)).await.unwrap();
    let chunks: Vec<_> = soon("the end", response.into_body().into_data_stream().collect()).await;
    assert_eq!(chunks.len(), 1, "only the comment: {chunks:?}");
    api.until_open_streams(0).await;
}

#[tokio::test]
async fn what_the_host_said_before_an_orderly_end_still_goes_out() {
    let (api, traffic) = (Arc::new(TestApi::default()), Traffic::new());
    let response = router(api.clone(), &traffic).oneshot(get(MUX_STREAM_PATH)).await.unwrap();
    let mut body = response.into_body().into_data_stream();
    assert_eq!(soon("the comment", body.next()).await.unwrap().unwrap(), ": connected\n\n");
    for last_seq in [1, 2] {
        api.emit(&MuxFrame::Subscribed { session_id: "s-1".to_owned(), last_seq });
    }
    traffic.end_streams();
    let frames: Vec<_> = soon("the end", body.collect()).await;
    assert_eq!(frames.len(), 2, "{frames:?}");
}

/// Time jumps ahead whenever nothing else is to be done.
#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_to_its_end_is_not_waited_for() {
    let router = router(Arc::new(TestApi::default()), &Traffic::new());
    let begun = stream::once(std::future::ready(Ok::<_, std::io::Error>(Bytes::from_static(b"{"))));
    let request = Request::post("/api/host.describe").header("content-type", "application/json");
    let request = request.body(Body::from_stream(begun.chain(stream::pending()))).unwrap();
    assert_eq!(router.oneshot(request).await.unwrap().status(), 408);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    let router = router(Arc::new(TestApi::default()), &Traffic::new());
    let broken = stream::once(std::future::ready(Err::<Bytes, _>(std::io::Error::other("gone"))));
    let request = Request::post("/api/host.describe").header("content-type", "application/json");
    let response = router.oneshot(request.body(Body::from_stream(broken)).unwrap()).await.unwrap();
    assert_eq!(response.status(), 400);
}
