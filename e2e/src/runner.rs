use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use browser::{Browser, ContextOptions, SnapshotOptions, Viewport};
use futures_util::FutureExt as _;
use libtest_mimic::{Arguments, Trial};
use once_cell::sync::OnceCell;
use scaffold::{Budgets, Fixture, Model, Scaffold, ScaffoldOptions};

use crate::evidence::Evidence;
use crate::failure::whole;
use crate::phases::Phases;
use crate::scenario::Source;
use crate::{Failure, GoldenStore, Outcome, Phase, Report, Scenario, Settings, SnapshotMode, Stage};

/// Everything the scenarios of one test file share: a runtime and a browser, started by the first that needs it.
pub struct Lane {
    file: &'static str,
    settings: Settings,
    runtime: tokio::runtime::Runtime,
    browser: OnceCell<Browser>,
    report: Report,
}

/// `main` of a test file. Takes the arguments of any cargo test: filters, `--exact`, `--list`, `--test-threads`.
pub fn lane(file: &'static str, scenarios: Vec<Scenario>) -> ExitCode {
    let arguments = Arguments::from_args();
    let lane = match Settings::from_env().map_err(anyhow::Error::from).and_then(|settings| Lane::new(file, settings)) {
        Ok(lane) => Arc::new(lane),
        Err(error) => {
            eprintln!("the lane cannot start: {}", whole(&error));
            return ExitCode::from(2);
        }
    };
    let trials = scenarios
        .into_iter()
        .map(|scenario| {
            let lane = Arc::clone(&lane);
            Trial::test(scenario.name.clone(), move || match lane.run(&scenario) {
                Ok(_) => Ok(()),
                Err(failure) => Err(failure.to_string().into()),
            })
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    let report = lane.report.page();
    let closed = Arc::into_inner(lane).map_or(Ok(()), Lane::close);
    if report.exists() {
        println!("report: file://{}", report.display());
    }
    if let Err(error) = closed {
        eprintln!("the browser did not close cleanly: {}", whole(&error));
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

/// How regions are read: with the marks the page puts on volatile values.
pub(crate) fn snapshot_options() -> SnapshotOptions {
    SnapshotOptions { volatile_attribute: Some("data-volatile".to_owned()), ..SnapshotOptions::default() }
}

impl Lane {
    /// A lane that has started nothing yet.
    pub fn new(file: &'static str, settings: Settings) -> anyhow::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let report = Report::new(settings.report.clone());
        Ok(Self { file, settings, runtime, browser: OnceCell::new(), report })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The page of the report.
    pub fn report_page(&self) -> PathBuf {
        self.report.page()
    }

    /// The browser all scenarios of the file share.
    pub fn browser(&self) -> anyhow::Result<&Browser> {
        self.browser.get_or_try_init(|| Ok(self.runtime.block_on(Browser::launch(self.settings.browser.clone()))?))
    }

    /// Ends the browser.
    pub fn close(self) -> anyhow::Result<()> {
        let Self { browser, runtime, .. } = self;
        match browser.into_inner() {
            Some(browser) => Ok(runtime.block_on(browser.close())?),
            None => Ok(()),
        }
    }

    /// Runs one scenario to its end: boot, steps, guards, close, evidence, record.
    pub fn run(&self, scenario: &Scenario) -> Result<Outcome, Failure> {
        let begun = Instant::now();
        let mut failure = Failure::default();
        let mut phases = Vec::new();
        let mut picture = None;
        match self.browser() {
            Ok(browser) => {
                let played = self.play(browser, scenario, &mut phases, &mut failure);
                picture = self.runtime.block_on(played);
            }
            Err(error) => failure.add(format_args!("the browser did not start: {}", whole(&error))),
        }
        let relative = |path: &Path| path.strip_prefix(self.report.folder()).ok()?.to_str().map(str::to_owned);
        let outcome = Outcome {
            file: self.file.to_owned(),
            scenario: scenario.name.clone(),
            passed: failure.is_empty(),
            milliseconds: begun.elapsed().as_millis() as u64,
            phases,
            message: failure.text(),
            picture,
            evidence: failure.evidence.as_deref().and_then(relative),
        };
        if let Err(error) = self.report.add(&outcome) {
            failure.add(format_args!("the report {} cannot be written: {error}", self.report.page().display()));
        }
        if failure.is_empty() { Ok(outcome) } else { Err(failure) }
    }

    async fn play(
        &self,
        browser: &Browser,
        scenario: &Scenario,
        phases: &mut Vec<Phase>,
        failure: &mut Failure,
    ) -> Option<String> {
        let folder = self.report.folder().join(self.file).join(&scenario.name);
        let stage = match self.set_up(browser, scenario, &folder).await {
            Ok(stage) => stage,
            Err(error) => {
                failure.add(whole(&error));
                Evidence::of_a_start(browser).keep(&scenario.name, failure, &folder);
                return None;
            }
        };
        let deadline = self.settings.scenario_deadline;
        let steps = AssertUnwindSafe((scenario.body)(&stage)).catch_unwind();
        match tokio::time::timeout(deadline, steps).await {
            Ok(Ok(Ok(()))) => {}
            Ok(Ok(Err(error))) => failure.add(whole(&error)),
            Ok(Err(panic)) => failure.add(format_args!("panicked: {}", panic_text(&*panic))),
            Err(_) => failure.add(format_args!(
                "the scenario was not done within its {deadline:?}\n{}",
                stage.host.host().describe_state().await
            )),
        }
        stage.mark("steps");
        // A dead browser is one finding, not one for each thing that cannot be asked of it any more.
        let gone = matches!(stage.page.title().await, Err(browser::Error::BrowserGone { .. }));
        if gone {
            failure.add_if_first("the browser is gone");
        } else {
            check_guards(&stage, scenario, failure).await;
        }
        stage.mark("guards");
        if let Some(path) = stage.recording.as_ref().filter(|_| failure.is_empty())
            && let Err(error) = record(&stage, path).await
        {
            failure.add(whole(&error));
        }
        if self.settings.keep {
            keep_up(&stage, browser, failure).await;
        }
        let evidence = Evidence::gather(&stage, browser).await;
        if !failure.is_empty() {
            stage.trace.look_again().await;
        }
        stage.mark("evidence");
        let states = std::mem::take(&mut *stage.shown());
        let Stage { host, context, trace, goldens, phases: marks, .. } = stage;
        let mut marks = marks.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Closes its page too. Of a dead browser nothing is left to close.
        if !gone && let Err(error) = context.close().await {
            failure.add(format_args!("closing the context: {error}"));
        }
        if let Err(error) = host.close().await {
            failure.add(error);
        }
        marks.mark("close");
        *phases = marks.into_done();
        if failure.is_empty()
            && let Err(error) = goldens.refresh(&scenario.name, states.states())
        {
            failure.add(error);
        }
        if failure.is_empty() {
            trace.discard();
            return evidence.write_picture(self.report.folder(), &format!("{}--{}", self.file, scenario.name));
        }
        if let Err(error) = trace.save(Some(&failure.text())).await {
            failure.add(format_args!("the trace: {error}"));
        }
        evidence.keep(&scenario.name, failure, &folder);
        None
    }

    fn fixture_path(&self, name: &str) -> PathBuf {
        self.settings.fixtures.join(name).join("session.jsonl")
    }

    async fn set_up(&self, browser: &Browser, scenario: &Scenario, folder: &Path) -> anyhow::Result<Stage> {
        let fixture = match &scenario.fixture {
            None => None,
            Some(Source::Given(log)) => Some(log.as_ref().clone()),
            Some(Source::Named(name)) => Some(Fixture::load(&self.fixture_path(name))?),
        };
        let recording = match (&scenario.fixture, self.settings.mode) {
            (Some(Source::Named(name)), SnapshotMode::Record) if scenario.replayed => Some(self.fixture_path(name)),
            _ => None,
        };
        let model = match (&fixture, self.settings.mode, &self.settings.provider) {
            (Some(_), SnapshotMode::Record, Some(provider)) if scenario.replayed => Model::Provider(provider.clone()),
            (Some(fixture), _, _) if scenario.replayed => Model::Replay(fixture.clone()),
            _ => Model::None,
        };
        let mut budgets = Budgets::default();
        budgets.event = scenario.event_budget.unwrap_or(budgets.event);
        let options = ScaffoldOptions { model, pace: scenario.pace, patches: scenario.patches.clone(), budgets };
        let mut marks = Phases::begin(browser.process_group());
        let host = Scaffold::boot(options).await?;
        marks.mark("boot");
        let opened = match browser.new_context(reader()).await {
            Ok(context) => match context.new_page().await {
                Ok(page) => Ok((context, page)),
                // The first error is the one to report; a context without a page burdens nobody but this browser.
                Err(error) => context.close().await.and(Err(error)),
            },
            Err(error) => Err(error),
        };
        match opened {
            Ok((context, page)) => {
                marks.mark("context");
                let goldens = scenario
                    .goldens
                    .clone()
                    .unwrap_or_else(|| GoldenStore::new(self.settings.goldens.clone(), self.settings.mode));
                let event_budget = budgets.event;
                let trace = context.start_trace(&scenario.name, folder.join("trace.html"));
                let stage = Stage {
                    scenario: scenario.name.clone(),
                    host,
                    page,
                    fixture,
                    goldens,
                    event_budget,
                    recording,
                    shown: Mutex::default(),
                    context,
                    trace,
                    documents: Mutex::default(),
                    attachments: Mutex::default(),
                    phases: Mutex::new(marks),
                };
                Ok(stage)
            }
            Err(error) => {
                // The cause is the page that did not open; an unconsumed script is only its consequence.
                let _ = host.close().await;
                Err(anyhow::Error::from(error).context("the page could not be opened"))
            }
        }
    }
}

/// Writes the one session of a recording run as the fixture.
async fn record(stage: &Stage, path: &Path) -> anyhow::Result<()> {
    let sessions = stage.host.host().attached_sessions();
    let [session] = sessions.as_slice() else {
        anyhow::bail!("a recording has one session, this scenario opened {}; record them one by one", sessions.len())
    };
    stage.host.when_idle(session).await?;
    Ok(stage.host.record_fixture(session, path).await?)
}

/// The person in front of the page: nothing about them comes from the machine.
fn reader() -> ContextOptions {
    ContextOptions {
        viewport: Some(Viewport { width: 1280, height: 800 }),
        locale: Some("en-US".to_owned()),
        timezone: Some("UTC".to_owned()),
        // Light, as a browser without a desktop is; asking for it needs a newer Chromium than all else here.
        color_scheme: None,
        ..ContextOptions::default()
    }
}

/// The guards: structured facts only, read after every event the browser sent before has arrived.
async fn check_guards(stage: &Stage, scenario: &Scenario, failure: &mut Failure) {
    match stage.page.settle_events().await {
        Err(error) => failure.add(format_args!("the page's events cannot be read: {error}")),
        Ok(()) => {
            for problem in scenario.budget.undeclared(stage.context.problems()) {
                failure.add(format_args!("page guard: {problem}"));
            }
        }
    }
    if scenario.replayed {
        check_prompts(stage, failure);
    }
    let (shown, loaded) = (documents_shown(stage), stage.documents().loaded());
    if shown != loaded {
        failure.add(format_args!(
            "the page showed {shown} documents, the scenario loaded {loaded} (Stage::open, Stage::reload); what the \
             client counted in between is lost"
        ));
    }
    match stage.counters().await {
        Err(error) => failure.add(format_args!("the client's counters cannot be read: {}", whole(&error))),
        Ok(None) if stage.documents().loaded() == 0 => {}
        Ok(None) => failure.add("the page is not dsh any more, so nobody knows what its client counted"),
        Ok(Some(counters)) => {
            let documents = stage.documents();
            if let Err(difference) = scenario.budget.check(&documents.total(counters), documents.loaded()) {
                failure.add(difference);
            }
        }
    }
}

/// How often the page of dsh itself was answered, by whatever it was asked.
fn documents_shown(stage: &Stage) -> u64 {
    let is_page = |request: &browser::Request| {
        let after_scheme = request.url.split_once("://").map_or("", |(_, rest)| rest);
        let path = after_scheme.find('/').map_or("", |slash| &after_scheme[slash..]);
        request.method == "GET" && path.split('#').next() == Some("/")
    };
    stage.page.requests().iter().filter(|request| is_page(request)).count() as u64
}

/// The prompts the model was asked are those of the fixture, in order: a script that answers another question than the
/// recorded one proves nothing.
fn check_prompts(stage: &Stage, failure: &mut Failure) {
    let (Some(model), Some(fixture)) = (stage.host.model(), &stage.fixture) else { return };
    let recorded = fixture.user_prompts();
    let Some(last) = model.calls().pop() else { return };
    let asked: Vec<String> = last
        .request
        .messages
        .iter()
        .filter(|message| message.source.kind == "user")
        .map(session::Message::text)
        .collect();
    if !recorded.starts_with(&asked) {
        failure.add(format_args!(
            "the prompts differ from those of the fixture {}:\n  asked:    {asked:?}\n  recorded: {recorded:?}\n\
             type the recorded prompt (Stage::send_recorded_prompt) or record the fixture anew",
            fixture.origin().display()
        ));
    }
}

/// Leaves everything as it is until Ctrl-C and says where it is.
async fn keep_up(stage: &Stage, browser: &Browser, failure: &Failure) {
    let outcome = if failure.is_empty() { "passed".to_owned() } else { format!("failed: {failure}") };
    eprintln!(
        "\nDSH_KEEP: scenario {} {outcome}\n  page       {}\n  workspace  {}\n  state      {}\n  browser    {}\n\
         server and browser stay up; Ctrl-C ends them",
        stage.scenario,
        stage.host.url(),
        stage.workspace().display(),
        stage.host.state_root().display(),
        browser.version().browser,
    );
    // Without a signal handler there is nothing to wait for: go on and close.
    let _ = tokio::signal::ctrl_c().await;
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_else(|| "with a value that is no text".to_owned())
}
