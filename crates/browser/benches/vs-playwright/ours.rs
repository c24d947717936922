//! This library's side, and the pages for both.

use crate::Outcome;
use axum::Router;
use axum::response::Html;
use axum::routing::get;
use browser::{Browser, ContextOptions, LaunchOptions, Page, SnapshotOptions};
use std::path::PathBuf;
use std::time::Instant;

const TRANSCRIPT: &str = include_str!("../pages/transcript-500.html");
const FORM: &str = "<!doctype html><html lang=en><title>Form</title>\
    <p><label>Message <input></label></p><p><label>Typed <input></label></p>\
    <p><button>Send</button></p><p data-testid=status>ready</p>";

/// Serves the pages at a free port.
pub(crate) async fn serve() -> Outcome<String> {
    let pages = Router::new()
        .route("/transcript", get(|| async { Html(TRANSCRIPT) }))
        .route("/form", get(|| async { Html(FORM) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}/", listener.local_addr()?);
    tokio::spawn(async move { axum::serve(listener, pages).await });
    Ok(address)
}

pub(crate) struct Ours {
    browser: Browser,
    form_url: String,
    transcript: Page,
    form: Page,
}

impl Ours {
    pub(crate) async fn start(address: &str) -> Outcome<Self> {
        let browser = Browser::launch(LaunchOptions::from_env()).await?;
        let form_url = format!("{address}form");
        let transcript = shown(&browser, &format!("{address}transcript")).await?;
        let form = shown(&browser, &form_url).await?;
        Ok(Self { browser, form_url, transcript, form })
    }

    /// The program that runs: both sides use the same one.
    pub(crate) fn executable(&self) -> Outcome<PathBuf> {
        Ok(std::fs::read_link(format!("/proc/{}/exe", self.browser.pid()))?)
    }

    pub(crate) fn version(&self) -> &str {
        &self.browser.version().browser
    }

    /// Does a job so many times; the milliseconds of each.
    pub(crate) async fn run(&self, job: &str, times: usize) -> Outcome<Vec<f64>> {
        let mut taken = Vec::with_capacity(times);
        for time in 0..times {
            let start = Instant::now();
            self.once(job, time).await?;
            taken.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        Ok(taken)
    }

    async fn once(&self, job: &str, time: usize) -> Outcome<()> {
        let Self { form, .. } = self;
        match job {
            "snapshot" => drop(self.transcript.aria_snapshot(&SnapshotOptions::default()).await?.to_yaml()),
            "click" => form.get_by_role("button", "Send").click().await?,
            "fill" => form.get_by_label("Message").fill(&format!("message {time}")).await?,
            "type" => form.get_by_label("Typed").press_sequentially("twenty-four characters..").await?,
            "text" => form.get_by_test_id("status").expect().to_have_text("ready").await?,
            "context" => {
                let context = self.browser.new_context(ContextOptions::default()).await?;
                context.new_page().await?.goto(&self.form_url).await?;
                context.close().await?;
            }
            other => return Err(format!("no job {other:?} here").into()),
        }
        Ok(())
    }

    pub(crate) async fn end(self) -> Outcome<()> {
        self.browser.close().await?;
        Ok(())
    }
}

async fn shown(browser: &Browser, url: &str) -> Outcome<Page> {
    let page = browser.new_context(ContextOptions::default()).await?.new_page().await?;
    page.goto(url).await?;
    Ok(page)
}
