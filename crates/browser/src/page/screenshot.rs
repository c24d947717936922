//! Pictures of the page.

use super::Page;
use crate::error::{CallLog, Error, Result};
use crate::frame::Frame;
use crate::locator::{BoundingBox, Locator};
use crate::script::SANDBOX;
use base64::Engine;
use bidi::command::browsing_context::{CaptureScreenshot, Clip, ImageFormat, Origin, Print};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;

/// How a picture is taken.
#[derive(Debug, Clone, Default)]
pub struct ScreenshotOptions {
    /// The whole document, instead of what is on screen.
    pub full_page: bool,
    /// Only this part, counted from the corner of the viewport, or of the document with `full_page`.
    pub clip: Option<BoundingBox>,
    /// A JPEG of this quality, 0 to 100, instead of a PNG.
    pub jpeg_quality: Option<u8>,
    /// Elements that are covered by pink boxes: what differs from run to run.
    pub mask: Vec<Locator>,
    /// Animations and transitions that end are brought to their end, endless ones to their start, where they wait until
    /// the picture is taken.
    pub freeze_animations: bool,
    /// Leaves the blinking text cursor in the picture.
    pub show_caret: bool,
}

const SCRIPT: &str = include_str!("screenshot.js");

/// Where things are, in CSS pixels: what the page says when it is ready.
#[derive(Debug, Clone, Copy, serde::Deserialize)]
struct Layout(f64, f64, f64, f64, f64, f64);

impl Page {
    /// The viewport as a `data:` address of a JPEG, small enough to keep many of.
    pub(crate) async fn thumbnail_within(&self, deadline: Duration) -> Result<String> {
        let format = ImageFormat { kind: "image/jpeg".to_owned(), quality: Some(0.6) };
        let data = self.capture(Origin::Viewport, None, Some(format), deadline).await?;
        Ok(format!("data:image/jpeg;base64,{data}"))
    }

    /// The viewport as PNG, without the text cursor.
    ///
    /// # Errors
    /// [`Error::PageClosed`].
    pub async fn screenshot(&self) -> Result<Vec<u8>> {
        self.screenshot_with(&ScreenshotOptions::default()).await
    }

    /// A picture of the page.
    ///
    /// # Errors
    /// [`Error::OptionRefused`] for a part that is not in the picture, [`Error::PageClosed`].
    pub async fn screenshot_with(&self, options: &ScreenshotOptions) -> Result<Vec<u8>> {
        self.picture(options, None).await
    }

    /// The page as a PDF, on the browser's own paper.
    ///
    /// # Errors
    /// [`Error::PageClosed`].
    pub async fn pdf(&self) -> Result<Vec<u8>> {
        let print = Print { context: self.id().to_owned(), background: true };
        let printed = self.call("printing", &print, self.core().settings.navigation_deadline).await;
        decoded("browsingContext.print", &printed.map_err(|error| self.explain("printing", error))?.data)
    }

    /// A picture of a part of the document, or of what the options say.
    async fn picture(&self, options: &ScreenshotOptions, part: Option<[f64; 4]>) -> Result<Vec<u8>> {
        let frames = self.frames().await?;
        let prepared = self.prepare(&frames, options).await;
        let shot = match prepared {
            Ok(layout) => self.shoot(options, part, layout).await,
            Err(error) => Err(error),
        };
        for frame in &frames {
            // A document that went away took the changes with it.
            let _ = run::<Value>(frame, "restore", None, &[]).await;
        }
        decoded("browsingContext.captureScreenshot", &shot?)
    }

