use std::time::Duration;

use futures_util::future::LocalBoxFuture;
use host::Patch;

use crate::{Budget, GoldenStore, Stage};

type Body = Box<dyn for<'a> Fn(&'a Stage) -> LocalBoxFuture<'a, anyhow::Result<()>> + Send + Sync>;

/// One scenario: a name, what the host is booted with, what the guards allow, and the steps.
pub struct Scenario {
    pub(crate) name: String,
    pub(crate) fixture: Option<Source>,
    pub(crate) replayed: bool,
    pub(crate) pace: Option<Duration>,
    pub(crate) patches: Vec<Patch>,
    pub(crate) budget: Budget,
    pub(crate) event_budget: Option<Duration>,
    pub(crate) goldens: Option<GoldenStore>,
    pub(crate) body: Body,
}

/// Where a scenario's log comes from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// `fixtures/<name>/session.jsonl`.
    Named(&'static str),
    /// A log made by the caller.
    Given(Box<scaffold::Fixture>),
}

impl Scenario {
    /// A scenario without a fixture: the model is listed, and a call of it fails the scenario.
    pub fn new<F>(name: impl Into<String>, body: F) -> Self
    where
        F: for<'a> AsyncFn(&'a Stage) -> anyhow::Result<()> + Clone + Send + Sync + 'static,
    {
        Self {
            name: name.into(),
            fixture: None,
            replayed: false,
            pace: None,
            patches: Vec::new(),
            budget: Budget::default(),
            event_budget: None,
            goldens: None,
            body: Box::new(move |stage| {
                let body = body.clone();
                Box::pin(async move { body(stage).await })
            }),
        }
    }

    /// The name, by which filters find it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The model answers from `fixtures/<name>/session.jsonl`, whose every call must be made.
    pub fn fixture(mut self, name: &'static str) -> Self {
        self.fixture = Some(Source::Named(name));
        self.replayed = true;
        self
    }

    /// The model answers from this log.
    pub fn log(mut self, log: scaffold::Fixture) -> Self {
        self.fixture = Some(Source::Given(Box::new(log)));
        self.replayed = true;
        self
    }

    /// `fixtures/<name>/session.jsonl` is there to be seeded; no model call is made.
    pub fn cold_fixture(mut self, name: &'static str) -> Self {
        self.fixture = Some(Source::Named(name));
        self.replayed = false;
        self
    }

    /// Waits this long before each replayed chunk. Never needed for a scenario to pass.
    pub fn pace(mut self, pace: Duration) -> Self {
        self.pace = Some(pace);
        self
    }

    /// A change of the shipped composition.
    pub fn patch(mut self, patch: Patch) -> Self {
        self.patches.push(patch);
        self
    }

    /// What the guards allow this scenario.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Longest wait for one event, other than the lane's own.
    pub fn event_budget(mut self, budget: Duration) -> Self {
        self.event_budget = Some(budget);
        self
    }

    /// Goldens elsewhere than in `goldens/`.
    pub fn goldens(mut self, goldens: GoldenStore) -> Self {
        self.goldens = Some(goldens);
        self
    }
}
