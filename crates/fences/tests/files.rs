//! Files stay short, goldens and fixtures are those the scenarios use.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a source file.
const LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file below `folder` with one of the endings; build output is passed over.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" && name != "node_modules" {
                found.extend(files(&path, endings));
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found
}

fn names(folder: &str) -> BTreeSet<String> {
    fs::read_dir(root().join(folder))
        .expect("a folder of the workspace")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn source_files_stay_short() {
    let long: Vec<String> = files(&root(), &[".rs", ".js", ".css"])
        .into_iter()
        .filter_map(|path| {
            let lines = fs::read_to_string(&path).expect("a text file").lines().count();
            (lines > LINES).then(|| format!("{} has {lines} lines", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "split these by concern (at most {LINES} lines):\n{}", long.join("\n"));
}

#[test]
fn nothing_changes_the_process_environment_or_directory() {
    let forbidden = [concat!("set_current", "_dir"), concat!("env::set", "_var"), concat!("env::remove", "_var")];
    let found: Vec<String> = files(&root(), &[".rs"])
        .into_iter()
        .filter(|path| {
            let text = fs::read_to_string(path).expect("a text file");
            forbidden.iter().any(|call| text.contains(call))
        })
        .map(|path| path.display().to_string())
        .collect();
    assert!(found.is_empty(), "scenarios run side by side in one process; inject instead:\n{}", found.join("\n"));
}

#[test]
fn every_golden_belongs_to_a_scenario_and_every_fixture_to_one_that_reads_it() {
    let sources: String =
        files(&root().join("e2e/tests"), &[".rs"]).iter().map(|path| fs::read_to_string(path).expect("text")).collect();
    let mut faults = Vec::new();
    for scenario in names("goldens") {
        if !sources.contains(&format!("Scenario::new(\"{scenario}\"")) {
            faults.push(format!("goldens/{scenario} has no scenario of that name"));
        }
        for file in names(&format!("goldens/{scenario}")) {
            let state = file.strip_suffix(".snap");
            if !state.is_some_and(|state| sources.contains(&format!("Golden::new(\"{state}\""))) {
                faults.push(format!("goldens/{scenario}/{file} is no state of a scenario"));
            }
        }
    }
    for fixture in names("fixtures") {
        if !sources.contains(&format!("ixture(\"{fixture}\")")) {
            faults.push(format!("fixtures/{fixture} is read by no scenario"));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
