//! Who may ask at all: security.md lines 2 to 8, 10, 11, 15, 16, 19.

use server::{Secret, Server, ServerConfig, ServerError};

use crate::support::{Bench, Connection, Request, SECRET, TestApi, assets};

fn config(addr: &str, secret: Option<&str>) -> ServerConfig {
    ServerConfig {
        addr: addr.parse().unwrap(),
        secret: secret.map(|secret| Secret::new(secret).unwrap()),
        trusted_hosts: Vec::new(),
        assets: assets(),
        sink: std::sync::Arc::new(|_| {}),
    }
}

#[tokio::test]
async fn an_address_others_can_reach_is_refused_without_a_secret() {
    let api = std::sync::Arc::new(TestApi::default());
    for addr in ["0.0.0.0:0", "[::]:0"] {
        let refused = Server::bind(api.clone(), config(addr, None)).await.err().unwrap();
        assert!(matches!(refused, ServerError::OpenAddress { .. }), "{refused:?}");
        assert_eq!(
            refused.to_string(),
            format!(
                "{addr} can be reached from other machines, and whoever reaches it can run commands here: set a secret \
                 of at least 16 characters, or listen on 127.0.0.1"
            )
        );
    }
    assert!(Server::bind(api.clone(), config("0.0.0.0:0", Some(SECRET))).await.is_ok());
    assert!(Server::bind(api, config("127.0.0.1:0", None)).await.is_ok(), "loopback makes its own");
}

#[tokio::test]
async fn a_taken_port_is_an_error_that_says_what_to_do() {
    let bench = Bench::start().await;
    let addr = bench.authority();
    let refused = Server::bind(bench.api.clone(), config(&addr, None)).await.err().unwrap().to_string();
    assert!(refused.starts_with(&format!("cannot listen on {addr}: ")), "{refused}");
    assert!(refused.ends_with("; choose another port, or 0 for any free one"), "{refused}");
}

/// All of it: every route of the table, on every method it could have, and paths that are no route.
fn every_request(bench: &Bench) -> Vec<Request> {
    let routes = bench.server.routes();
    assert!(routes.len() >= wire::METHODS.len() + 2 + 3, "{routes:?}");
    let known = routes.iter().map(|(method, path)| bench.stranger(method.as_str(), path).json("{}"));
    let unknown = ["/favicon.ico", "/api/none.such", "/api/", "/sessions/s-1", "/.env"];
    let strange = ["PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"];
    known
        .chain(unknown.map(|path| bench.stranger("GET", path)))
        .chain(strange.map(|method| bench.stranger(method, "/api/host.describe")))
        .collect()
}

#[tokio::test]
async fn every_route_answers_401_without_a_credential() {
    let bench = Bench::start().await;
    for request in every_request(&bench) {
        let answer = bench.ask(request.clone()).await;
        assert_eq!((answer.status, answer.code().as_str()), (401, "credential-missing"), "{request:?}");
        assert_eq!(
            answer.message(),
            "this server answers only to who was let in: open the one-time address the program printed"
        );
    }
    assert_eq!(bench.server.traffic().open_streams(), 0);
    let line = bench.log().into_iter().find(|line| line.contains("POST /api/host.describe")).unwrap();
    assert!(
        line.ends_with(
            "credential-missing (401); received no credential, expected the cookie of this server, or the secret as \
             bearer token"
        ),
        "{line}"
    );
}

#[tokio::test]
async fn the_gate_stands_before_the_first_connection() {
    // The first bytes the server ever gets, sent before it had a chance to accept.
    let bench = Bench::start().await;
    let mut first = std::net::TcpStream::connect(bench.server.local_addr()).unwrap();
    std::io::Write::write_all(&mut first, bench.stranger("GET", "/api/events.mux").text().as_bytes()).unwrap();
    first.set_nonblocking(true).unwrap();
    let mut first = Connection::over(tokio::net::TcpStream::from_std(first).unwrap());
    assert_eq!(first.answer(false).await.status, 401);
}

#[tokio::test]
async fn an_upgrade_is_refused_by_the_same_gate() {
    let bench = Bench::start().await;
    let upgrade = |request: Request| {
        request.header("Connection", "Upgrade").header("Upgrade", "websocket").header("Sec-WebSocket-Version", "13")
    };
    let stranger = bench.ask(upgrade(bench.stranger("GET", "/api/events.mux"))).await;
    assert_eq!((stranger.status, stranger.code().as_str()), (401, "credential-missing"));
    let foreign = upgrade(bench.admitted("GET", "/api/events.mux")).header("Origin", "http://example.org");
    let foreign = bench.ask(foreign).await;
    assert_eq!((foreign.status, foreign.code().as_str()), (403, "origin-refused"));
    assert_eq!(bench.server.traffic().open_streams(), 0);
}

#[tokio::test]
async fn a_foreign_host_is_refused_whatever_the_credential() {
    let bench = Bench::start().await;
    let port = bench.port();
    let foreign = [
        "example.org".to_owned(),
        format!("example.org:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("localhost.:{port}"),
        format!("[::1]:{port}"),
        format!("127.0.0.2:{port}"),
        String::new(),
    ];
    for host in &foreign {
        let answer = bench.ask(bench.admitted("GET", "/").with("Host", host)).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "host-refused"), "{host}");
    }
    assert_eq!(
        bench.log()[0].split_once(": ").unwrap().1,
        format!("host-refused (403); received \"example.org\", expected 127.0.0.1:{port} or localhost:{port}")
    );
    for host in [format!("localhost:{port}"), format!("LOCALHOST:{port}"), bench.authority()] {
        assert_eq!(bench.ask(bench.admitted("GET", "/").with("Host", &host)).await.status, 200, "{host}");
    }
}

