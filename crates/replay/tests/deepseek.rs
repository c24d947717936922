//! The DeepSeek adapter against the provider face on loopback.

mod support;

use std::time::Duration;

use futures_util::StreamExt as _;
use llm::deepseek::{DeepSeek, DeepSeekConfig};
use llm::{Adapter as _, LlmError, LlmErrorCode, Secret};
use replay::Script;
use replay::face::{self, Answer, Ending, Face};
use serde_json::{Value, json};
use session::Chunk;
use support::{chunk, log, request, text_call};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

const KEY: &str = "sk-5bd0c2a94e7f4f63";

/// For whatever must happen; a test that waits this long has failed.
const DEADLINE: Duration = Duration::from_secs(20);

async fn serve(answers: Vec<Answer>) -> Face {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    face::serve(listener, "s.jsonl", answers).unwrap()
}

fn adapter(base_url: String, idle_timeout: Duration) -> DeepSeek {
    DeepSeek::new(DeepSeekConfig { base_url, api_key: Secret::new(KEY), idle_timeout }).unwrap()
}

/// All chunks of one call and the error that ended it, if one did.
async fn call(adapter: &DeepSeek) -> (Vec<Chunk>, Option<LlmError>) {
    let mut stream = adapter.stream(request("main"), CancellationToken::new());
    let collect = async {
        let mut chunks = Vec::new();
        while let Some(item) = stream.next().await {
            match item {
                Ok(chunk) => chunks.push(chunk),
                Err(error) => {
                    assert!(stream.next().await.is_none(), "nothing follows an error");
                    return (chunks, Some(error));
                }
            }
        }
        (chunks, None)
    };
    tokio::time::timeout(DEADLINE, collect).await.unwrap()
}

async fn call_to(answer: Answer) -> (Vec<Chunk>, Option<LlmError>) {
    let face = serve(vec![answer]).await;
    let outcome = call(&adapter(face.base_url(), DEADLINE)).await;
    face.assert_consumed().unwrap();
    outcome
}

async fn failure(answer: Answer) -> LlmError {
    call_to(answer).await.1.expect("the call should fail")
}

fn event(fields: &Value) -> String {
    format!("data: {fields}\n\n")
}

fn delta(delta: &Value) -> String {
    event(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

fn finish(reason: &str) -> String {
    event(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}))
}

const DONE: &str = "data: [DONE]\n\n";

fn stream(events: &[String]) -> Answer {
    Answer::stream(events.iter().cloned(), Ending::Close)
}

/// A recorded answer with reasoning, text, two tool calls and token counts.
fn recorded() -> Script {
    let chunks = json!([
        {"type": "block-start", "index": 0, "blockType": "reasoning"},
        {"type": "reasoning-delta", "index": 0, "text": "The user "},
        {"type": "reasoning-delta", "index": 0, "text": "wants 漢字 🦀."},
        {"type": "block-start", "index": 1, "blockType": "text"},
        {"type": "text-delta", "index": 1, "text": "I run both."},
        {"type": "block-start", "index": 2, "blockType": "tool-call"},
        {"type": "tool-call-delta", "index": 2, "id": "call_0", "name": "bash", "argumentsDelta": ""},
        {"type": "tool-call-delta", "index": 2, "id": "call_0", "argumentsDelta": "{\"command\":"},
        {"type": "tool-call-delta", "index": 2, "id": "call_0", "argumentsDelta": "\"é\"}"},
        {"type": "block-start", "index": 3, "blockType": "tool-call"},
        {"type": "tool-call-delta", "index": 3, "id": "call_1", "name": "bash", "argumentsDelta": "{}"},
        {"type": "block-end", "index": 0, "block": {"type": "reasoning", "text": "The user wants 漢字 🦀."}},
        {"type": "block-end", "index": 1, "block": {"type": "text", "text": "I run both."}},
        {"type": "block-end", "index": 2, "block":
            {"type": "tool-call", "id": "call_0", "name": "bash", "arguments": "{\"command\":\"é\"}"}},
        {"type": "block-end", "index": 3, "block":
            {"type": "tool-call", "id": "call_1", "name": "bash", "arguments": "{}"}},
        {"type": "usage", "usage":
            {"inputTokens": 122, "outputTokens": 85, "cacheReadTokens": 7680, "reasoningTokens": 17}},
        {"type": "finish", "reason": {"kind": "tool-calls"}},
    ]);
    let events: Vec<_> = chunks.as_array().unwrap().iter().map(|data| chunk(1, 1, data.clone())).collect();
    Script::from_log(&log(&events), "s.jsonl").unwrap()
}

