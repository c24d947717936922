//! This library and Playwright beside each other: the same Chromium, the same pages, one run, turn
//! and turn about. `cargo bench -p browser --bench vs-playwright`, or with a number of rounds:
//! `cargo bench -p browser --bench vs-playwright -- 5`.
//!
//! Playwright is wanted in this folder only (`npm install` there); where Node or Playwright is
//! missing the benchmark says so in a line and ends well. What is compared is the ratio of the
//! medians: both sides run within the same seconds on the same machine.

mod ours;
mod twin;

use ours::Ours;
use std::process::ExitCode;
use twin::Twin;

/// One thing that both sides do.
struct Job {
    /// Its name on both sides.
    name: &'static str,
    /// What it is, for people.
    title: &'static str,
    /// How often a round does it.
    times: usize,
    /// The ratio to Playwright's time that is wanted.
    wanted: f64,
}

const JOBS: &[Job] = &[
    Job { name: "snapshot", title: "snapshot of 500 articles", times: 4, wanted: 0.5 },
    Job { name: "click", title: "click a button by role", times: 10, wanted: 0.5 },
    Job { name: "fill", title: "fill a field by label", times: 10, wanted: 1.0 },
    Job { name: "type", title: "type 24 characters", times: 5, wanted: 1.0 },
    Job { name: "text", title: "text assertion that holds", times: 10, wanted: 1.0 },
    Job { name: "context", title: "context + page + goto + close", times: 4, wanted: 1.0 },
];

const ROUNDS: usize = 8;

fn main() -> ExitCode {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(ROUNDS);
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("vs-playwright: no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(compare(rounds)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vs-playwright: {error}");
            ExitCode::FAILURE
        }
    }
}

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

async fn compare(rounds: usize) -> Outcome<()> {
    let address = ours::serve().await?;
    let ours = Ours::start(&address).await?;
    let mut twin = match Twin::start(&ours.executable()?, &address).await? {
        Ok(twin) => twin,
        Err(missing) => {
            println!("vs-playwright skipped: {missing}");
            return ours.end().await;
        }
    };
    println!("Chromium {}, {rounds} rounds, milliseconds: median / least", ours.version());
    println!("{:<32} {:>17} {:>17} {:>7} {:>7}", "", "ours", "Playwright", "ratio", "wanted");
    for job in JOBS {
        // What is compiled, cached or started at first use is not what is measured.
        ours.run(job.name, 2).await?;
        twin.run(job.name, 2).await?;
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            here.extend(ours.run(job.name, job.times).await?);
            there.extend(twin.run(job.name, job.times).await?);
        }
        let ((mine, least_mine), (theirs, least_theirs)) = (median_and_least(here), median_and_least(there));
        println!(
            "{:<32} {mine:>8.1} / {least_mine:>6.1} {theirs:>8.1} / {least_theirs:>6.1} {:>7.2} {:>7}",
            job.title,
            mine / theirs,
            format!("≤ {}", job.wanted),
        );
    }
    twin.end().await?;
    ours.end().await
}

fn median_and_least(mut taken: Vec<f64>) -> (f64, f64) {
    taken.sort_by(f64::total_cmp);
    (taken.get(taken.len() / 2).copied().unwrap_or(f64::NAN), taken.first().copied().unwrap_or(f64::NAN))
}
