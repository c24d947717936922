//! A scenario that must fail, and what its message must say.

use std::ops::RangeInclusive;
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use e2e::{Lane, Scenario, Stage};
use libtest_mimic::Trial;

use crate::failed;

/// The trials of the suite; all share one lane and so one browser.
pub(crate) struct Suite {
    lane: Arc<Lane>,
    trials: Vec<Trial>,
}

impl Suite {
    pub(crate) fn new(lane: Arc<Lane>) -> Self {
        Self { lane, trials: Vec::new() }
    }

    /// The scenario must fail, with one finding that says every one of these, and leave evidence.
    pub(crate) fn must_fail(&mut self, scenario: Scenario, says: &'static [&'static str]) {
        self.must_fail_with(1..=1, scenario, says);
    }

    /// The same where one fault shows in several places.
    pub(crate) fn must_fail_with(
        &mut self,
        findings: RangeInclusive<usize>,
        scenario: Scenario,
        says: &'static [&'static str],
    ) {
        let name = scenario.name().to_owned();
        self.judge(&name, move |lane| {
            let Err(failure) = lane.run(&scenario) else { bail!("the guard did not bite: the scenario passed") };
            let message = failure.to_string();
            for expected in says {
                ensure!(message.contains(expected), "the message lacks {expected:?}:\n{message}");
            }
            ensure!(findings.contains(&failure.findings.len()), "{findings:?} findings expected:\n{message}");
            let page = failure.evidence.context("no evidence")?.join("index.html");
            ensure!(page.exists(), "the message names {}, which is not there", page.display());
            Ok(())
        });
    }

    /// The same scenario without the fault passes, so that the fault alone is what bites.
    pub(crate) fn must_pass(&mut self, scenario: Scenario) {
        let name = scenario.name().to_owned();
        self.judge(&name, move |lane| match lane.run(&scenario) {
            Ok(_) => Ok(()),
            Err(failure) => bail!("{failure}"),
        });
    }

    /// A trial with more to it than one run.
    pub(crate) fn judge(&mut self, name: &str, judgement: impl FnOnce(&Lane) -> anyhow::Result<()> + Send + 'static) {
        let lane = Arc::clone(&self.lane);
        self.trials.push(Trial::test(name, move || judgement(&lane).map_err(failed)));
    }

    pub(crate) fn into_trials(self) -> Vec<Trial> {
        self.trials
    }
}

/// The steps of the fixture's one turn.
pub(crate) async fn recorded_prompt(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    let turn = stage.host().next_turn();
    stage.send_recorded_prompt(0).await?;
    stage.caught_up(&turn.settled().await?).await?;
    Ok(())
}
