//! What a context says of the machine and the person is what its pages see: from the start, after a change, and in the
//! pages they open themselves.

mod support;

use axum::Router;
use axum::http::HeaderMap;
use axum::response::Html;
use axum::routing::get;
use browser::{
    ColorScheme, Context, ContextOptions, Cookie, Geolocation, LoadState, Media, OriginStorage, Page, PermissionState,
    SameSite, StorageItem, StorageState, Viewport,
};
use serde_json::{Value, json};
use support::{run, serve, shared_browser};

async fn context(options: ContextOptions) -> Context {
    shared_browser().await.new_context(options).await.expect("a context")
}

async fn page_at(context: &Context, url: &str) -> Page {
    let page = context.new_page().await.expect("a page");
    page.goto(url).await.expect("the page loads");
    page
}

async fn refusal(options: ContextOptions) -> String {
    shared_browser().await.new_context(options).await.expect_err("a refusal").to_string()
}

/// A server whose page shows the headers it was asked with, one a line.
async fn header_server() -> String {
    let show = |headers: HeaderMap| async move {
        let lines: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap_or_default())).collect();
        Html(format!("<a target=_blank href=/>open</a><pre>{}</pre>", lines.join("\n")))
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let app = Router::new().route("/", get(show));
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/")
}

#[test]
fn settings_hold_also_in_a_page_that_a_page_opens() {
    run(async {
        let context = context(ContextOptions {
            viewport: Some(Viewport { width: 400, height: 300 }),
            device_scale_factor: Some(2.0),
            has_touch: true,
            locale: Some("fr-FR".into()),
            color_scheme: Some(ColorScheme::Dark),
            user_agent: Some("Tester/1".into()),
            extra_http_headers: vec![("X-Team".into(), "blue".into())],
            ..ContextOptions::default()
        })
        .await;
        let page = page_at(&context, &header_server().await).await;
        let opened = page.expect_popup();
        page.get_by_role("link", "open").click().await.unwrap();
        let popup = opened.await.unwrap();
        popup.wait_for_load_state(LoadState::Load).await.unwrap();
        let seen =
            "() => [innerWidth, devicePixelRatio, navigator.language, navigator.userAgent, navigator.maxTouchPoints,
            matchMedia('(prefers-color-scheme: dark)').matches,
            document.querySelector('pre').textContent.includes('x-team: blue')]";
        for page in [&page, &popup] {
            let values = page.evaluate::<Value>(seen, &[]).await.unwrap();
            assert_eq!(values, json!([400, 2, "fr-FR", "Tester/1", 1, true, true]));
        }
        let headers = page.locator("pre").text_content().await.unwrap();
        assert!(headers.contains("user-agent: Tester/1") && headers.contains("accept-language: fr-FR"), "{headers}");
        context.close().await.unwrap();
    });
}

#[test]
fn media_of_a_page_falls_back_to_those_of_its_context() {
    run(async {
        let context = context(ContextOptions {
            color_scheme: Some(ColorScheme::Dark),
            reduced_motion: Some(true),
            ..ContextOptions::default()
        })
        .await;
        let page = page_at(&context, &serve("hello").await).await;
        let seen = async || {
            let queries = "() => ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)',
                '(forced-colors: active)', '(prefers-contrast: more)'].map((query) => matchMedia(query).matches)";
            page.evaluate::<[bool; 4]>(queries, &[]).await.unwrap()
        };
        assert_eq!(seen().await, [true, true, false, false]);
        let media = Media { color_scheme: Some(ColorScheme::Light), forced_colors: Some(true), ..Media::default() };
        page.emulate_media(media).await.unwrap();
        assert_eq!(seen().await, [false, true, true, false]);
        page.emulate_media(Media { more_contrast: Some(true), ..Media::default() }).await.unwrap();
        assert_eq!(seen().await, [true, true, false, true]);
        context.close().await.unwrap();
    });
}

