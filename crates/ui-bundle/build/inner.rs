//! The inner cargo: builds `ui` with the profile `ui` in a target folder of its own, so that no lock is shared with
//! the outer cargo and every outer profile finds the same result.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BuildError;
use crate::toolchain::{TARGET, Toolchain};

/// The folder for the inner build: `ui-wasm` beside the outer profile folders.
///
/// `out_dir` is cargo's `OUT_DIR`, `<target>[/<triple>]/<profile>/build/<package>/out`.
pub(crate) fn target_dir(out_dir: &Path) -> PathBuf {
    let build = out_dir.ancestors().find(|path| path.file_name().is_some_and(|name| name == "build"));
    let profiles = build.and_then(Path::parent).and_then(Path::parent);
    profiles.unwrap_or(out_dir).join("ui-wasm")
}

/// Whether a variable of the outer build must not reach the inner one.
///
/// Cargo describes the outer package, profile, target and flags in the environment of a build script; all of it is
/// wrong for another package on another target. What names the machine stays: cargo's home, network, registries, the
/// job server (so that both builds together use no more cores than allowed).
pub(crate) fn is_outer(name: &str) -> bool {
    const KEPT: &[&str] = &["CARGO_HOME", "CARGO_MAKEFLAGS"];
    const KEPT_PREFIXES: &[&str] = &["CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTR", "CARGO_TERM_"];
    const DROPPED: &[&str] = &[
        "DEBUG",
        "HOST",
        "NUM_JOBS",
        "OPT_LEVEL",
        "OUT_DIR",
        "PROFILE",
        "RUSTC",
        "RUSTC_LINKER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTDOC",
        "RUSTDOCFLAGS",
        "RUSTFLAGS",
        "TARGET",
    ];
    let kept = KEPT.contains(&name) || KEPT_PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    DROPPED.contains(&name) || (name.starts_with("CARGO_") && !kept) || name.starts_with("DEP_")
}

/// The command that builds `ui`, with `environment` as the outer one.
pub(crate) fn command(
    cargo: &Path,
    workspace: &Path,
    target_dir: &Path,
    toolchain: &Toolchain,
    environment: impl Iterator<Item = (OsString, OsString)>,
) -> Command {
    let mut command = Command::new(cargo);
    command
        .args(["build", "--locked", "--package", "ui", "--profile", "ui", "--target", TARGET])
        .arg("--manifest-path")
        .arg(workspace.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_dir)
        // Not the package's folder: a cargo configuration there must not differ from the workspace's.
        .current_dir(workspace)
        .env_clear()
        .envs(environment.filter(|(name, _)| !name.to_str().is_some_and(is_outer)))
        .env("RUSTC", &toolchain.rustc);
    // Encoded flags stand above every configuration file and allow blanks in paths.
    let mut flags = OsString::from("--cfg\u{1f}erase_components");
    if let Some(sysroot) = &toolchain.sysroot {
        flags.push("\u{1f}--sysroot=");
        flags.push(sysroot);
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", flags);
    if let Some(linker) = &toolchain.linker {
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    command
}

/// Runs the command and gives the path of the module it wrote.
///
/// # Errors
/// [`BuildError::Inner`] when cargo ends with a failure, [`BuildError::File`] when it cannot be started.
pub(crate) fn run(mut command: Command, target_dir: &Path) -> Result<PathBuf, BuildError> {
    let cargo = PathBuf::from(command.get_program());
    let status = command.status().map_err(|source| BuildError::File { action: "run", file: cargo, source })?;
    if !status.success() {
        let command = format!("cargo build --package ui --profile ui --target {TARGET}");
        return Err(BuildError::Inner { status, command });
    }
    Ok(target_dir.join(TARGET).join("ui").join("ui.wasm"))
}
