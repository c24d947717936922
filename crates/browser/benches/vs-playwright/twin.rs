//! Playwright's side: a Node process that is told what to do, a line at a time.

use crate::Outcome;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

pub(crate) struct Twin {
    process: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/vs-playwright")
}

impl Twin {
    /// Starts it on the Chromium at `executable`. The inner error says what is not installed.
    pub(crate) async fn start(executable: &Path, address: &str) -> Outcome<Result<Self, String>> {
        if !folder().join("node_modules/playwright").exists() {
            return Ok(Err(
                "Playwright is not installed; run `npm install` in crates/browser/benches/vs-playwright".into()
            ));
        }
        let spawned = Command::new("node")
            .arg(folder().join("twin.mjs"))
            .arg(executable)
            .arg(address)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        let mut process = match spawned {
            Ok(process) => process,
            Err(error) => return Ok(Err(format!("Node does not start ({error}); install Node"))),
        };
        let (Some(requests), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("Node has no standard streams".into());
        };
        let mut twin = Self { process, requests, answers: BufReader::new(output).lines() };
        twin.answer().await?;
        Ok(Ok(twin))
    }

    /// Does a job so many times; the milliseconds of each.
    pub(crate) async fn run(&mut self, job: &str, times: usize) -> Outcome<Vec<f64>> {
        let line = json!({ "job": job, "times": times }).to_string() + "\n";
        self.requests.write_all(line.as_bytes()).await?;
        Ok(serde_json::from_value(self.answer().await?)?)
    }

    async fn answer(&mut self) -> Outcome<Value> {
        match self.answers.next_line().await? {
            Some(line) => Ok(serde_json::from_str(&line)?),
            None => Err("Playwright's side ended before it answered; its own words are above".into()),
        }
    }

    pub(crate) async fn end(self) -> Outcome<()> {
        let Self { mut process, requests, .. } = self;
        drop(requests);
        process.wait().await?;
        Ok(())
    }
}
