//! Arrows between crates point one way. `cargo metadata` says what is there; the table says what may be.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Crate, and the crates of this workspace it may depend on outside tests.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("agent", &["llm", "session", "store", "tools"]),
    ("aria", &[]),
    ("bidi", &[]),
    ("browser", &["aria", "bidi"]),
    ("client", &["session", "wire"]),
    ("dsh", &["host", "llm", "replay", "server", "session", "store", "ui-bundle", "wire"]),
    ("e2e", &["aria", "browser", "client", "host", "scaffold", "session"]),
    ("fences", &[]),
    ("host", &["agent", "llm", "session", "store", "tools", "wire"]),
    ("llm", &["session"]),
    ("replay", &["llm", "session"]),
    ("scaffold", &["host", "llm", "replay", "server", "session", "store", "ui-bundle", "wire"]),
    ("server", &["wire"]),
    ("session", &[]),
    ("snapshot", &["aria", "browser"]),
    ("store", &["session"]),
    ("tools", &["llm"]),
    ("ui", &["client", "session", "wire"]),
    ("ui-bundle", &[]),
    ("wire", &["session"]),
];

/// Crate, and crates of others it must never pull in, however indirectly that came to be wished for.
const MUST_NOT_KNOW: &[(&str, &[&str])] = &[
    ("aria", &["tokio", "fantoccini"]),
    ("client", &["tokio", "axum", "leptos", "web-sys"]),
    ("session", &["tokio"]),
    ("wire", &["tokio", "axum"]),
];

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Normal and build dependencies, by crate.
fn arrows() -> Arrows {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml")])
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    metadata["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .map(|package| {
            let known = package["dependencies"].as_array().expect("dependencies").iter();
            let known =
                known.filter(|dependency| dependency["kind"] != "dev").map(|dependency| text(&dependency["name"]));
            (text(&package["name"]), known.collect())
        })
        .collect()
}

/// Every fault of the arrows against the tables, a line each.
fn faults(arrows: &Arrows) -> Vec<String> {
    let table: BTreeMap<&str, &[&str]> = MAY_KNOW.iter().copied().collect();
    let mut faults = Vec::new();
    for (name, known) in arrows {
        let Some(allowed) = table.get(name.as_str()) else {
            faults.push(format!("{name} has no row in MAY_KNOW; say there which crates it may know"));
            continue;
        };
        for other in known.iter().filter(|other| arrows.contains_key(*other)) {
            if !allowed.contains(&other.as_str()) {
                faults.push(format!("{name} must not know {other}"));
            }
        }
        let forbidden = MUST_NOT_KNOW.iter().filter(|(row, _)| row == name).flat_map(|(_, crates)| crates.iter());
        for other in forbidden.filter(|other| known.contains(**other)) {
            faults.push(format!("{name} must not know {other}"));
        }
    }
    for name in table.keys().filter(|name| !arrows.contains_key(**name)) {
        faults.push(format!("MAY_KNOW has a row for {name}, which is no crate of the workspace"));
    }
    faults
}

#[test]
fn arrows_point_one_way() {
    let faults = faults(&arrows());
    assert!(faults.is_empty(), "\n{}\n(crates/fences/tests/arrows.rs, ARCHITECTURE.md)", faults.join("\n"));
}

#[test]
fn a_wrong_arrow_is_seen() {
    let mut spoiled = arrows();
    spoiled.get_mut("browser").expect("browser").insert("host".to_owned());
    spoiled.get_mut("client").expect("client").insert("tokio".to_owned());
    spoiled.insert("newcomer".to_owned(), BTreeSet::new());
    spoiled.remove("store");
    let faults = faults(&spoiled).join("\n");
    for expected in ["browser must not know host", "client must not know tokio", "newcomer has no row", "row for store"]
    {
        assert!(faults.contains(expected), "{expected} is missing in\n{faults}");
    }
}