#[tokio::test]
async fn no_host_two_hosts_and_a_foreign_request_line_are_refused() {
    let bench = Bench::start().await;
    let none = bench.ask(bench.admitted("GET", "/").without("Host")).await;
    let two = bench.ask(bench.admitted("GET", "/").header("Host", "example.org")).await;
    let line = bench.ask(bench.admitted("GET", "http://example.org/")).await;
    for answer in [none, two, line] {
        assert_eq!((answer.status, answer.code().as_str()), (403, "host-refused"));
    }
    let received: Vec<String> =
        bench.log().iter().map(|line| line.split("received ").nth(1).unwrap().to_owned()).collect();
    assert!(received[0].starts_with("no Host, expected"), "{received:?}");
    assert!(received[1].contains(" and \"example.org\""), "{received:?}");
    assert!(received[2].contains(" and \"example.org\" in the request line"), "{received:?}");
}

#[tokio::test]
async fn a_declared_host_is_served_with_the_origin_of_its_proxy() {
    let bench = Bench::start_with(|config| config.trusted_hosts = vec!["dsh.example.org".to_owned()]).await;
    let behind_proxy = bench.call("host.describe", "{}").with("Host", "dsh.example.org");
    assert_eq!(bench.ask(behind_proxy.clone().header("Origin", "https://dsh.example.org")).await.status, 200);
    assert_eq!(bench.ask(behind_proxy.header("Origin", "https://example.org")).await.status, 403);
}

#[tokio::test]
async fn a_foreign_or_null_origin_is_refused() {
    let bench = Bench::start().await;
    let port = bench.port();
    let call = || bench.call("host.describe", "{}");
    let foreign = [
        "null".to_owned(),
        "http://example.org".to_owned(),
        format!("http://127.0.0.1:{}", port.wrapping_add(1)),
        "http://127.0.0.1".to_owned(),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{port}.example.org"),
        String::new(),
    ];
    for origin in &foreign {
        for request in [call(), bench.admitted("GET", "/api/events.host"), bench.admitted("GET", "/")] {
            let answer = bench.ask(request.header("Origin", origin)).await;
            assert_eq!((answer.status, answer.code().as_str()), (403, "origin-refused"), "{origin}");
        }
    }
    assert!(bench.log()[0].ends_with(&format!("received Origin \"null\", expected http://127.0.0.1:{port}")));
    assert_eq!(bench.ask(call().header("Origin", &format!("http://127.0.0.1:{port}"))).await.status, 200);
}

#[tokio::test]
async fn what_another_site_caused_is_refused() {
    let bench = Bench::start().await;
    for site in ["cross-site", "same-site", "anything-new"] {
        for request in [bench.call("host.describe", "{}"), bench.admitted("GET", "/")] {
            let answer = bench.ask(request.header("Sec-Fetch-Site", site)).await;
            assert_eq!((answer.status, answer.code().as_str()), (403, "cross-site-refused"), "{site}");
        }
    }
    for site in ["same-origin", "none"] {
        assert_eq!(bench.ask(bench.admitted("GET", "/").header("Sec-Fetch-Site", site)).await.status, 200, "{site}");
    }
}

#[tokio::test]
async fn every_answer_has_the_security_headers_and_only_named_files_are_kept() {
    let bench = Bench::start().await;
    let requests = [
        bench.admitted("GET", "/"),
        bench.admitted("GET", crate::support::MODULE_PATH),
        bench.call("host.describe", "{}"),
        bench.call("host.describe", "{}").with("Content-Type", "text/plain"),
        bench.admitted("GET", "/api/none.such"),
        bench.stranger("GET", "/"),
        bench.admitted("GET", "/").with("Host", "example.org"),
    ];
    for request in requests {
        let answer = bench.ask(request.clone()).await;
        let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{request:?}"));
        let directives: Vec<&str> = policy.split("; ").collect();
        for directive in [
            "default-src 'none'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(directives.contains(&directive), "{directive} in {policy}");
        }
        assert!(!policy.contains("unsafe-inline") && !policy.contains("http"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cross-origin-opener-policy"), Some("same-origin"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
        let kept = answer.status == 200 && answer.header("content-type") != Some("application/json");
        assert_eq!(answer.header("cache-control") != Some("no-store"), kept, "{request:?}");
    }
}

#[tokio::test]
async fn with_others_able_to_reach_it_every_access_is_logged() {
    let bench = Bench::start_with(|config| config.addr = "0.0.0.0:0".parse().unwrap()).await;
    assert_eq!(bench.ask(bench.call("host.describe", "{}")).await.status, 200);
    let line = bench.only_line();
    assert!(line.starts_with("served POST /api/host.describe to 127.0.0.1:"), "{line}");
    assert!(line.ends_with(": 200"), "{line}");
    let quiet = Bench::start().await;
    assert_eq!(quiet.ask(quiet.call("host.describe", "{}")).await.status, 200);
    assert_eq!(quiet.log(), Vec::<String>::new());
}