#[tokio::test]
async fn a_recorded_answer_comes_through_chunk_by_chunk() {
    let script = recorded();
    let answer = face::answers(&script).unwrap().remove(0);
    let (chunks, error) = call_to(answer).await;
    assert_eq!(error, None);
    assert_eq!(chunks, support::chunks(&script.calls[0]));
}

#[tokio::test]
async fn every_cut_of_the_stream_gives_the_same_chunks() {
    let script = recorded();
    let whole = face::answers(&script).unwrap().remove(0).pieces.concat();
    for size in [1, 2, 3, 7, 64] {
        let pieces = whole.chunks(size).map(<[u8]>::to_vec);
        let (chunks, error) = call_to(Answer::stream(pieces, Ending::Close)).await;
        assert_eq!(error, None);
        assert_eq!(chunks, support::chunks(&script.calls[0]), "pieces of {size} bytes");
    }
}

#[tokio::test]
async fn chunks_come_while_the_answer_is_still_being_written() {
    let face = serve(vec![Answer::stream([delta(&json!({"content": "first"}))], Ending::Hang)]).await;
    let mut stream = adapter(face.base_url(), DEADLINE).stream(request("main"), CancellationToken::new());
    let first = stream.next().await.unwrap().unwrap();
    assert!(matches!(first, Chunk::BlockStart { index: 0, .. }));
    let second = stream.next().await.unwrap().unwrap();
    assert_eq!(second, Chunk::TextDelta { index: 0, text: "first".to_owned() });
}

#[tokio::test]
async fn the_request_carries_key_model_and_messages() {
    let face = serve(vec![stream(&[delta(&json!({"content": "x"})), finish("stop"), DONE.to_owned()])]).await;
    call(&adapter(face.base_url(), DEADLINE)).await;
    let sent = &face.requests()[0];
    assert_eq!(sent.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(sent.headers["content-type"], "application/json");
    assert_eq!(
        sent.body,
        json!({
            "model": "replay-128k",
            "messages": [],
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
}

#[tokio::test]
async fn keep_alive_comments_and_empty_deltas_give_no_chunk() {
    let events = [
        ": keep-alive\n\n".to_owned(),
        delta(&json!({"role": "assistant", "content": "", "reasoning_content": null})),
        delta(&json!({"content": "x"})),
        finish("stop"),
        DONE.to_owned(),
    ];
    let (chunks, error) = call_to(stream(&events)).await;
    assert_eq!(error, None);
    let kinds: Vec<_> = chunks.iter().map(|chunk| serde_json::to_value(chunk).unwrap()["type"].clone()).collect();
    assert_eq!(kinds, ["block-start", "text-delta", "block-end", "finish"]);
}

#[tokio::test]
async fn finish_reasons_are_translated() {
    for (said, expected) in [
        ("stop", json!({"kind": "stop"})),
        ("tool_calls", json!({"kind": "tool-calls"})),
        ("length", json!({"kind": "max-tokens"})),
        ("content_filter", json!({"kind": "error", "message": "the provider's content filter stopped the answer"})),
    ] {
        let (chunks, error) = call_to(stream(&[delta(&json!({"content": "x"})), finish(said), DONE.to_owned()])).await;
        assert_eq!(error, None);
        let last = serde_json::to_value(chunks.last().unwrap()).unwrap();
        assert_eq!(last, json!({"type": "finish", "reason": expected}));
    }
}

#[tokio::test]
async fn an_answer_that_calls_tools_and_says_stop_waits_for_the_tools() {
    let call = json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "bash", "arguments": "{}"}}]});
    let (chunks, _) = call_to(stream(&[delta(&call), finish("stop"), DONE.to_owned()])).await;
    let last = serde_json::to_value(chunks.last().unwrap()).unwrap();
    assert_eq!(last, json!({"type": "finish", "reason": {"kind": "tool-calls"}}));
}

