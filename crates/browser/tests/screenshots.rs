//! Pictures show what was asked for, and taking them changes nothing. The browser itself reads them.

mod support;

use browser::{BoundingBox, Context, Error, Page, ScreenshotOptions};
use serde_json::{Value, json};
use support::{page_with, run, serve};

/// Size and the colours at the given points, as `r,g,b`.
async fn look(page: &Page, picture: &[u8], points: &[(u32, u32)]) -> Value {
    let script = "async (bytes, points) => {
        const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        const colours = points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3).join());
        return [bitmap.width, bitmap.height, ...colours];
    }";
    let points: Vec<Value> = points.iter().map(|(x, y)| json!([x, y])).collect();
    page.evaluate(script, &[json!(picture), json!(points)]).await.unwrap()
}

async fn page(body: &str) -> (Context, Page) {
    page_with(&format!("<style>body {{ margin: 0 }}</style>{body}")).await
}

const RED: &str = "255,0,0";
const WHITE: &str = "255,255,255";
const PINK: &str = "255,0,255";

#[test]
fn viewport_whole_page_and_parts_have_their_size() {
    run(async {
        let (context, page) =
            page("<div style='height: 2000px'></div><div style='height: 100px; background: red'></div>").await;
        let shot = page.screenshot().await.unwrap();
        assert!(shot.starts_with(b"\x89PNG"));
        assert_eq!(look(&page, &shot, &[(5, 5)]).await, json!([1280, 720, WHITE]));
        let whole = ScreenshotOptions { full_page: true, ..ScreenshotOptions::default() };
        let shot = page.screenshot_with(&whole).await.unwrap();
        assert_eq!(look(&page, &shot, &[(5, 5), (5, 2050)]).await, json!([1280, 2100, WHITE, RED]));
        let clip = |x, y| Some(BoundingBox { x, y, width: 50.0, height: 40.0 });
        let part = ScreenshotOptions { clip: clip(10.0, 1980.0), ..whole };
        let shot = page.screenshot_with(&part).await.unwrap();
        assert_eq!(look(&page, &shot, &[(5, 5), (5, 35)]).await, json!([50, 40, WHITE, RED]));
        // Counted from what is on screen.
        page.evaluate::<Value>("() => scrollTo(0, 1380)", &[]).await.unwrap();
        let part = ScreenshotOptions { clip: clip(0.0, 600.0), jpeg_quality: Some(90), ..ScreenshotOptions::default() };
        let shot = page.screenshot_with(&part).await.unwrap();
        assert!(shot.starts_with(b"\xff\xd8"));
        assert_eq!(look(&page, &shot, &[]).await, json!([50, 40]));
        let outside = ScreenshotOptions { clip: clip(2000.0, 0.0), ..ScreenshotOptions::default() };
        let error = page.screenshot_with(&outside).await.unwrap_err().to_string();
        assert!(error.starts_with("cannot set clip: ") && error.contains("is outside of 1280 × 720 pixels"), "{error}");
        assert!(page.pdf().await.unwrap().starts_with(b"%PDF"));
        context.close().await.unwrap();
    });
}

#[test]
fn element_is_scrolled_to_and_taken_also_in_a_frame() {
    run(async {
        let red =
            "<div style='height: 1500px'></div><p style='margin: 0; width: 70px; height: 30px; background: red'></p>";
        let inner = format!("<body style=\"margin: 0\">{}", red.replace('\'', "\""));
        let (context, page) =
            page(&format!("{red}<iframe srcdoc='{inner}' style='margin-left: 40px; border: 7px solid blue'></iframe>"))
                .await;
        let shot = page.locator("body > p").screenshot().await.unwrap();
        assert_eq!(look(&page, &shot, &[(0, 0), (69, 29)]).await, json!([70, 30, RED, RED]));
        let shot = page.frame_locator("iframe").locator("p").screenshot().await.unwrap();
        assert_eq!(look(&page, &shot, &[(0, 0), (69, 29)]).await, json!([70, 30, RED, RED]));
        page.evaluate::<Value>("() => { document.querySelector('p').hidden = true; }", &[]).await.unwrap();
        let error = page.locator("body > p").within(support::SOON).screenshot().await.unwrap_err().to_string();
        let expected =
            "screenshot locator(\"body > p\") did not succeed within 700ms\ncall log:\n  - the element is hidden";
        assert_eq!(error, expected);
        context.close().await.unwrap();
    });
}

#[test]
fn masks_cover_and_frozen_animations_stand_and_nothing_stays_behind() {
    run(async {
        let (context, page) = page(
            "<style>
            @keyframes turn { from { background: rgb(0, 128, 0) } to { background: rgb(0, 0, 255) } }
            div { width: 100px; height: 100px }
            #ends { animation: turn 1000s forwards } #endless { animation: turn 1000s infinite alternate }
            </style><div id=ends></div><div id=endless></div><div id=clock></div><dialog style='padding: 0; border: 0;
            margin: 0; width: 100px; height: 100px; left: 300px; top: 0'><div id=inside></div></dialog>
            <script>document.querySelector('dialog').showModal()</script>",
        )
        .await;
        let options = ScreenshotOptions {
            freeze_animations: true,
            mask: vec![page.locator("#clock"), page.locator("#inside"), page.locator("#nowhere")],
            ..ScreenshotOptions::default()
        };
        let shot = page.screenshot_with(&options).await.unwrap();
        let seen = look(&page, &shot, &[(350, 50), (50, 250)]).await;
        assert_eq!(seen, json!([1280, 720, PINK, PINK]));
        page.evaluate::<Value>("() => document.querySelector('dialog').close()", &[]).await.unwrap();
        let shot = page.screenshot_with(&ScreenshotOptions { mask: Vec::new(), ..options }).await.unwrap();
        let seen = look(&page, &shot, &[(50, 50), (50, 150), (50, 250)]).await;
        assert_eq!(seen, json!([1280, 720, "0,0,255", "0,128,0", WHITE]));
        let left = "() => [document.adoptedStyleSheets.length, document.documentElement.children.length,
            document.getAnimations().filter(({ playState }) => playState === 'running').length]";
        assert_eq!(page.evaluate::<Value>(left, &[]).await.unwrap(), json!([0, 2, 1]));
        context.close().await.unwrap();
    });
}
#[test]
fn page_that_keeps_its_opener_has_a_picture_too() {
    run(async {
        let (context, page) = page("hello").await;
        let url = serve("<body style='background: red'>").await;
        let opened = page.expect_popup();
        page.evaluate::<Value>("(url) => { open(url); }", &[json!(url)]).await.unwrap();
        let popup = opened.await.unwrap();
        popup.wait_for_url(|at| at == url).await.unwrap();
        let shot = popup.screenshot().await.unwrap();
        assert_eq!(look(&page, &shot, &[(5, 600)]).await, json!([1280, 720, RED]));
        popup.close().await.unwrap();
        assert!(matches!(popup.screenshot().await.unwrap_err(), Error::PageClosed { .. }));
        context.close().await.unwrap();
    });
}
