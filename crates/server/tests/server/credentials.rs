//! How one is let in: security.md lines 12 to 15.

use server::Secret;

use crate::support::{Answer, Bench, SECRET};

/// Path and query of a fresh one-time address.
fn one_time_path(bench: &Bench) -> String {
    let url = bench.server.mint_url();
    let path = url.strip_prefix(&format!("http://{}", bench.authority())).unwrap_or_else(|| panic!("{url}"));
    path.to_owned()
}

fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").unwrap_or_else(|| panic!("{answer:?}")).split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_one_time_address_becomes_a_cookie_and_the_address_is_cleaned() {
    let bench = Bench::start().await;
    let path = one_time_path(&bench);
    let exchanged = bench.ask(bench.stranger("GET", &path)).await;
    assert_eq!((exchanged.status, exchanged.header("location")), (303, Some("/")));
    assert_eq!(exchanged.header("cache-control"), Some("no-store"));
    let cookie = cookie_of(&exchanged);
    assert!(cookie.starts_with(&format!("dsh-{}=", bench.port())), "{cookie}");
    assert_eq!(exchanged.header("set-cookie").unwrap(), format!("{cookie}; Path=/; HttpOnly; SameSite=Strict"));

    let page = bench.ask(bench.stranger("GET", "/").header("Cookie", &cookie)).await;
    assert_eq!(page.status, 200);
    let call = bench.call("host.describe", "{}").without("Authorization").header("Cookie", &cookie);
    assert_eq!(bench.ask(call).await.status, 200);

    let again = bench.ask(bench.stranger("GET", &path)).await;
    assert_eq!((again.status, again.code().as_str()), (401, "token-used"));
    assert_eq!(
        again.message(),
        "this one-time address was used already, or belongs to an earlier start: ask the program for a new one"
    );
    assert_eq!(again.header("set-cookie"), None);
}

#[tokio::test]
async fn each_minted_address_lets_one_more_browser_in() {
    let bench = Bench::start().await;
    let paths = [one_time_path(&bench), one_time_path(&bench)];
    for path in &paths {
        assert_eq!(bench.ask(bench.stranger("GET", path)).await.status, 303);
    }
    for path in &paths {
        assert_eq!(bench.ask(bench.stranger("GET", path)).await.status, 401);
    }
}

#[tokio::test]
async fn who_is_in_opens_a_used_address_without_being_thrown_out() {
    let bench = Bench::start().await;
    let path = one_time_path(&bench);
    let cookie = cookie_of(&bench.ask(bench.stranger("GET", &path)).await);
    let again = bench.ask(bench.stranger("GET", &path).header("Cookie", &cookie)).await;
    assert_eq!((again.status, again.header("location"), again.header("set-cookie")), (303, Some("/"), None));
}

#[tokio::test]
async fn the_rest_of_the_address_is_kept_and_cannot_lead_elsewhere() {
    let bench = Bench::start().await;
    let token = one_time_path(&bench).split_once('=').unwrap().1.to_owned();
    let elsewhere = bench.ask(bench.stranger("GET", &format!("//example.org/?token={token}"))).await;
    assert_eq!((elsewhere.status, elsewhere.code().as_str()), (403, "path-refused"));
    let kept = bench.ask(bench.stranger("GET", &format!("/sessions/s-1?lang=zh&token={token}&x=1"))).await;
    assert_eq!((kept.status, kept.header("location")), (303, Some("/sessions/s-1?lang=zh&x=1")));
}

#[tokio::test]
async fn a_one_time_token_opens_pages_only() {
    let bench = Bench::start().await;
    let token = one_time_path(&bench).split_once('=').unwrap().1.to_owned();
    for path in ["/api/events.mux", "/api/host.describe"] {
        let answer = bench.ask(bench.stranger("GET", &format!("{path}?token={token}"))).await;
        assert_eq!((answer.status, answer.code().as_str()), (401, "credential-missing"), "{path}");
    }
    let as_bearer = bench.stranger("GET", "/").header("Authorization", &format!("Bearer {token}"));
    assert_eq!(bench.ask(as_bearer).await.code(), "credential-wrong");
    assert_eq!(bench.ask(bench.stranger("GET", &format!("/?token={token}"))).await.status, 303, "it is still good");
}

