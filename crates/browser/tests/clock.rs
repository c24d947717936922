//! The page's clock stands, goes on and jumps by order, in every document of the context; ours does not.

mod support;

use browser::{Clock, Context, ContextOptions, Error, Page};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::{run, serve, shared_browser};

const NOON: &str = "2026-03-01T12:00:00Z";
const NOON_MS: i64 = 1_772_366_400_000;

const SECOND: Duration = Duration::from_secs(1);

async fn frozen(body: &str) -> (Context, Page) {
    let context = shared_browser().await.new_context(ContextOptions::default()).await.unwrap();
    context.clock().install(NOON).await.unwrap();
    let page = context.new_page().await.unwrap();
    page.goto(&serve(body).await).await.unwrap();
    (context, page)
}

async fn read(page: &Page, script: &str) -> Value {
    page.evaluate(script, &[]).await.unwrap()
}

#[test]
fn every_way_to_ask_for_the_time_gives_the_frozen_one() {
    run(async {
        let (context, page) = frozen("hello").await;
        let all = "() => {
            const format = new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'medium' });
            class Late extends Date {}
            return [Date.now(), +new Date(), +new Late(), new Late() instanceof Late, new Date(5).getTime(),
                Date.parse(Date()), Reflect.construct(Date, []).getTime(), format.format(),
                format.formatToParts().map(({ value }) => value).join('') === format.format(), format.format(0),
                globalThis.Temporal ? Temporal.Now.instant().epochMilliseconds : Date.now(),
                performance.now() === performance.now()];
        }";
        let shown = "3/1/26, 12:00:00 PM";
        let expected = json!([
            NOON_MS,
            NOON_MS,
            NOON_MS,
            true,
            5,
            NOON_MS,
            NOON_MS,
            shown,
            true,
            "1/1/70, 12:00:00 AM",
            NOON_MS,
            true
        ]);
        assert_eq!(read(&page, all).await, expected);
        context.close().await.unwrap();
    });
}

#[test]
fn replaced_functions_look_like_the_browsers_own() {
    run(async {
        let (context, page) = frozen("hello").await;
        let look = "() => [Date, Date.now, setTimeout, requestAnimationFrame, performance.now, clearInterval].map((it) =>
            [it.name, it.length, /\\[native code\\]/.test(it), Object.keys(it).length])
            .concat([[new Date() instanceof Date, Date.prototype.constructor === Date, Object.keys(window).includes('Date'),
                Object.getOwnPropertyNames(window).filter((name) => /clock/i.test(name)).length]])";
        let expected = json!([
            ["Date", 7, true, 0],
            ["now", 0, true, 0],
            ["setTimeout", 1, true, 0],
            ["requestAnimationFrame", 1, true, 0],
            ["now", 0, true, 0],
            ["clearInterval", 0, true, 0],
            [true, true, false, 0]
        ]);
        assert_eq!(read(&page, look).await, expected);
        context.close().await.unwrap();
    });
}

#[test]
fn timers_fire_in_order_with_promises_between_them() {
    run(async {
        let (context, page) = frozen(
            "<script>
            const log = [];
            const add = (what) => log.push(what + '@' + (Date.now() - 1772366400000));
            setTimeout(() => { add('b'); Promise.resolve().then(() => {}).then(() => add('b promise')); }, 20);
            setTimeout((x, y) => add(x + y), 10, 'a', '!');
            const every = setInterval(() => { add('tick'); if (log.length > 7) clearInterval(every); }, 25);
            setTimeout(() => { add('c'); setTimeout(() => add('nested'), 5); }, 20);
            setTimeout('add(\"text\")', 30);
            clearTimeout(setTimeout(() => add('never'), 1));
            setTimeout(() => { throw new Error('thrown in a timer'); }, 26);
            </script>",
        )
        .await;
        assert_eq!(read(&page, "() => log").await, json!([]));
        page.clock().run_for(Duration::from_millis(10)).await.unwrap();
        assert_eq!(read(&page, "() => log").await, json!(["a!@10"]));
        page.clock().run_for(SECOND).await.unwrap();
        let expected = ["a!@10", "b@20", "b promise@20", "c@20", "tick@25", "nested@25", "text@30", "tick@50"];
        assert_eq!(read(&page, "() => log").await, json!(expected));
        assert_eq!(read(&page, "() => Date.now()").await, json!(NOON_MS + 1_010));
        page.settle_events().await.unwrap();
        assert_eq!(page.problems().len(), 1, "{:#?}", page.problems());
        assert!(page.problems()[0].text.contains("thrown in a timer"));
        context.close().await.unwrap();
    });
}

#[test]
fn frames_are_drawn_sixty_times_a_second_of_the_pages_time() {
    run(async {
        let (context, page) = frozen(
            "<script>const times = []; const draw = (now) => { times.push(now); requestAnimationFrame(draw); };
            requestAnimationFrame(draw); requestIdleCallback(({ didTimeout }) => { idle = didTimeout; });</script>",
        )
        .await;
        page.clock().run_for(SECOND).await.unwrap();
        let seen = "() => [times.length, Math.round(times[59] - times[0]), times.at(-1) <= performance.now(), idle]";
        assert_eq!(read(&page, seen).await, json!([60, 983, true, false]));
        context.close().await.unwrap();
    });
}