#[tokio::test]
async fn refusals_become_codes_with_their_facts() {
    use LlmErrorCode::{Auth, BadRequest, RateLimit, Server, Timeout, Transport};
    for (status, code, message) in [
        (400, BadRequest, "the provider refused the request (HTTP 400): why; check the model and the settings"),
        (401, Auth, "the provider refused the API key (HTTP 401): why; check the key"),
        (402, BadRequest, "the account with the provider has no balance left (HTTP 402): why; top it up"),
        (403, Auth, "the provider refused the API key (HTTP 403): why; check the key"),
        (404, BadRequest, "the provider does not know this address (HTTP 404): why; check the base URL"),
        (408, Timeout, "the provider gave up waiting (HTTP 408): why; try again"),
        (422, BadRequest, "the provider refused the request (HTTP 422): why; check the model and the settings"),
        (429, RateLimit, "the provider got too many requests (HTTP 429): why; wait, then try again"),
        (301, Transport, "the provider sent us to another address (HTTP 301): why; check the base URL"),
        (500, Server, "the provider failed (HTTP 500): why; try again later"),
        (503, Server, "the provider failed (HTTP 503): why; try again later"),
    ] {
        let answer = Answer::refusal(status, "why").with_header("x-request-id", "r-1").with_header("retry-after", "2");
        let error = failure(answer).await;
        let expected = LlmError {
            code,
            message: message.to_owned(),
            status: Some(status),
            request_id: Some("r-1".to_owned()),
            retry_after_ms: Some(2000),
        };
        assert_eq!(error, expected);
    }
}

#[tokio::test]
async fn a_refusal_without_the_providers_shape_is_still_that_refusal() {
    let mut answer = Answer::refusal(502, "");
    answer.pieces = vec!["<html>bad gateway</html>".into()];
    assert_eq!(failure(answer).await.message, "the provider failed (HTTP 502); try again later");
    let mut answer = Answer::refusal(503, "");
    answer.ending = Ending::Break;
    assert_eq!(failure(answer).await.code, LlmErrorCode::Server);
}

#[tokio::test]
async fn a_retry_date_counts_from_the_answers_own_date() {
    let answer = Answer::refusal(429, "why")
        .with_header("date", "Sun, 06 Nov 1994 08:49:30 GMT")
        .with_header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT");
    assert_eq!(failure(answer).await.retry_after_ms, Some(7000));
}

#[tokio::test]
async fn the_key_a_provider_echoes_is_scrubbed() {
    for echo in [KEY.to_owned(), format!("****{}", &KEY[15..]), format!("{}...{}", &KEY[..5], &KEY[15..])] {
        let said = format!("Authentication Fails, Your api key: {echo} is invalid");
        let error = failure(Answer::refusal(401, &said).with_header("x-request-id", &format!("for-{KEY}"))).await;
        assert_eq!(
            error.message,
            "the provider refused the API key (HTTP 401): Authentication Fails, Your api key: *** is invalid; \
             check the key"
        );
        assert_eq!(error.request_id.as_deref(), Some("for-***"));
        let error =
            failure(stream(&[event(&json!({"error": {"message": said, "type": "authentication_error"}}))])).await;
        assert_eq!(error.code, LlmErrorCode::Auth);
        assert!(!error.message.contains(&KEY[15..]), "{}", error.message);
    }
}

#[tokio::test]
async fn a_long_explanation_is_cut() {
    let error = failure(Answer::refusal(400, &"é".repeat(5000))).await;
    assert!(error.message.chars().count() < 1200);
    assert!(error.message.ends_with("é…; check the model and the settings"));
}

