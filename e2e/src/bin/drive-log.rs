//! Drives recorded session logs through the whole chain: types each user prompt in turn, waits on the barriers, and
//! checks that page and new log show what was recorded.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use e2e::{Lane, Scenario, Settings, SnapshotMode, Stage, recorded, whole};
use scaffold::Fixture;

const USAGE: &str = "\
Drives recorded session logs through the whole chain and compares what it shows with what was recorded.

usage: drive-log FILE...        (ci/lane --log FILE...)

Each FILE is a session log (JSONL, packed rows included). Its model calls are replayed, its prompts typed into a real
browser; the commands of its tool calls really run, in a temporary folder; prompts, texts, tool calls, tool results and turn ends are compared, on the page and in the new log. A log
that needs what is not built yet is refused by name. DSH_HEADED, DSH_SLOWMO and DSH_KEEP work as in the lane.";

fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.iter().any(|file| file == Path::new("--help") || file == Path::new("-h")) {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    if files.is_empty() {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    match drive(&files) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("the logs cannot be driven: {}", whole(&error));
            ExitCode::from(2)
        }
    }
}

/// Drives each log in a scenario of its own; the count of those that failed.
fn drive(files: &[PathBuf]) -> anyhow::Result<usize> {
    let settings = Settings { mode: SnapshotMode::Replay, ..Settings::from_env()? };
    let lane = Lane::new("drive-log", settings)?;
    let (mut passed, mut failed) = (0, 0);
    for file in files {
        print!("log {} ... ", file.display());
        match drive_one(&lane, file) {
            Ok(summary) => {
                passed += 1;
                println!("ok ({summary})");
            }
            Err(error) => {
                failed += 1;
                println!("FAILED\n{}", whole(&error));
            }
        }
    }
    println!("report: file://{}", lane.report_page().display());
    lane.close()?;
    println!("{passed} passed, {failed} failed");
    Ok(failed)
}

fn drive_one(lane: &Lane, file: &Path) -> anyhow::Result<String> {
    let log = Fixture::load(file)?;
    let unbuilt = recorded::needs(log.events());
    anyhow::ensure!(
        unbuilt.is_empty(),
        "refused; the log needs what is not built yet:\n  {}\nfile {}",
        unbuilt.join("\n  "),
        file.display()
    );
    let summary = recorded::Conversation::of(log.events())?.to_string();
    let outcome = lane.run(&Scenario::new(name_of(file), replay_and_compare).log(log)).map_err(anyhow::Error::msg)?;
    Ok(format!("{summary}, {} ms", outcome.milliseconds))
}

/// A name for report and evidence: the file's last folder and stem, letters and digits only.
fn name_of(file: &Path) -> String {
    let part = |name: Option<&std::ffi::OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
    let name = format!("{}-{}", part(file.parent().and_then(Path::file_name)), part(file.file_stem()));
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

async fn replay_and_compare(stage: &Stage) -> anyhow::Result<()> {
    let expected = recorded::Conversation::of(stage.fixture()?.events())?;
    stage.open().await?;
    let mut session = None;
    for prompt in expected.prompts() {
        let turn = stage.host().next_turn();
        stage.send(prompt).await?;
        let settled = turn.settled().await?;
        stage.caught_up(&settled).await?;
        session = Some(settled.session_id);
    }
    let session = session.ok_or_else(|| anyhow::anyhow!("the log has no prompt of a person"))?;
    let shown = recorded::Conversation::of(&stage.host().durable_log(&session).await?)?;
    expected.compare(&shown, "the new log")?;
    expected.compare(&recorded::Conversation::on_page(stage).await?, "the page")
}
