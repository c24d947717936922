use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use aria::Check;
use browser::{Context, Page, Trace};
use client::{Counters, Diagnostics};
use scaffold::{Fixture, Scaffold};

use crate::golden::Shown;
use crate::guard::Documents;
use crate::phases::Phases;
use crate::{Golden, GoldenError, GoldenStore, Token};

const NEXT_FRAME: &str = "() => new Promise(done => requestAnimationFrame(() => done(null)))";

/// What a scenario acts on: a booted host, a page in a context of its own, the fixture and the goldens.
pub struct Stage {
    pub(crate) scenario: String,
    pub(crate) host: Scaffold,
    pub(crate) page: Page,
    pub(crate) fixture: Option<Fixture>,
    pub(crate) goldens: GoldenStore,
    pub(crate) event_budget: Duration,
    pub(crate) recording: Option<PathBuf>,
    pub(crate) shown: Mutex<Shown>,
    pub(crate) context: Context,
    /// Every action, with the page before and after it; kept of failures only.
    pub(crate) trace: Trace,
    pub(crate) documents: Mutex<Documents>,
    /// Where the time goes.
    pub(crate) phases: Mutex<Phases>,
    /// Texts for the evidence of a failure, by file name.
    pub(crate) attachments: Mutex<Vec<(&'static str, String)>>,
}

impl Stage {
    /// The scenario's name.
    pub fn scenario(&self) -> &str {
        &self.scenario
    }

    /// The host side: barriers, seeds, durable logs.
    pub fn host(&self) -> &Scaffold {
        &self.host
    }

    /// The page.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// The workspace sessions work in.
    pub fn workspace(&self) -> &Path {
        self.host.workspace()
    }

    /// The recorded log this scenario replays or seeds.
    pub fn fixture(&self) -> anyhow::Result<&Fixture> {
        self.fixture.as_ref().with_context(|| format!("scenario {} declares no fixture", self.scenario))
    }

    /// Longest wait for one event.
    pub fn event_budget(&self) -> Duration {
        self.event_budget
    }

    /// Opens the web interface and waits until it is connected and at rest. What the page that goes away counted is
    /// kept for the guards.
    pub async fn open(&self) -> anyhow::Result<Diagnostics> {
        self.leave_document().await?;
        self.page.goto(&self.host.url()).await?;
        self.connected().await
    }

    /// Loads the page anew, like [`open`](Self::open).
    pub async fn reload(&self) -> anyhow::Result<Diagnostics> {
        self.leave_document().await?;
        self.page.reload().await?;
        self.connected().await
    }

    async fn leave_document(&self) -> anyhow::Result<()> {
        let counters = self.counters().await?;
        self.documents().leave(counters);
        Ok(())
    }

    /// Types the fixture's prompt number `index` with real keys and sends it with Enter.
    pub async fn send_recorded_prompt(&self, index: usize) -> anyhow::Result<()> {
        let prompts = self.fixture()?.user_prompts();
        let prompt = prompts.get(index).with_context(|| {
            format!("the fixture has {} prompts, prompt {index} (from 0) is not among them", prompts.len())
        })?;
        self.send(prompt).await
    }

    /// Types a prompt with real keys and sends it with Enter. A line break is typed as Shift+Enter.
    pub async fn send(&self, prompt: &str) -> anyhow::Result<()> {
        let composer = self.page.locator("[data-composer] textarea");
        composer.click().await?;
        for (index, line) in prompt.split('\n').enumerate() {
            if index > 0 {
                composer.press("Shift+Enter").await?;
            }
            composer.press_sequentially(line).await?;
        }
        let typed = composer.input_value().await?;
        ensure!(typed == prompt, "the composer shows {typed:?} after typing {prompt:?}");
        composer.press("Enter").await?;
        Ok(())
    }

    /// Compares a declared state with its golden: waits for the readiness anchors, then reads until two reads in a
    /// row agree.
    pub async fn golden(&self, golden: Golden) -> anyhow::Result<()> {
        for anchor in &golden.ready {
            self.page
                .locator(anchor)
                .first()
                .within(self.event_budget)
                .expect()
                .to_be_attached()
                .await
                .with_context(|| format!("golden {}: readiness anchor {anchor}", golden.state))?;
        }
        let tree = self.stable_snapshot(golden.region).await.with_context(|| format!("golden {}", golden.state))?;
        let rules: Vec<_> = golden.tokens.iter().map(|token| self.rule(*token)).collect();
        let tree = tree.apply_tokens(&rules).with_context(|| format!("golden {}: volatile values", golden.state))?;
        let yaml = tree.to_yaml();
        self.shown().note(golden.state, &yaml).map_err(anyhow::Error::msg)?;
        let checked = self.goldens.check(&self.scenario, golden.state, &yaml);
        if let Err(GoldenError::Differs { diff, .. }) = &checked {
            self.attach("diff.txt", diff.clone());
        }
        Ok(checked?)
    }

    /// Everything since the last mark counts as `phase` in the record of the run.
    pub fn mark(&self, phase: &str) {
        self.phases.lock().unwrap_or_else(PoisonError::into_inner).mark(phase);
    }

    pub(crate) fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a text for the evidence, should the scenario fail.
    pub fn attach(&self, file: &'static str, text: String) {
        self.attachments.lock().unwrap_or_else(PoisonError::into_inner).push((file, text));
    }

    async fn stable_snapshot(&self, region: &str) -> anyhow::Result<aria::Snapshot> {
        let deadline = tokio::time::Instant::now() + self.event_budget;
        let mut last = self.page.locator(region).aria_snapshot(&crate::runner::snapshot_options()).await?;
        loop {
            self.page.evaluate::<()>(NEXT_FRAME, &[]).await?;
            let next = self.page.locator(region).aria_snapshot(&crate::runner::snapshot_options()).await?;
            if next == last {
                return Ok(next);
            }
            ensure!(
                tokio::time::Instant::now() < deadline,
                "region {region} was never the same in two reads in a row for {:?}; the last two differ:\n{}",
                self.event_budget,
                aria::diff(&last, &next)
            );
            last = next;
        }
    }

    fn rule(&self, token: Token) -> aria::TokenRule {
        let workspace = self.workspace();
        let check = match token {
            Token::Clock => Check::Clock,
            Token::Duration => Check::Duration,
            Token::SessionId => Check::Uuid,
            Token::WorkspaceName => {
                let name = workspace.file_name().unwrap_or_default().to_string_lossy();
                Check::Exact(name.into_owned())
            }
            Token::WorkspacePath => Check::Exact(workspace.to_string_lossy().into_owned()),
        };
        aria::TokenRule::new(token.kind(), check)
    }

    /// The client's counters, `None` while no page of ours is loaded.
    pub async fn counters(&self) -> anyhow::Result<Option<Counters>> {
        let read = "() => globalThis.__dsh ? JSON.parse(globalThis.__dsh.state()) : null";
        let state: Option<Diagnostics> = self.page.evaluate(read, &[]).await?;
        Ok(state.map(|state| state.counters))
    }
}