#[tokio::test]
async fn broken_streams_are_transport_errors_after_the_chunks_before_them() {
    let text = || delta(&json!({"content": "x"}));
    let nameless = json!({"tool_calls": [{"index": 0, "id": "c", "function": {"arguments": "{}"}}]});
    let idless = json!({"tool_calls": [{"index": 3, "function": {"name": "bash"}}]});
    for (events, message) in [
        (vec![text()], "the provider's stream ended before its terminator; try again"),
        (vec![text(), finish("stop")], "the provider's stream ended before its terminator; try again"),
        (vec![text(), DONE.to_owned()], "the provider ended its answer without a reason; try again"),
        (vec![text(), finish("dance")], "the provider ended its answer for an unknown reason \"dance\"; try again"),
        (
            vec![text(), "data: {\"choices\": [}\n\n".to_owned()],
            "the provider sent an event that is not a completion's: expected value at line 1 column 14; try again",
        ),
        (vec![text(), delta(&idless)], "the provider began tool call 3 without an id; try again"),
        (
            vec![text(), delta(&nameless), finish("tool_calls"), DONE.to_owned()],
            "the provider called a tool without naming it; try again",
        ),
    ] {
        let (chunks, error) = call_to(stream(&[events.concat()])).await;
        let error = error.unwrap();
        assert_eq!((error.code, error.message.as_str()), (LlmErrorCode::Transport, message));
        assert_eq!(chunks[1], Chunk::TextDelta { index: 0, text: "x".to_owned() });
    }
}

#[tokio::test]
async fn bytes_that_are_not_utf8_are_a_transport_error() {
    let mut bytes = delta(&json!({"content": "x"})).into_bytes();
    let at = bytes.iter().position(|byte| *byte == b'x').unwrap();
    bytes[at] = 0xff;
    let error = failure(Answer::stream([bytes], Ending::Close)).await;
    assert_eq!(error.code, LlmErrorCode::Transport);
    assert!(error.message.starts_with("the provider sent an event that is not a completion's: "), "{error}");
}

#[tokio::test]
async fn a_connection_that_breaks_is_a_transport_error() {
    let error = failure(Answer::stream([delta(&json!({"content": "x"}))], Ending::Break)).await;
    assert_eq!(error.code, LlmErrorCode::Transport);
    assert!(error.message.starts_with("the connection to the provider broke: "), "{error}");
}

#[tokio::test]
async fn an_answer_of_another_type_is_a_transport_error() {
    let mut answer = Answer::stream(["<html>"], Ending::Close);
    answer.headers = vec![("content-type".to_owned(), "text/html".to_owned())];
    let error = failure(answer).await;
    assert_eq!(error.code, LlmErrorCode::Transport);
    assert_eq!(error.message, "the provider answered with text/html instead of an event stream; check the base URL");
}

#[tokio::test]
async fn a_provider_nobody_runs_is_a_transport_error() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let error = call(&adapter(base_url.clone(), DEADLINE)).await.1.unwrap();
    assert_eq!(error.code, LlmErrorCode::Transport);
    let start = format!("cannot reach the provider at {base_url}/chat/completions: ");
    assert!(error.message.starts_with(&start) && error.message.ends_with("; check the network"), "{error}");
}

#[tokio::test]
async fn https_speaks_tls_from_the_first_byte() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let adapter = adapter(format!("https://{}", listener.local_addr().unwrap()), DEADLINE);
    let handshake = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.read_u8().await.unwrap()
    };
    let ((_, error), first) = tokio::join!(call(&adapter), handshake);
    assert_eq!(first, 0x16, "a TLS record that carries a handshake");
    assert_eq!(error.unwrap().code, LlmErrorCode::Transport);
}

#[tokio::test]
async fn an_empty_answer_has_its_own_code() {
    let error = failure(stream(&[finish("stop"), DONE.to_owned()])).await;
    assert_eq!(error.code, LlmErrorCode::EmptyResponse);
    assert_eq!(error.message, "the provider's answer is empty; try again");
}

