//! Unary calls: spec sections 4a to 4c, security.md line 9.

use serde_json::json;

use crate::support::{Bench, HELD, PANICS};

#[tokio::test]
async fn a_call_is_answered_under_its_own_id() {
    let bench = Bench::start().await;
    let answer = bench.ask(bench.call("host.describe", "{}")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let value = json!({"version": "0.0.0-test", "provider": null, "model": null, "home": null});
    assert_eq!(
        answer.json(),
        json!({"type": "server-response", "rpcId": "r-1", "result": {"ok": true, "value": value}})
    );
}

#[tokio::test]
async fn every_method_of_the_table_has_a_route() {
    let bench = Bench::start().await;
    for method in wire::METHODS {
        let answer = bench.ask(bench.call(method, "{}")).await;
        assert_eq!((answer.status, &answer.json()["type"]), (200, &json!("server-response")), "{method}");
    }
}

#[tokio::test]
async fn the_id_of_a_prompt_reaches_the_host() {
    let bench = Bench::start().await;
    let payload = r#"{"sessionId":"s-1","mode":"queue","content":[{"type":"text","text":"hello"}]}"#;
    let answer = bench.ask(bench.call("session.prompt", payload)).await;
    assert_eq!(answer.json()["result"], json!({"ok": true, "value": {"accepted": true}}));
    assert_eq!(bench.api.prompts(), ["r-1"]);
}

#[tokio::test]
async fn an_error_of_the_host_is_an_answer_with_status_200() {
    let bench = Bench::start().await;
    let answer = bench.ask(bench.call("session.history", r#"{"sessionId":"s-9"}"#)).await;
    assert_eq!(answer.status, 200);
    let error = &answer.json()["result"]["error"];
    assert_eq!((&error["code"], &error["details"]), (&json!("session-not-found"), &json!({"sessionId": "s-9"})));
}

#[tokio::test]
async fn what_does_not_fit_is_a_bad_request_with_its_issues() {
    let bench = Bench::start().await;
    let path = "/api/host.describe";
    let cases = [
        (r#"{"rpcId":"r-7","method":"host.describe","payload":{}}"#, "r-7", "envelope: missing field `type`"),
        (r#"{"type":"client-request","method":"host.describe","payload":{}}"#, "invalid-request", "envelope: "),
        (r#"[]"#, "invalid-request", "envelope: "),
        (r#"{"rpcId":5}"#, "invalid-request", "envelope: "),
        (
            r#"{"type":"server-request","rpcId":"r-7","method":"host.describe","payload":{}}"#,
            "r-7",
            "type: has to be client-request",
        ),
        (
            r#"{"type":"client-request","rpcId":"r-7","method":"session.list","payload":{}}"#,
            "r-7",
            r#"method: is "session.list", but the path says "host.describe""#,
        ),
        (
            r#"{"type":"client-request","rpcId":"r-7","method":"host.describe","payload":{"x":1}}"#,
            "r-7",
            "host.describe: unknown field `x`",
        ),
    ];
    for (body, id, issue) in cases {
        let answer = bench.ask(bench.admitted("POST", path).json(body)).await;
        assert_eq!(answer.status, 200, "{body}");
        let json = answer.json();
        assert_eq!((&json["rpcId"], &json["result"]["error"]["code"]), (&json!(id), &json!("bad-request")), "{body}");
        let issues = json["result"]["error"]["details"]["issues"].as_array().unwrap();
        assert!(issues[0].as_str().unwrap().starts_with(issue), "{issues:?}");
    }
    assert_eq!(bench.log(), Vec::<String>::new(), "the host's own answers are no refusals of the carriage");
}

#[tokio::test]
async fn only_json_is_taken() {
    let bench = Bench::start().await;
    let call = || bench.call("host.describe", "{}");
    for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data", ""] {
        let answer = bench.ask(call().with("Content-Type", kind)).await;
        assert_eq!((answer.status, answer.code().as_str()), (415, "media-type"), "{kind}");
        assert_eq!(answer.message(), "a call has to be application/json: set the Content-Type header");
    }
    assert_eq!(bench.ask(call().without("Content-Type")).await.status, 415);
    assert!(bench.log()[0].ends_with(r#"media-type (415); received "text/plain", expected application/json"#));
    assert_eq!(bench.ask(call().with("Content-Type", "Application/JSON; charset=utf-8")).await.status, 200);
}

#[tokio::test]
async fn a_body_that_is_not_json_is_refused_with_the_place() {
    let bench = Bench::start().await;
    let answer = bench.ask(bench.admitted("POST", "/api/host.describe").json("{\"type\": oops}")).await;
    assert_eq!((answer.status, answer.code().as_str()), (400, "body-not-json"));
    assert!(answer.message().contains("line 1 column 10"), "{}", answer.message());
}

#[tokio::test]
async fn an_unknown_method_and_a_wrong_http_method_say_so() {
    let bench = Bench::start().await;
    for path in ["/api/none.such", "/api/host%2Edescribe", "/api/host.describe/", "/api/", "/api/events.mux/x"] {
        let answer = bench.ask(bench.admitted("POST", path).json("{}")).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "unknown-path"), "{path}");
    }
    for (method, path, allowed) in [
        ("GET", "/api/host.describe", "POST"),
        ("OPTIONS", "/api/host.describe", "POST"),
        ("POST", "/api/events.mux", "GET, HEAD"),
        ("POST", "/", "GET, HEAD"),
        ("DELETE", crate::support::SCRIPT_PATH, "GET, HEAD"),
    ] {
        let answer = bench.ask(bench.admitted(method, path)).await;
        assert_eq!((answer.status, answer.code().as_str()), (405, "method-not-allowed"), "{method} {path}");
        assert_eq!(answer.header("allow"), Some(allowed), "{method} {path}");
    }
}

#[tokio::test]
async fn a_panic_of_the_host_is_500_and_the_server_lives_on() {
    let bench = Bench::start().await;
    let mut connection = bench.connect().await;
    let answer = connection.ask(&bench.call("session.cancel", &format!(r#"{{"sessionId":"{PANICS}"}}"#))).await;
    assert_eq!((answer.status, answer.code().as_str()), (500, "internal"));
    assert!(!answer.text().contains("told to"), "the panic's text stays inside: {}", answer.text());
    assert!(bench.only_line().ends_with("received a panic in session.cancel, expected an answer"));
    assert_eq!(connection.ask(&bench.call("host.describe", "{}")).await.status, 200, "on the same connection");
}

#[tokio::test]
async fn a_caller_that_goes_away_does_not_stop_the_host_half_way() {
    let bench = Bench::start().await;
    let mut connection = bench.connect().await;
    let held = bench.call("session.cancel", &format!(r#"{{"sessionId":"{HELD}"}}"#));
    connection.send(held.text().as_bytes()).await;
    bench.api.until_held(1).await;
    drop(connection);
    // Another answer on another connection: the server has had its chance to notice.
    assert_eq!(bench.ask(bench.call("host.describe", "{}")).await.status, 200);
    bench.api.release();
    bench.api.until_answered(1).await;
}
