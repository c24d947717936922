//! Which compiler, standard library and linker build for the browser.
//!
//! The rule: the file `.wasm-toolchain` at the workspace root, where `ci/setup` has written one; else the compiler of
//! the outer build, if it has the target.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BuildError;

/// The rustc name of the target.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The compiler for the inner build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Toolchain {
    /// The compiler.
    pub(crate) rustc: PathBuf,
    /// A sysroot with the target's standard library, where the compiler's own has none.
    pub(crate) sysroot: Option<PathBuf>,
    /// The linker, where the compiler does not bring one.
    pub(crate) linker: Option<PathBuf>,
}

/// Picks the toolchain: `locator` when it exists, else `rustc` when it has the target.
///
/// # Errors
/// [`BuildError::Locator`] for a bad locator file, [`BuildError::TargetMissing`] when there is no way to build.
pub(crate) fn pick(rustc: &Path, locator: &Path) -> Result<Toolchain, BuildError> {
    match std::fs::read_to_string(locator) {
        Ok(text) => return parse(locator, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(source) => return Err(BuildError::File { action: "read", file: locator.into(), source }),
    }
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .map_err(|error| BuildError::Compiler { rustc: rustc.into(), reason: error.to_string() })?;
    if !output.status.success() {
        let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(BuildError::Compiler { rustc: rustc.into(), reason });
    }
    let libdir = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if !libdir.is_dir() {
        return Err(BuildError::TargetMissing { rustc: rustc.into(), looked_in: libdir, locator: locator.into() });
    }
    Ok(Toolchain { rustc: rustc.into(), sysroot: None, linker: None })
}

/// Reads a locator file: lines `rustc=…`, `sysroot=…`, `linker=…`, absolute paths that exist; `#` starts a comment.
fn parse(file: &Path, text: &str) -> Result<Toolchain, BuildError> {
    let refuse = |line: usize, reason: String| BuildError::Locator { file: file.into(), line, reason };
    let (mut rustc, mut sysroot, mut linker) = (None, None, None);
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, path) = line.split_once('=').ok_or_else(|| refuse(number, format!("{line:?} is not key=path")))?;
        let slot = match key {
            "rustc" => &mut rustc,
            "sysroot" => &mut sysroot,
            "linker" => &mut linker,
            _ => return Err(refuse(number, format!("unknown key {key:?}, expected rustc, sysroot or linker"))),
        };
        if !Path::new(path).exists() {
            return Err(refuse(number, format!("{path} does not exist any more")));
        }
        *slot = Some(PathBuf::from(path));
    }
    let last = text.lines().count().max(1);
    Ok(Toolchain {
        rustc: rustc.ok_or_else(|| refuse(last, "there is no line rustc=…".into()))?,
        sysroot: Some(sysroot.ok_or_else(|| refuse(last, "there is no line sysroot=…".into()))?),
        linker: Some(linker.ok_or_else(|| refuse(last, "there is no line linker=…".into()))?),
    })
}
