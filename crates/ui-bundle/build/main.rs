//! Builds the interface and writes the embedded bundle into `OUT_DIR`: a bundle can be neither missing nor stale.

mod error;
mod inner;
mod pack;
mod toolchain;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use error::BuildError;
use pack::Packed;
use wasm_bindgen_cli_support::Bindgen;

/// What the interface is made of, relative to the workspace root. Cargo runs this script again when one changes.
const SOURCES: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "crates/ui",
    "crates/client",
    "crates/wire",
    "crates/session",
    "crates/ui-bundle/build",
];

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nui-bundle: {error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), BuildError> {
    let out_dir = PathBuf::from(variable("OUT_DIR"));
    let manifest_dir = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let workspace = manifest_dir.ancestors().nth(2).expect("crates/ui-bundle lies two folders below the root");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", workspace.join(source).display());
    }
    let locator = workspace.join(".wasm-toolchain");
    if locator.exists() {
        // Only when it is there: cargo takes a missing file for a changed one, every time.
        println!("cargo::rerun-if-changed={}", locator.display());
    }

    let toolchain = toolchain::pick(Path::new(&variable("RUSTC")), &locator)?;
    let target_dir = inner::target_dir(&out_dir);
    let cargo = PathBuf::from(variable("CARGO"));
    let command = inner::command(&cargo, workspace, &target_dir, &toolchain, std::env::vars_os());
    let module = inner::run(command, &target_dir)?;

    let web = workspace.join("crates/ui/web");
    let mut packed = bind(&module)?;
    packed.push(pack::pack("style.css", styles(&web.join("style"))?.into_bytes()));
    packed.push(pack::pack("icon.svg", read(&web.join("icon.svg"))?.into_bytes()));
    let boot = pack::link("boot.js", &read(&web.join("boot.js"))?, &packed)?;
    packed.push(pack::pack("boot.js", boot.into_bytes()));
    let index = pack::link("index.html", &read(&web.join("index.html"))?, &packed)?;

    write(&out_dir.join("index.html"), index.as_bytes())?;
    // Emptied first: names change with the content, and files of earlier builds would pile up.
    let assets = out_dir.join("assets");
    empty(&assets)?;
    for asset in &packed {
        let file = assets.join(pack::file_name(asset));
        write(&file, &asset.bytes)?;
        if let Some(gzip) = &asset.gzip {
            write(&PathBuf::from(format!("{}.gz", file.display())), gzip)?;
        }
    }
    write(&out_dir.join("bundle.rs"), pack::source(&packed).as_bytes())
}

/// A variable that cargo sets for every build script.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name} for a build script"))
}

/// The bindgen step: the module made small and the JavaScript that loads it.
fn bind(module: &Path) -> Result<Vec<Packed>, BuildError> {
    let refuse = |error: &dyn std::fmt::Display| BuildError::Bindgen { file: module.into(), reason: error.to_string() };
    let mut bindgen = Bindgen::new();
    bindgen.web(true).map_err(|error| refuse(&format!("{error:#}")))?;
    bindgen
        .input_path(module)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        // The loader names the module; the default would be a name without its hash.
        .omit_default_module_path(true);
    let mut output = bindgen.generate_output().map_err(|error| refuse(&format!("{error:#}")))?;
    // Every crate with bindings has an entry; only those with inline scripts have something in it.
    let inline = output.snippets().iter().filter(|(_, scripts)| !scripts.is_empty()).map(|(name, _)| name);
    let snippets: Vec<&str> = inline.chain(output.local_modules().keys()).map(String::as_str).collect();
    if !snippets.is_empty() {
        return Err(BuildError::Snippets { names: snippets.join(", ") });
    }
    let script = output.js().to_owned().into_bytes();
    let wasm = output.wasm_mut().emit_wasm();
    Ok(vec![pack::pack("ui.js", script), pack::pack("ui.wasm", wasm)])
}

/// All style sheets in the order of their names.
fn styles(folder: &Path) -> Result<String, BuildError> {
    let failed = |source| BuildError::File { action: "read", file: folder.into(), source };
    let mut files = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>())
        .map_err(failed)?;
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn empty(folder: &Path) -> Result<(), BuildError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => std::fs::create_dir_all(folder),
    }
    .map_err(|source| BuildError::File { action: "empty", file: folder.into(), source })
}

fn read(file: &Path) -> Result<String, BuildError> {
    std::fs::read_to_string(file).map_err(|source| BuildError::File { action: "read", file: file.into(), source })
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    std::fs::write(file, bytes).map_err(|source| BuildError::File { action: "write", file: file.into(), source })
}