    async fn prepare(&self, frames: &[Frame], options: &ScreenshotOptions) -> Result<Layout> {
        let wanted = json!({ "caret": options.show_caret, "animations": !options.freeze_animations });
        let mut layout = None;
        for frame in frames {
            match run::<Layout>(frame, "prepare", None, std::slice::from_ref(&wanted)).await {
                Ok(of_frame) if frame.is_main() => layout = Some(of_frame),
                // Frames come and go.
                Ok(_) | Err(Error::FrameDetached { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        for mask in &options.mask {
            for element in mask.all().await? {
                let (node, frame) = element.node("cover").await?;
                run::<Value>(&frame, "cover", Some(&node), &[]).await?;
            }
        }
        layout.ok_or_else(|| self.lost("a screenshot"))
    }

    async fn shoot(&self, options: &ScreenshotOptions, part: Option<[f64; 4]>, layout: Layout) -> Result<String> {
        let Layout(scroll_x, scroll_y, width, height, full_width, full_height) = layout;
        let format = options.jpeg_quality.map(|quality| ImageFormat {
            kind: "image/jpeg".to_owned(),
            quality: Some(f64::from(quality.min(100)) / 100.0),
        });
        let (left, top, room) = if options.full_page {
            (0.0, 0.0, [full_width.max(width), full_height.max(height)])
        } else {
            (scroll_x, scroll_y, [width, height])
        };
        let part = match (part, options.clip) {
            (Some(part), _) => Some(part),
            (None, Some(BoundingBox { x, y, width, height })) => {
                let (right, bottom) = ((x + width).min(room[0]), (y + height).min(room[1]));
                let (x, y) = (x.max(0.0), y.max(0.0));
                if right <= x || bottom <= y {
                    let reason = format!("{:?} is outside of {} × {} pixels", options.clip, room[0], room[1]);
                    return Err(Error::OptionRefused { option: "clip", reason });
                }
                Some([left + x, top + y, right - x, bottom - y])
            }
            (None, None) => None,
        };
        let clip = part.map(|[x, y, width, height]| Clip::Box { x, y, width, height });
        let whole = options.full_page || clip.is_some();
        let deadline = self.core().settings.navigation_deadline;
        if self.lifecycle().opened {
            let all = [left, top, room[0], room[1]];
            return self.capture_by_devtools(part.unwrap_or(all), format).await;
        }
        let shot = self.capture(if whole { Origin::Document } else { Origin::Viewport }, clip, format, deadline).await;
        shot.map_err(|error| self.explain("a screenshot", error))
    }

    async fn capture(
        &self,
        origin: Origin,
        clip: Option<Clip>,
        format: Option<ImageFormat>,
        deadline: Duration,
    ) -> Result<String> {
        let command = CaptureScreenshot { context: self.id().to_owned(), origin, format, clip };
        Ok(self.call("a screenshot", &command, deadline).await?.data)
    }

    /// The way for pages that keep their opener, which Chromium's driver leaves without an answer.
    async fn capture_by_devtools(
        &self,
        [x, y, width, height]: [f64; 4],
        format: Option<ImageFormat>,
    ) -> Result<String> {
        let mut params = json!({
            "clip": { "x": x, "y": y, "width": width, "height": height, "scale": 1 },
            "captureBeyondViewport": true,
        });
        if let Some(quality) = format.and_then(|format| format.quality) {
            params["format"] = "jpeg".into();
            params["quality"] = ((quality * 100.0).round() as u64).into();
        }
        let shot = self.chrome_devtools("Page.captureScreenshot", params).await?;
        Ok(shot["data"].as_str().unwrap_or_default().to_owned())
    }
}

impl Locator {
    /// The element as PNG, once it is visible and at rest; scrolled into view for it.
    ///
    /// # Errors
    /// [`Error::Timeout`], [`Error::Strict`], [`Error::PageClosed`]; [`Error::Unsuitable`] in a frame of another site.
    pub async fn screenshot(&self) -> Result<Vec<u8>> {
        self.screenshot_with(&ScreenshotOptions::default()).await
    }

    /// [`screenshot`](Self::screenshot) with options; `full_page` and `clip` have no meaning here.
    ///
    /// # Errors
    /// As for [`screenshot`](Self::screenshot).
    pub async fn screenshot_with(&self, options: &ScreenshotOptions) -> Result<Vec<u8>> {
        let action = format!("screenshot {self}");
        let end = Instant::now() + self.deadline();
        let reason = loop {
            let (node, frame) = self.node("screenshot").await?;
            let left = end.saturating_duration_since(Instant::now());
            let looked = run::<Value>(&frame, "box", Some(&node), &[json!(left.as_millis() as u64)]).await?;
            match looked.as_str() {
                None => {
                    let part: [f64; 4] = serde_json::from_value(looked).unwrap_or_default();
                    return self.page().picture(options, Some(part)).await;
                }
                Some("foreign") => {
                    let reason = "it is in a frame of another site; take a picture of the frame's element".to_owned();
                    return Err(Error::Unsuitable { action, reason });
                }
                // Drawn anew meanwhile: the next look finds another one.
                Some("detached") if Instant::now() < end => {}
                Some(other) => break format!("the element is {other}"),
            }
        };
        Err(Error::Timeout { action, deadline: self.deadline(), log: CallLog(vec![reason]) })
    }
}

/// Calls a function of the script in our isolated world.
async fn run<T: serde::de::DeserializeOwned>(
    frame: &Frame,
    function: &str,
    element: Option<&str>,
    arguments: &[Value],
) -> Result<T> {
    let deadline = frame.page().core().settings.navigation_deadline;
    let source = format!("({SCRIPT}).{function}");
    frame.evaluate_in(Some(SANDBOX), &source, element, arguments, deadline).await
}

fn decoded(method: &str, data: &str) -> Result<Vec<u8>> {
    base64::engine::general_purpose::STANDARD.decode(data).map_err(|error| {
        let (reason, excerpt) = (error.to_string(), "base64 text".to_owned());
        Error::Protocol(bidi::Error::Shape { method: method.to_owned(), reason, excerpt })
    })
}
