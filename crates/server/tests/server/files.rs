//! The bundle: spec section 4a, tiers T9, security.md line 17.

use crate::support::{Bench, MODULE, MODULE_GZIP, MODULE_PATH, PAGE, SCRIPT, SCRIPT_PATH};

#[tokio::test]
async fn files_come_with_their_type_and_are_kept_for_ever() {
    let bench = Bench::start().await;
    let script = bench.ask(bench.admitted("GET", SCRIPT_PATH)).await;
    assert_eq!((script.status, script.body.as_slice()), (200, SCRIPT));
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(script.header("cache-control"), Some("private, max-age=31536000, immutable"));
    let module = bench.ask(bench.admitted("GET", MODULE_PATH)).await;
    assert_eq!((module.status, module.body.as_slice()), (200, MODULE));
    assert_eq!(module.header("content-type"), Some("application/wasm"));
}

#[tokio::test]
async fn the_page_answers_for_addresses_of_the_application_but_not_for_missing_files() {
    let bench = Bench::start().await;
    for path in ["/", "/?lang=zh", "/sessions/s-1", "/settings"] {
        let page = bench.ask(bench.admitted("GET", path)).await;
        assert_eq!((page.status, page.text()), (200, PAGE), "{path}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(page.header("cache-control"), Some("private, no-cache"));
    }
    for path in ["/assets/ui-00.js", "/favicon.ico", "/robots.txt", "/assets/UI-01.js"] {
        let missing = bench.ask(bench.admitted("GET", path)).await;
        assert_eq!((missing.status, missing.code().as_str()), (404, "unknown-path"), "{path}");
        let message = format!("nothing has the path {path:?}: reload the page, it may be of another version");
        assert_eq!(missing.message(), message);
    }
}

#[tokio::test]
async fn the_compressed_form_goes_to_who_accepts_it_under_its_own_tag() {
    let bench = Bench::start().await;
    let request = || bench.admitted("GET", MODULE_PATH);
    let plain = bench.ask(request()).await;
    let packed = bench.ask(request().header("Accept-Encoding", "gzip, deflate, br")).await;
    assert_eq!((packed.header("content-encoding"), packed.body.as_slice()), (Some("gzip"), MODULE_GZIP));
    assert_eq!((plain.header("content-encoding"), plain.body.as_slice()), (None, MODULE));
    assert_eq!(packed.header("content-type"), Some("application/wasm"));
    for answer in [&plain, &packed] {
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
    }
    assert_ne!(plain.header("etag"), packed.header("etag"));
    let only_plain = bench.ask(bench.admitted("GET", SCRIPT_PATH).header("Accept-Encoding", "gzip")).await;
    assert_eq!((only_plain.header("content-encoding"), only_plain.body.as_slice()), (None, SCRIPT));
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let bench = Bench::start().await;
    let etag = bench.ask(bench.admitted("GET", "/")).await.header("etag").unwrap().to_owned();
    for known in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
        let answer = bench.ask(bench.admitted("GET", "/").header("If-None-Match", &known)).await;
        assert_eq!((answer.status, answer.header("etag")), (304, Some(etag.as_str())), "{known}");
    }
    let changed = bench.ask(bench.admitted("GET", "/").header("If-None-Match", "\"other\"")).await;
    assert_eq!((changed.status, changed.text()), (200, PAGE));
}

#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() {
    let bench = Bench::start().await;
    let mut connection = bench.connect().await;
    let head = connection.ask(&bench.admitted("HEAD", SCRIPT_PATH)).await;
    assert_eq!((head.status, head.header("content-length")), (200, Some(SCRIPT.len().to_string().as_str())));
    let next = connection.ask(&bench.admitted("GET", "/")).await;
    assert_eq!(next.text(), PAGE, "nothing of a body stands between the two answers");
}

#[tokio::test]
async fn paths_that_lead_or_may_lead_elsewhere_are_refused() {
    let bench = Bench::start().await;
    for path in [
        "/../etc/passwd",
        "/assets/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/%2E%2E%2f%2E%2E%2fetc/passwd",
        "/assets/..%5c..%5cetc",
        "/%252e%252e/etc/passwd",
        "//etc/passwd",
        "/assets//ui-01.js",
        "/assets/./ui-01.js",
        "/assets/ui-01.js%00.html",
    ] {
        let answer = bench.ask(bench.admitted("GET", path)).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "path-refused"), "{path}");
    }
    // A sibling that shares the prefix is simply another path.
    for path in ["/assets-secret/ui-01.js", "/assets.bak"] {
        assert_eq!(bench.ask(bench.admitted("GET", path)).await.status, 404, "{path}");
    }
}