#[tokio::test]
async fn an_error_inside_the_stream_keeps_code_and_request_id() {
    for (kind, code) in [
        ("server_error", LlmErrorCode::Server),
        ("rate_limit_error", LlmErrorCode::RateLimit),
        ("invalid_request_error", LlmErrorCode::BadRequest),
    ] {
        let events = [delta(&json!({"content": "x"})), event(&json!({"error": {"message": "why", "type": kind}}))];
        let error = failure(stream(&events).with_header("x-request-id", "r-2")).await;
        assert_eq!(error.code, code);
        assert_eq!(error.message, "the provider broke off its answer: why; try again");
        assert_eq!(error.request_id.as_deref(), Some("r-2"));
    }
    let error = failure(stream(&[delta(&json!({"content": "x"})), finish("insufficient_system_resource")])).await;
    assert_eq!(error.code, LlmErrorCode::Server);
}

#[tokio::test]
async fn silence_is_a_timeout() {
    let idle = Duration::from_millis(50);
    for answer in [
        Answer::stream([delta(&json!({"content": "x"}))], Ending::Hang),
        Answer::stream([": keep-alive\n\n"], Ending::Hang),
    ] {
        let face = serve(vec![answer]).await;
        let error = call(&adapter(face.base_url(), idle)).await.1.unwrap();
        assert_eq!(error.code, LlmErrorCode::Timeout);
        assert_eq!(error.message, "no byte from the provider for 50ms; try again");
    }
}

#[tokio::test]
async fn cancel_ends_the_call_at_once_and_hangs_up() {
    let face = serve(vec![Answer::stream([delta(&json!({"content": "x"}))], Ending::Hang)]).await;
    let adapter = adapter(face.base_url(), DEADLINE);
    let cancel = CancellationToken::new();
    let mut stream = adapter.stream(request("main"), cancel.clone());
    for _ in 0..2 {
        stream.next().await.unwrap().unwrap();
    }
    let (item, ()) = tokio::join!(stream.next(), async { cancel.cancel() });
    assert_eq!(item.unwrap().unwrap_err().code, LlmErrorCode::Aborted);
    // Only a closed connection lets the face know.
    tokio::time::timeout(DEADLINE, face.hung_up(1)).await.expect("the adapter should close the connection");
}

#[tokio::test]
async fn cancel_before_the_answer_and_between_chunks_ends_the_call() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = adapter(format!("http://{}", silent.local_addr().unwrap()), DEADLINE);
    let cancel = CancellationToken::new();
    let mut stream = silent.stream(request("main"), cancel.clone());
    let (item, ()) = tokio::join!(stream.next(), async { cancel.cancel() });
    assert_eq!(item.unwrap().unwrap_err().code, LlmErrorCode::Aborted);

    let text = delta(&json!({"content": "x"}));
    let face = serve(vec![Answer::stream([[text, finish("stop"), DONE.to_owned()].concat()], Ending::Close)]).await;
    let cancel = CancellationToken::new();
    let mut stream = adapter(face.base_url(), DEADLINE).stream(request("main"), cancel.clone());
    stream.next().await.unwrap().unwrap();
    cancel.cancel();
    assert_eq!(stream.next().await.unwrap().unwrap_err().code, LlmErrorCode::Aborted);
}

#[tokio::test]
async fn a_key_that_cannot_be_sent_is_an_auth_error_that_does_not_show_it() {
    for (key, message) in [
        ("", "there is no API key; set one and try again"),
        ("sk-bad\nkey", "the API key holds characters that no key has; set it again"),
    ] {
        let config = DeepSeekConfig {
            base_url: "http://127.0.0.1:9".to_owned(),
            api_key: Secret::new(key),
            idle_timeout: DEADLINE,
        };
        let error = call(&DeepSeek::new(config).unwrap()).await.1.unwrap();
        assert_eq!((error.code, error.message.as_str()), (LlmErrorCode::Auth, message));
    }
}

#[tokio::test]
async fn one_connection_serves_call_after_call() {
    let script = Script::from_log(&log(&[text_call(1, 1, "one"), text_call(1, 2, "two")].concat()), "s.jsonl").unwrap();
    let face = serve(face::answers(&script).unwrap()).await;
    let adapter = adapter(face.base_url(), DEADLINE);
    for entry in &script.calls {
        assert_eq!(call(&adapter).await, (support::chunks(entry).to_vec(), None));
    }
    face.assert_consumed().unwrap();
}
