//! Proof that the guards bite: throwaway scenarios that must fail, run by the lane itself, and what it says of them.

mod bite;
mod browser_death;
mod goldens;
mod host;
mod logs;
mod page;
mod recording;
mod script;

use std::process::ExitCode;
use std::sync::Arc;

use e2e::{Lane, Settings, SnapshotMode};
use libtest_mimic::{Arguments, Failed, Trial};

use crate::bite::Suite;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let lane = match lane() {
        Ok(lane) => Arc::new(lane),
        Err(error) => {
            eprintln!("the guards cannot be tried: {error:#}");
            return ExitCode::from(2);
        }
    };
    let mut suite = Suite::new(Arc::clone(&lane));
    page::guards(&mut suite);
    goldens::guards(&mut suite);
    script::guards(&mut suite);
    host::guards(&mut suite);
    recording::guards(&mut suite);
    let mut trials = suite.into_trials();
    trials.push(Trial::test("browser_killed_in_mid_scenario", || browser_death::one_clear_error().map_err(failed)));
    let conclusion = libtest_mimic::run(&arguments, trials);
    let closed = Arc::into_inner(lane).map_or(Ok(()), Lane::close);
    if let Err(error) = closed {
        eprintln!("the browser did not close cleanly: {error:#}");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

/// A lane that compares only, with its report in a folder of the run.
fn lane() -> anyhow::Result<Lane> {
    let settings = Settings::from_env()?;
    let report = settings.report.join("guards");
    Lane::new("guards", Settings { mode: SnapshotMode::Replay, keep: false, report, ..settings })
}

fn failed(error: anyhow::Error) -> Failed {
    format!("{error:#}").into()
}