#[test]
fn size_headers_and_init_scripts_can_be_changed_for_one_page() {
    run(async {
        let context = context(ContextOptions::default()).await;
        let url = header_server().await;
        let (page, other) = (page_at(&context, &url).await, page_at(&context, &url).await);
        page.set_viewport_size(500, 400).await.unwrap();
        page.set_extra_http_headers(&[("X-Page", "one")]).await.unwrap();
        context.set_extra_http_headers(&[("X-Context", "all")]).await.unwrap();
        page.add_init_script("(name) => { globalThis.mine = name; }", &["page".into()]).await.unwrap();
        context.add_init_script("(name) => { globalThis.all = name; }", &["context".into()]).await.unwrap();
        let read = "() => [innerWidth, innerHeight, globalThis.mine, globalThis.all,
            document.querySelector('pre').textContent.match(/^x-.*/gm)]";
        page.reload().await.unwrap();
        other.reload().await.unwrap();
        let values = page.evaluate::<Value>(read, &[]).await.unwrap();
        assert_eq!(values, json!([500, 400, "page", "context", ["x-context: all", "x-page: one"]]));
        let values = other.evaluate::<Value>(read, &[]).await.unwrap();
        assert_eq!(values, json!([1280, 720, null, "context", ["x-context: all"]]));
        context.close().await.unwrap();
    });
}

#[test]
fn place_and_permissions_are_given_moved_and_taken_back() {
    run(async {
        let place = |latitude, longitude| Geolocation { latitude, longitude, accuracy: 5.0 };
        let context = context(ContextOptions {
            geolocation: Some(place(48.0, 11.0)),
            permissions: vec!["geolocation".into()],
            ..ContextOptions::default()
        })
        .await;
        let url = serve("hello").await;
        let page = page_at(&context, &url).await;
        let asked = "() => new Promise((resolve) => navigator.geolocation.getCurrentPosition(
            ({ coords }) => resolve([coords.latitude, coords.longitude, coords.accuracy]),
            (error) => resolve(error.code)))";
        let states = "async () => Promise.all(['geolocation', 'clipboard-read', 'notifications']
            .map(async (name) => (await navigator.permissions.query({ name })).state))";
        let read = async |script: &str| page.evaluate::<Value>(script, &[]).await.unwrap();
        assert_eq!(read(asked).await, json!([48, 11, 5]));
        context.set_geolocation(Some(place(-33.5, 151.0))).await.unwrap();
        assert_eq!(read(asked).await, json!([-33.5, 151, 5]));

        context.grant_permissions(&["clipboard-read", "clipboard-write"]).await.unwrap();
        context.set_permission("notifications", PermissionState::Denied, Some(&url)).await.unwrap();
        assert_eq!(read(states).await, json!(["granted", "granted", "denied"]));
        let copied =
            "async () => { await navigator.clipboard.writeText('copied'); return navigator.clipboard.readText(); }";
        assert_eq!(read(copied).await, json!("copied"));
        context.clear_permissions().await.unwrap();
        assert_eq!(read(states).await, json!(["prompt", "prompt", "prompt"]));
        context.close().await.unwrap();
    });
}

#[test]
fn offline_pages_have_no_network_until_they_are_let_back() {
    run(async {
        let context = context(ContextOptions { offline: true, ..ContextOptions::default() }).await;
        let page = context.new_page().await.unwrap();
        let url = serve("hello").await;
        let error = page.goto(&url).await.unwrap_err().to_string();
        assert!(error.contains("net::ERR_INTERNET_DISCONNECTED"), "{error}");
        context.set_offline(false).await.unwrap();
        page.goto(&url).await.unwrap();
        context.set_offline(true).await.unwrap();
        let fetched = "() => fetch('/').then(() => 'answered', () => [navigator.onLine, 'failed'])";
        assert_eq!(page.evaluate::<Value>(fetched, &[]).await.unwrap(), json!([false, "failed"]));
        context.close().await.unwrap();
    });
}

#[test]
fn option_that_is_refused_is_named_and_leaves_no_context() {
    run(async {
        let locale = refusal(ContextOptions { locale: Some("no-such-tag-at-all".into()), ..Default::default() }).await;
        assert!(locale.starts_with("cannot set locale: "), "{locale}");
        let zone = refusal(ContextOptions { timezone: Some("Mars/Base".into()), ..Default::default() }).await;
        assert_eq!(zone, "cannot set timezone: Invalid timezone \"Mars/Base\"; correct it");
        let place = Geolocation { latitude: 91.0, longitude: 0.0, accuracy: 1.0 };
        let place = refusal(ContextOptions { geolocation: Some(place), ..Default::default() }).await;
        assert!(place.starts_with("cannot set geolocation: "), "{place}");
        let permission = refusal(ContextOptions { permissions: vec!["fly".into()], ..Default::default() }).await;
        assert!(permission.starts_with("cannot set permissions: ") && permission.contains("fly"), "{permission}");
        let header = ("no name".to_owned(), "x".to_owned());
        let header = refusal(ContextOptions { extra_http_headers: vec![header], ..Default::default() }).await;
        assert!(header.starts_with("cannot set extra_http_headers: "), "{header}");
        let base = refusal(ContextOptions { base_url: Some("/app".into()), ..Default::default() }).await;
        assert!(base.starts_with("cannot set base_url: \"/app\": relative URL without a base"), "{base}");
    });
}

