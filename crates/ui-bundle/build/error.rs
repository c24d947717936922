//! What can go wrong while the bundle is made. Cargo prints the message below its own "custom build command failed".

use std::path::PathBuf;
use std::process::ExitStatus;

/// Each message says what was wrong, where, and what to do next.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BuildError {
    /// The compiler has no standard library for the browser and `ci/setup` has not prepared another one.
    #[error(
        "wasm target missing: {rustc} has no standard library for wasm32-unknown-unknown (looked in {looked_in}) and {locator} does not name another toolchain: run ci/setup"
    )]
    TargetMissing {
        /// The compiler asked.
        rustc: PathBuf,
        /// The folder that should have held it.
        looked_in: PathBuf,
        /// The file `ci/setup` writes when it prepares a toolchain of its own.
        locator: PathBuf,
    },
    /// The compiler could not be asked for its target folder.
    #[error("cannot run {rustc} to look for the wasm target: {reason}: check the Rust installation, then run ci/setup")]
    Compiler {
        /// The compiler asked.
        rustc: PathBuf,
        /// What the system or the compiler said.
        reason: String,
    },
    /// A line of the locator file is not of the form `key=path` with a known key.
    #[error("{file}:{line}: {reason}: delete the file and run ci/setup")]
    Locator {
        /// The locator file.
        file: PathBuf,
        /// Its line, from 1; the last one when a key is missing.
        line: usize,
        /// What was found and what was expected.
        reason: String,
    },
    /// The inner cargo failed; its own output stands above this message.
    #[error(
        "building `ui` for the browser failed ({status}); the compiler's output is above; to see it alone: {command}"
    )]
    Inner {
        /// How cargo ended.
        status: ExitStatus,
        /// The command for a person to repeat.
        command: String,
    },
    /// wasm-bindgen refused the module.
    #[error(
        "wasm-bindgen cannot read {file}: {reason}: the crates wasm-bindgen and wasm-bindgen-cli-support must be of one version in Cargo.lock"
    )]
    Bindgen {
        /// The module the inner cargo wrote.
        file: PathBuf,
        /// wasm-bindgen's own words.
        reason: String,
    },
    /// A file refers to an asset that the bundle does not have.
    #[error("{file} asks for {{{{{name}}}}}, which is not in the bundle; it has {known}: correct the name there")]
    UnknownAsset {
        /// The file with the placeholder.
        file: String,
        /// The name between the braces.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A crate brought JavaScript of its own, which the bundle does not embed.
    #[error(
        "`ui` now brings JavaScript snippets ({names}), which the bundle does not embed: drop the dependency that brings them"
    )]
    Snippets {
        /// The snippets' module names.
        names: String,
    },
    /// A file could not be read or written.
    #[error("cannot {action} {file}: {source}")]
    File {
        /// `read`, `write`, `empty` or `run`.
        action: &'static str,
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}
