//! `docs/decisions.md` names a test for each decision: here they are looked for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// All Rust source below a folder.
fn source_below(folder: &Path) -> String {
    let mut source = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            source += &source_below(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            source += &fs::read_to_string(&path).unwrap();
        }
    }
    source
}

/// Ids, and the tests that hold each.
fn decisions(table: &str) -> Vec<(&str, Vec<&str>)> {
    table
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
            let id = cells.next().filter(|id| id.chars().any(|c| c.is_ascii_digit()))?;
            let pins = cells.last().unwrap_or_default().split('`').skip(1).step_by(2).collect();
            Some((id, pins))
        })
        .collect()
}

/// What is wrong with the table.
fn problems(table: &str) -> Vec<String> {
    let source = ["src", "tests", "../browser/tests", "../snapshot/tests"]
        .map(|relative| source_below(&folder(relative)))
        .concat();
    let mut problems = Vec::new();
    let mut ids = BTreeSet::new();
    for (id, pins) in decisions(table) {
        if !ids.insert(id) {
            problems.push(format!("{id} is there twice"));
        }
        if pins.is_empty() {
            problems.push(format!("{id} has no test"));
        }
        for pin in pins {
            let exists = match pin.strip_prefix("cases/") {
                Some(case) => ["html", "yaml"]
                    .iter()
                    .all(|ending| folder("tests/cases").join(case).with_extension(ending).exists()),
                None => source.contains(&format!("fn {pin}(")),
            };
            if !exists {
                problems.push(format!("{id} names {pin}, which is nowhere"));
            }
        }
    }
    problems
}

const TABLE: &str = include_str!("../docs/decisions.md");

#[test]
fn every_decision_is_held_by_a_test_that_exists() {
    assert_eq!(problems(TABLE), Vec::<String>::new());
    let of = |letter: char| decisions(TABLE).iter().filter(|(id, _)| id.starts_with(letter)).count();
    assert_eq!(['A', 'B', 'C', 'D', 'E', 'F'].map(of), [5, 11, 21, 25, 6, 15]);
}

#[test]
fn test_that_does_not_exist_is_found() {
    let table = "| A1 | x | `cases/nowhere` |\n| A1 | y | `no_such_test` |\n| A2 | z | none |";
    assert_eq!(
        problems(table),
        [
            "A1 names cases/nowhere, which is nowhere",
            "A1 is there twice",
            "A1 names no_such_test, which is nowhere",
            "A2 has no test"
        ]
    );
}