#[test]
fn cookies_are_added_read_by_address_and_cleared() {
    run(async {
        let context = context(ContextOptions::default()).await;
        let url = header_server().await;
        let plain = Cookie::new("plain", "1", &url).unwrap();
        let hidden = Cookie {
            http_only: true,
            same_site: SameSite::Strict,
            expires: Some(4_000_000_000),
            path: "/deep".into(),
            ..Cookie::new("hidden", "2 = two", &url).unwrap()
        };
        context.add_cookies(&[plain.clone(), hidden.clone()]).await.unwrap();
        let all = context.cookies().await.unwrap();
        assert_eq!((all.len(), &all[0]), (2, &plain));
        // Browsers cap how long a cookie may live.
        assert!(all[1].expires.is_some_and(|expires| expires <= 4_000_000_000));
        assert_eq!(Cookie { expires: hidden.expires, ..all[1].clone() }, hidden);
        assert_eq!(context.cookies_for(&url).await.unwrap(), [plain]);
        assert_eq!(context.cookies_for(&format!("{url}deep/er")).await.unwrap().len(), 2);
        let page = page_at(&context, &url).await;
        assert!(page.locator("pre").text_content().await.unwrap().contains("cookie: plain=1"));
        context.clear_cookies().await.unwrap();
        assert_eq!(context.cookies().await.unwrap(), []);

        let bad = Cookie { domain: String::new(), ..Cookie::new("bad", "1", &url).unwrap() };
        let error = context.add_cookies(&[bad]).await.unwrap_err().to_string();
        assert!(error.starts_with("cannot set cookies: \"bad\" for domain \"\", path \"/\"; "), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn storage_state_travels_by_file_from_one_context_to_another() {
    run(async {
        let first = context(ContextOptions::default()).await;
        let (one, two) = (serve("one").await, serve("<iframe></iframe>").await);
        let page = page_at(&first, &one).await;
        let write = "() => { localStorage.setItem('token', 'secret'); document.cookie = 'sid=7'; }";
        page.evaluate::<Value>(write, &[]).await.unwrap();
        // Left since: what counts is that it was there once.
        page.goto(&two).await.unwrap();
        page.evaluate::<Value>("() => localStorage.setItem('theme', 'dark')", &[]).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("login.json");
        first.storage_state().await.unwrap().save(&path).unwrap();
        first.close().await.unwrap();

        let mut state = StorageState::load(&path).unwrap();
        assert_eq!((state.origins.len(), state.cookies.len()), (2, 1));
        // A site that no server stands behind.
        let item = StorageItem { name: "far".into(), value: "away".into() };
        state.origins.push(OriginStorage { origin: "https://far.test".into(), local_storage: vec![item] });
        let second = context(ContextOptions { storage_state: Some(state.clone()), ..Default::default() }).await;
        let page = page_at(&second, &one).await;
        let read = "() => [localStorage.getItem('token'), localStorage.length, document.cookie]";
        assert_eq!(page.evaluate::<Value>(read, &[]).await.unwrap(), json!(["secret", 1, "sid=7"]));
        // Once: what the page removes stays away.
        page.evaluate::<Value>("() => localStorage.clear()", &[]).await.unwrap();
        page.reload().await.unwrap();
        assert_eq!(page.evaluate::<Value>(read, &[]).await.unwrap(), json!([null, 0, "sid=7"]));
        let kept = second.storage_state().await.unwrap();
        assert_eq!(kept.origins.len(), 2);
        assert!(kept.origins.contains(&state.origins[2]), "{kept:#?}");
        assert_eq!(second.problems(), []);
        second.close().await.unwrap();
    });
}
