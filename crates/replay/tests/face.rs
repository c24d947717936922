//! What the provider face says about its own script.

mod support;

use std::time::Duration;

use replay::face;
use serde_json::json;
use support::{chunk, log, script};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// One request by hand, so that the face is not only tested by our own client; the whole answer.
async fn post(address: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST /chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn serve(texts: &[&str]) -> face::Face {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let answers = face::answers(&script("s.jsonl", texts)).unwrap();
    face::serve(listener, "s.jsonl", answers).unwrap()
}

fn address(face: &face::Face) -> String {
    face.base_url().trim_start_matches("http://").to_owned()
}

#[tokio::test]
async fn an_answer_is_an_event_stream_with_a_terminator() {
    let face = serve(&["hello"]).await;
    let answer = post(&address(&face), "{\"model\":\"m\"}").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"), "{answer}");
    let events: Vec<_> = answer.lines().filter(|line| line.starts_with("data: ")).collect();
    assert_eq!(
        events,
        [
            r#"data: {"id":"replay","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":null}]}"#,
            r#"data: {"id":"replay","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            "data: [DONE]",
        ]
    );
    assert_eq!(face.requests()[0].body, json!({"model": "m"}));
    face.assert_consumed().unwrap();
}

#[tokio::test]
async fn a_call_too_many_is_refused_and_remembered() {
    let face = serve(&["hello"]).await;
    post(&address(&face), "{}").await;
    let message = "script exhausted: session (over HTTP) asked for call 2, s.jsonl has 1; \
                   record the fixture again, or find the extra model call";
    let answer = post(&address(&face), "{}").await;
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains(message), "{answer}");
    assert_eq!(face.assert_consumed().unwrap_err().to_string(), message);
}

#[tokio::test]
async fn an_answer_nobody_asked_for_is_not_consumed() {
    let face = serve(&["hello", "world"]).await;
    post(&address(&face), "{}").await;
    assert_eq!(
        face.assert_consumed().unwrap_err().to_string(),
        "script not consumed: session (over HTTP) made 1 of 2 call(s) of s.jsonl; \
         drive the scenario to its end, or record the fixture again"
    );
}

#[tokio::test]
async fn a_dropped_face_accepts_no_more_connections() {
    let face = serve(&[]).await;
    let address = address(&face);
    drop(face);
    // The accept loop ends when its task is next run; each yield lets it.
    let refused = async {
        while TcpStream::connect(&address).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), refused).await.expect("the face still accepts connections");
}

#[test]
fn what_a_chat_completion_cannot_carry_is_refused_with_its_call() {
    let finish = json!({"type": "finish", "reason": {"kind": "stop"}});
    let end =
        |index: u32, text: &str| json!({"type": "block-end", "index": index, "block": {"type": "text", "text": text}});
    for (chunks, detail) in [
        (
            vec![json!({"type": "text-delta", "index": 0, "text": "a"}), end(0, "b"), finish.clone()],
            "block 0 ends with another content than its deltas",
        ),
        (vec![end(0, "a"), end(1, "b"), finish.clone()], "block 1 is a second block of text or reasoning"),
        (vec![json!({"type": "finish", "reason": {"kind": "aborted"}})], "it was cancelled"),
    ] {
        let events: Vec<_> = chunks.into_iter().map(|data| chunk(1, 1, data)).collect();
        let script = replay::Script::from_log(&log(&events), "s.jsonl").unwrap();
        assert_eq!(
            face::answers(&script).unwrap_err().to_string(),
            format!(
                "s.jsonl: call 1 cannot be served as a chat completion: {detail}; \
                 serve it through the replay model instead"
            )
        );
    }
}

#[test]
fn a_block_that_only_ends_is_served_whole() {
    let chunks = [
        json!({"type": "block-end", "index": 0, "block":
            {"type": "tool-call", "id": "c", "name": "bash", "arguments": "{}"}}),
        json!({"type": "finish", "reason": {"kind": "tool-calls"}}),
    ];
    let events: Vec<_> = chunks.into_iter().map(|data| chunk(1, 1, data)).collect();
    let script = replay::Script::from_log(&log(&events), "s.jsonl").unwrap();
    let answer = face::answers(&script).unwrap().remove(0);
    let first = String::from_utf8(answer.pieces[0].to_vec()).unwrap();
    let call = json!({"index": 0, "function": {"arguments": "{}", "name": "bash"}, "id": "c", "type": "function"});
    assert!(first.contains(&json!({"tool_calls": [call]}).to_string()), "{first}");
}
