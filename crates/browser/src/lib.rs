//! Browser automation for Rust tests: Chromium, started and ended by this crate, driven over
//! WebDriver BiDi.
//!
//! A [`Browser`] owns the driver process and everything it starts. A [`Context`] is an isolated
//! profile; a [`Page`] is a window of it; a [`Locator`] says which element is meant and is
//! resolved anew for every action, so it never goes stale. Actions wait until the element can be
//! acted on, assertions wait until they hold, and both say what they saw when they give up.
//!
//! ```no_run
//! # async fn example() -> browser::Result<()> {
//! use browser::{Browser, ContextOptions, LaunchOptions};
//!
//! let browser = Browser::launch(LaunchOptions::from_env()).await?;
//! let context = browser.new_context(ContextOptions::default()).await?;
//! let page = context.new_page().await?;
//! page.goto("http://127.0.0.1:8080/").await?;
//! page.get_by_label("Message").fill("hello").await?;
//! page.get_by_role("button", "Send").click().await?;
//! page.get_by_role("listitem", "hello").expect().to_be_visible().await?;
//! page.settle_events().await?;
//! assert_eq!(page.problems(), []);
//! browser.close().await?;
//! # Ok(()) }
//! ```

mod action;
mod browser;
mod clock;
mod context;
mod error;
mod expect;
mod frame;
mod input;
mod launch;
mod link;
mod locator;
mod monitor;
mod network;
mod page;
mod script;
mod trace;

pub use action::{ClickOptions, DragOptions, InputFile, PointOptions, SelectOption, TypeOptions};
#[doc = include_str!("../docs/from-playwright.md")]
pub mod from_playwright {}

pub use browser::Browser;
pub use clock::{Clock, ClockTime};
pub use context::{
    ColorScheme, Context, ContextOptions, Cookie, Geolocation, Media, OriginStorage, PermissionState, SameSite,
    StorageItem, StorageState, Viewport,
};
pub use error::{CallLog, Error, Result};
pub use expect::{Expect, PageExpect, Poll, Soft, poll};
pub use frame::Frame;
pub use input::{Button, Keyboard, Modifier, Mouse, Touchscreen};
pub use launch::{LaunchOptions, Process, Version};
pub use locator::{BoundingBox, FrameLocator, Locator, RoleOptions, TextMatch};
pub use monitor::{ConsoleEntry, Location, PageEvent, Problem, ProblemKind};
pub use network::{
    Fulfill, Headers, Hold, Request, RequestChanges, RequestState, Response, Route, RouteHandle, Timing, UrlPattern,
};
pub use page::{
    AnsweredBy, Dialog, DialogAnswer, DialogKind, Download, Events, Expectation, FileChooser, LoadState,
    NavigationOptions, Page, ScreenshotOptions, SnapshotOptions,
};
pub use trace::{Trace, TraceOptions};
