//! What a scenario costs, phase by phase: median wall seconds and mean processor seconds (the browser's included) over
//! many runs of one scenario alone on a browser that is up. `cargo bench -p e2e`, or with a count:
//! `cargo bench -p e2e -- 40`.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use e2e::{Golden, GoldenStore, Lane, Scenario, Settings, SnapshotMode, Stage, Token};

const RUNS: usize = 20;

fn main() -> ExitCode {
    let runs = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(RUNS);
    match measure(runs) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("the lane cannot be measured: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(runs: usize) -> anyhow::Result<()> {
    ensure!(runs > 0, "a count of runs above zero");
    let folder = tempfile::tempdir()?;
    let settings = Settings::from_env()?;
    let settings = Settings { mode: SnapshotMode::Replay, report: folder.path().join("report"), ..settings };
    let lane = Lane::new("bench", settings)?;
    let goldens = |mode| GoldenStore::new(folder.path().join("goldens"), mode);
    let scenario = |mode| Scenario::new("tool_round_trip", turn).fixture("tool_round_trip").goldens(goldens(mode));

    // The first run writes the golden and warms what is warm for all but the first scenario of a file.
    lane.run(&scenario(SnapshotMode::Refresh)).map_err(anyhow::Error::msg)?;
    let mut order = Vec::new();
    let mut walls: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut cpus: BTreeMap<String, f64> = BTreeMap::new();
    for _ in 0..runs {
        let outcome = lane.run(&scenario(SnapshotMode::Replay)).map_err(anyhow::Error::msg)?;
        let whole = outcome.phases.iter().fold((0.0, 0.0), |sum, phase| (sum.0 + phase.wall_ms, sum.1 + phase.cpu_ms));
        let phases = outcome.phases.iter().map(|phase| (phase.name.as_str(), phase.wall_ms, phase.cpu_ms));
        for (name, wall, cpu) in phases.chain([("all", whole.0, whole.1)]) {
            if !walls.contains_key(name) {
                order.push(name.to_owned());
            }
            walls.entry(name.to_owned()).or_default().push(wall);
            *cpus.entry(name.to_owned()).or_default() += cpu;
        }
    }
    lane.close()?;

    println!("{runs} runs of tool_round_trip, browser up; wall: median (min – max); cpu: mean, browser included");
    for name in order {
        let walls = walls.get_mut(&name).context("a phase")?;
        walls.sort_by(f64::total_cmp);
        println!(
            "{name:>10}  wall {:6.3} s ({:.3} – {:.3})   cpu {:6.3} s",
            walls[walls.len() / 2] / 1000.0,
            walls[0] / 1000.0,
            walls[walls.len() - 1] / 1000.0,
            cpus[&name] / 1000.0 / runs as f64
        );
    }
    Ok(())
}

async fn turn(stage: &Stage) -> anyhow::Result<()> {
    stage.open().await?;
    stage.mark("load");
    let turn = stage.host().next_turn();
    stage.send_recorded_prompt(0).await?;
    stage.mark("type");
    stage.caught_up(&turn.settled().await?).await?;
    stage.mark("turn");
    stage
        .golden(
            Golden::new("conversation", "[data-region=conversation]")
                .ready("[data-region=conversation][data-phase=settled]")
                .tokens(&[Token::Clock, Token::Duration]),
        )
        .await?;
    stage.mark("golden");
    Ok(())
}
