//! What is kept of a scenario: a picture of the end for the report, and of a failure one folder with everything there
//! is to see and a page that shows it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::PoisonError;

use browser::Browser;

use crate::report::{escape, page};
use crate::{Failure, Stage};

/// Gathered before page and host close, since some failures only show while they close.
pub(crate) struct Evidence {
    screenshot: Result<Vec<u8>, String>,
    texts: Vec<(&'static str, String)>,
}

impl Evidence {
    /// Everything there is to see. What cannot be had any more (a dead browser shows nothing) is said in its place.
    pub(crate) async fn gather(stage: &Stage, browser: &Browser) -> Self {
        let gone = |error: browser::Error| format!("not to be had: {error}");
        let screenshot = stage.page.screenshot().await.map_err(|error| error.to_string());
        let tree = stage.page.locator("body").aria_snapshot(&crate::runner::snapshot_options()).await;
        let read = "() => globalThis.__dsh ? JSON.parse(globalThis.__dsh.state()) : null";
        let state = stage.page.evaluate::<serde_json::Value>(read, &[]).await;
        let mut texts = vec![
            ("snapshot.yaml", tree.map_or_else(gone, |tree| tree.to_yaml())),
            ("page-state.json", state.map_or_else(gone, |state| pretty(&state))),
            ("problems.txt", lines(stage.page.problems())),
            ("console.txt", lines(stage.page.console())),
            ("requests.txt", lines(stage.page.requests())),
            ("frames.jsonl", stage.host.frames()),
            ("host.txt", stage.host.host().describe_state().await),
            ("host-events.jsonl", stage.host.host_events()),
            ("server.log", stage.host.server_log()),
            ("driver.log", browser.driver_log().join("\n")),
        ];
        texts.extend(stage.attachments.lock().unwrap_or_else(PoisonError::into_inner).drain(..));
        if let Some(model) = stage.host.model() {
            texts.push(("model-calls.txt", lines(model.calls())));
        }
        Self { screenshot, texts }
    }

    /// What there is when nothing was opened yet.
    pub(crate) fn of_a_start(browser: &Browser) -> Self {
        let screenshot = Err("no page was opened yet".to_owned());
        Self { screenshot, texts: vec![("driver.log", browser.driver_log().join("\n"))] }
    }

    /// Writes the folder of a failure and names it there.
    pub(crate) fn keep(&self, scenario: &str, failure: &mut Failure, folder: &Path) {
        match self.write(scenario, failure, folder) {
            Ok(()) => failure.evidence = Some(folder.to_owned()),
            Err(error) => {
                failure.add(format_args!("the evidence could not be written to {}: {error}", folder.display()));
            }
        }
    }

    /// The picture for the report's row; its name relative to the report.
    pub(crate) fn write_picture(&self, report: &Path, scenario: &str) -> Option<String> {
        let name = format!("pictures/{scenario}.png");
        fs::create_dir_all(report.join("pictures")).ok()?;
        fs::write(report.join(&name), self.screenshot.as_ref().ok()?).ok()?;
        Some(name)
    }

    /// The folder of a failure.
    fn write(&self, scenario: &str, failure: &Failure, folder: &Path) -> std::io::Result<()> {
        fs::create_dir_all(folder)?;
        let findings = failure.text();
        fs::write(folder.join("findings.txt"), &findings)?;
        let mut body = format!("<h1>{} failed</h1><pre>{}</pre>", escape(scenario), escape(&findings));
        if folder.join("trace.html").exists() {
            body.push_str("<p><a href=trace.html>What was done, step by step, with the page before and after</a></p>");
        }
        match &self.screenshot {
            Ok(png) => {
                fs::write(folder.join("screenshot.png"), png)?;
                body.push_str("<img src=screenshot.png alt=\"The page at the end of the scenario\">");
            }
            Err(error) => {
                let _ = write!(body, "<p>No screenshot: {}</p>", escape(error));
            }
        }
        for (name, text) in &self.texts {
            fs::write(folder.join(name), text)?;
            let _ = write!(body, "<details><summary>{name}</summary><pre>{}</pre></details>", escape(text));
        }
        fs::write(folder.join("index.html"), page(&format!("{scenario} failed"), &body))
    }
}

fn pretty(state: &serde_json::Value) -> String {
    serde_json::to_string_pretty(state).unwrap_or_default()
}

fn lines<T: std::fmt::Debug>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| format!("{item:?}")).collect::<Vec<_>>().join("\n")
}