#[test]
fn skipped_time_fires_each_timer_once() {
    run(async {
        let (context, page) = frozen(
            "<script>let ticks = 0, once = 0; setInterval(() => ticks += 1, 1000); setTimeout(() => once += 1, 5000);</script>",
        )
        .await;
        page.clock().fast_forward(Duration::from_secs(3600)).await.unwrap();
        assert_eq!(read(&page, "() => [ticks, once, Date.now()]").await, json!([1, 1, NOON_MS + 3_600_000]));
        page.clock().pause_at("2026-03-01T14:00:00Z").await.unwrap();
        assert_eq!(read(&page, "() => [ticks, Date.now()]").await, json!([2, NOON_MS + 7_200_000]));
        let error = page.clock().pause_at(NOON).await.unwrap_err().to_string();
        assert!(error.contains("is 7200000 ms before the time it shows; it goes forward only"), "{error}");
        context.close().await.unwrap();
    });
}

#[test]
fn frozen_time_is_kept_over_navigations_and_holds_in_frames_and_new_pages() {
    run(async {
        let (context, page) = frozen("<iframe srcdoc='<p>inside</p>'></iframe>").await;
        context.clock().run_for(SECOND).await.unwrap();
        let later = json!([NOON_MS + 1_000, NOON_MS + 1_000]);
        let both = "() => [Date.now(), frames[0].Date.now()]";
        assert_eq!(read(&page, both).await, later);
        page.reload().await.unwrap();
        assert_eq!(read(&page, both).await, later);
        let other = context.new_page().await.unwrap();
        other.goto(&serve("other").await).await.unwrap();
        assert_eq!(read(&other, "() => Date.now()").await, json!(NOON_MS + 1_000));
        // Frames have timers of their own, which go on with the page's.
        read(&page, "() => { frames[0].setTimeout(() => { globalThis.rang = frames[0].Date.now(); }, 500); }").await;
        context.clock().run_for(SECOND).await.unwrap();
        assert_eq!(read(&page, "() => rang").await, json!(NOON_MS + 2_000 - 500));
        context.close().await.unwrap();
    });
}

#[test]
fn actions_and_assertions_wait_as_ever_while_the_clock_stands() {
    run(async {
        // What shows the button is the network, which goes on.
        let (context, page) = frozen(
            "<button disabled onclick='this.textContent = \"pressed\"'>Press</button><script>
            fetch('/slow').finally(() => { document.querySelector('button').disabled = false; });</script>",
        )
        .await;
        page.get_by_role("button", "Press").click().await.unwrap();
        page.get_by_role("button", "pressed").expect().to_be_visible().await.unwrap();
        let started = Instant::now();
        let never = page.locator("#never").within(support::SOON);
        assert!(matches!(never.click().await.unwrap_err(), Error::Timeout { .. }));
        assert!(started.elapsed() >= support::SOON);
        page.settle_events().await.unwrap();
        context.close().await.unwrap();
    });
}

#[test]
fn resumed_clock_goes_on_from_where_it_stood_and_can_be_stopped_again() {
    run(async {
        let (context, page) = frozen(
            "<p></p><script>setTimeout(() => document.querySelector('p').textContent = Date.now() - 1772366400000, 300);
            let frames_seen = 0; const draw = () => { frames_seen++; requestAnimationFrame(draw); }; draw();</script>",
        )
        .await;
        let clock = page.clock();
        assert_eq!(read(&page, "() => frames_seen").await, json!(1));
        clock.resume().await.unwrap();
        page.locator("p:not(:empty)").expect().to_be_visible().await.unwrap();
        let rang: i64 = page.locator("p").text_content().await.unwrap().parse().unwrap();
        assert!((300..3_000).contains(&rang), "{rang}");
        assert!(read(&page, "() => frames_seen").await.as_i64().unwrap() > 5);
        clock.pause_at("2026-03-01T13:00:00Z").await.unwrap();
        assert_eq!(read(&page, "() => Date.now()").await, json!(NOON_MS + 3_600_000));
        let seen = read(&page, "() => frames_seen").await;
        page.settle_events().await.unwrap();
        assert_eq!(read(&page, "() => frames_seen").await, seen);
        context.close().await.unwrap();
    });
}

#[test]
fn fixed_dates_leave_timers_alone_and_may_be_set_on_a_page_that_is_there() {
    run(async {
        let context = shared_browser().await.new_context(ContextOptions::default()).await.unwrap();
        let page = context.new_page().await.unwrap();
        page.goto(&serve("hello").await).await.unwrap();
        let clock: Clock<'_> = page.clock();
        clock.set_fixed_time(NOON).await.unwrap();
        let waited = "() => new Promise((resolve) => setTimeout(() => resolve(Date.now()), 30))";
        assert_eq!(read(&page, waited).await, json!(NOON_MS));
        clock.set_system_time("2030-01-01T00:00:00Z").await.unwrap();
        let passed = read(&page, waited).await.as_i64().unwrap() - 1_893_456_000_000;
        assert!((30..10_000).contains(&passed), "{passed}");
        let error = clock.run_for(SECOND).await.unwrap_err().to_string();
        assert_eq!(error, "the clock is the machine's own; call Clock::install first");
        context.close().await.unwrap();
    });
}

#[test]
fn timers_that_never_end_are_given_up_with_how_far_they_came() {
    run(async {
        let browser = support::launch_with(|options| options.navigation_deadline = SECOND).await;
        let context = browser.new_context(ContextOptions::default()).await.unwrap();
        context.clock().install(NOON).await.unwrap();
        let page = context.new_page().await.unwrap();
        page.goto("data:text/html,<script>setInterval(() => { let n = 0; while (n < 1e5) n++; }, 1)</script>")
            .await
            .unwrap();
        let error = page.clock().run_for(Duration::from_secs(86_400)).await.unwrap_err().to_string();
        assert!(
            error.starts_with("advancing the clock did not succeed within 1s\ncall log:\n  - timers still fired, "),
            "{error}"
        );
        browser.close().await.unwrap();
    });
}