#[tokio::test]
async fn a_changed_secret_ends_old_cookies_and_an_unchanged_one_keeps_them() {
    let first = Bench::start().await;
    let addr = first.server.local_addr();
    let cookie = cookie_of(&first.ask(first.stranger("GET", &one_time_path(&first))).await);
    first.server.close(std::time::Duration::from_secs(5)).await.unwrap();

    let same = Bench::start_with(|config| config.addr = addr).await;
    assert_eq!(same.ask(same.stranger("GET", "/").header("Cookie", &cookie)).await.status, 200);
    same.server.close(std::time::Duration::from_secs(5)).await.unwrap();

    let changed = Bench::start_with(|config| {
        config.addr = addr;
        config.secret = Some(Secret::new("another secret altogether").unwrap());
    })
    .await;
    let answer = changed.ask(changed.stranger("GET", "/").header("Cookie", &cookie)).await;
    assert_eq!((answer.status, answer.code().as_str()), (401, "credential-wrong"));
    let line = changed.only_line();
    assert!(line.contains("received a cookie of an earlier start, expected"), "{line}");
}

#[tokio::test]
async fn only_the_whole_secret_as_bearer_token_is_taken() {
    let bench = Bench::start().await;
    let with = |value: &str| bench.stranger("GET", "/").header("Authorization", value);
    let wrong =
        [format!("Bearer {SECRET}x"), format!("Bearer {}", &SECRET[1..]), format!("Basic {SECRET}"), String::new()];
    for value in &wrong {
        let answer = bench.ask(with(value)).await;
        assert_eq!((answer.status, answer.code().as_str()), (401, "credential-wrong"), "{value}");
    }
    assert_eq!(bench.ask(with(&format!("bearer {SECRET}"))).await.status, 200);
}

#[tokio::test]
async fn after_five_wrong_attempts_none_is_looked_at_but_who_is_in_stays_in() {
    let bench = Bench::start().await;
    let good = one_time_path(&bench);
    let cookie = cookie_of(&bench.ask(bench.stranger("GET", &one_time_path(&bench))).await);
    for attempt in 0..5 {
        let path = format!("/?token={attempt}");
        assert_eq!(bench.ask(bench.stranger("GET", &path)).await.code(), "token-used");
    }
    for request in [bench.stranger("GET", &good), bench.admitted("GET", "/")] {
        let answer = bench.ask(request).await;
        assert_eq!((answer.status, answer.code().as_str()), (429, "attempts-limited"));
        let wait: u64 = answer.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&wait), "{wait}");
        assert_eq!(answer.message(), format!("too many wrong credentials came in: wait {wait} s, then try again"));
    }
    assert_eq!(bench.ask(bench.stranger("GET", "/").header("Cookie", &cookie)).await.status, 200);
}

#[tokio::test]
async fn a_foreign_page_spends_no_attempts() {
    let bench = Bench::start().await;
    for _ in 0..10 {
        let request = bench.stranger("GET", "/?token=guess").header("Sec-Fetch-Site", "cross-site");
        assert_eq!(bench.ask(request).await.code(), "cross-site-refused");
    }
    assert_eq!(bench.ask(bench.admitted("GET", "/")).await.status, 200);
}

#[tokio::test]
async fn no_credential_reaches_the_log_or_a_refusal() {
    let bench = Bench::start().await;
    let token = one_time_path(&bench).split_once('=').unwrap().1.to_owned();
    let exchanged = bench.ask(bench.stranger("GET", &format!("/?token={token}"))).await;
    let cookie = cookie_of(&exchanged).split_once('=').unwrap().1.to_owned();
    let requests = [
        bench.stranger("GET", &format!("/?token={token}")),
        bench.stranger("GET", &format!("/api/none?token={token}")).header("Cookie", &format!("dsh-1={cookie}")),
        bench.stranger("GET", "/").header("Authorization", &format!("Basic {SECRET}")),
        bench.stranger("GET", "/").header("Authorization", &format!("Bearer {SECRET} {SECRET}")),
        bench.admitted("GET", "/").with("Host", "example.org"),
        bench.admitted("GET", &format!("/none.such?token={token}")),
        bench.call("host.describe", "{}").with("Content-Type", "text/plain"),
        bench.call("host.describe", SECRET),
    ];
    let mut texts = Vec::new();
    for request in requests {
        let answer = bench.ask(request).await;
        assert!(answer.status >= 400, "{answer:?}");
        texts.push(format!("{answer:?} {}", answer.text()));
    }
    let records = bench.records.lock().unwrap().clone();
    assert_eq!(records.len(), texts.len(), "each refusal leaves a record");
    texts.extend(records.iter().map(|record| format!("{record} {record:?}")));
    for text in texts {
        for secret in [SECRET, &token, &cookie] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}
