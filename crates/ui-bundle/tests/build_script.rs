//! The build script's rules, tried without building anything.

#![allow(dead_code, reason = "the script's modules are included whole, a test uses its part")]

#[path = "../build/error.rs"]
mod error;
#[path = "../build/inner.rs"]
mod inner;
#[path = "../build/pack.rs"]
mod pack;
#[path = "../build/toolchain.rs"]
mod toolchain;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use error::BuildError;
use toolchain::Toolchain;

fn locator(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(".wasm-toolchain");
    std::fs::write(&file, text.replace("HERE", &folder.path().display().to_string())).unwrap();
    (folder, file)
}

#[test]
fn locator_wins_over_the_outer_compiler() {
    let (folder, file) = locator("# a comment\nrustc=HERE\nsysroot=HERE\nlinker=HERE\n");
    let picked = toolchain::pick(Path::new("/nonexistent/rustc"), &file).unwrap();
    let here = folder.path().to_path_buf();
    assert_eq!(picked, Toolchain { rustc: here.clone(), sysroot: Some(here.clone()), linker: Some(here) });
}

#[test]
fn each_bad_locator_names_file_line_and_remedy() {
    let cases = [
        ("rustc=HERE\nsysroot\n", 2, "\"sysroot\" is not key=path"),
        ("rustc=HERE\n\ncompiler=HERE\n", 3, "unknown key \"compiler\""),
        ("rustc=/nonexistent/rustc\n", 1, "/nonexistent/rustc does not exist any more"),
        ("rustc=HERE\nsysroot=HERE\n", 2, "there is no line linker="),
    ];
    for (text, line, reason) in cases {
        let (_folder, file) = locator(text);
        let message = toolchain::pick(Path::new("rustc"), &file).unwrap_err().to_string();
        assert!(message.starts_with(&format!("{}:{line}: {reason}", file.display())), "{message}");
        assert!(message.ends_with("run ci/setup"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn compiler_without_the_target_sends_to_setup() {
    // `echo` answers like a compiler whose target folder does not exist.
    let error = toolchain::pick(Path::new("echo"), Path::new("/nonexistent/.wasm-toolchain")).unwrap_err();
    assert!(matches!(error, BuildError::TargetMissing { .. }));
    let message = error.to_string();
    assert!(message.starts_with("wasm target missing: ") && message.ends_with("run ci/setup"), "{message}");
}

#[test]
fn inner_build_has_one_folder_for_all_profiles() {
    for out_dir in ["/t/debug/build/ui-bundle-1/out", "/t/release/build/ui-bundle-2/out"] {
        assert_eq!(inner::target_dir(Path::new(out_dir)), Path::new("/t/ui-wasm"));
    }
}

#[test]
fn outer_build_does_not_leak_into_the_inner_one() {
    let leaking = [
        "CARGO_CFG_TARGET_ARCH",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_MANIFEST_DIR",
        "CARGO_PROFILE_UI_OPT_LEVEL",
        "CARGO_TARGET_DIR",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTFLAGS",
        "TARGET",
    ];
    let staying = ["CARGO_HOME", "CARGO_MAKEFLAGS", "CARGO_NET_OFFLINE", "HOME", "PATH", "RUSTUP_TOOLCHAIN"];
    let environment = leaking.iter().chain(&staying).map(|name| (OsString::from(name), OsString::from("outer")));
    let toolchain = Toolchain {
        rustc: "/debian/rustc".into(),
        sysroot: Some("/a b/sysroot".into()),
        linker: Some("/debian/wasm-ld".into()),
    };
    let command = inner::command(Path::new("cargo"), Path::new("/w"), Path::new("/t/ui-wasm"), &toolchain, environment);
    let inner: Vec<(&str, &str)> =
        command.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?.to_str()?))).collect();
    for name in leaking {
        assert!(!inner.contains(&(name, "outer")), "{name} leaks");
    }
    for name in staying {
        assert!(inner.contains(&(name, "outer")), "{name} is lost");
    }
    assert!(inner.contains(&("RUSTC", "/debian/rustc")));
    assert!(inner.contains(&("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "/debian/wasm-ld")));
    let flags = "--cfg\u{1f}erase_components\u{1f}--sysroot=/a b/sysroot";
    assert!(inner.contains(&("CARGO_ENCODED_RUSTFLAGS", flags)), "{inner:?}");
}

#[cfg(unix)]
#[test]
fn failing_inner_build_names_the_command_to_repeat() {
    let message = inner::run(std::process::Command::new("false"), Path::new("/t")).unwrap_err().to_string();
    assert!(message.contains("exit status: 1"), "{message}");
    assert!(message.ends_with("cargo build --package ui --profile ui --target wasm32-unknown-unknown"), "{message}");
}

#[test]
fn name_follows_the_content() {
    let first = pack::pack("boot.js", b"one".to_vec());
    assert_eq!(first, pack::pack("boot.js", b"one".to_vec()));
    assert_ne!(first.path, pack::pack("boot.js", b"two".to_vec()).path);
    assert!(first.path.starts_with("/assets/boot-") && first.path.ends_with(".js"), "{}", first.path);
}

#[test]
fn compressed_form_is_dropped_where_it_is_not_smaller() {
    assert_eq!(pack::pack("a.css", b"a".to_vec()).gzip, None);
    assert!(pack::pack("a.css", vec![b'a'; 1000]).gzip.is_some());
}

#[test]
fn reference_to_a_missing_asset_names_the_known_ones() {
    let packed = [pack::pack("ui.js", b"x".to_vec()), pack::pack("style.css", b"y".to_vec())];
    let linked = pack::link("index.html", "<a {{ui.js}} b {{style.css}}>", &packed).unwrap();
    assert_eq!(linked, format!("<a {} b {}>", packed[0].path, packed[1].path));
    let message = pack::link("index.html", "{{ui.mjs}}", &packed).unwrap_err().to_string();
    assert_eq!(
        message,
        "index.html asks for {{ui.mjs}}, which is not in the bundle; it has ui.js, style.css: correct the name there"
    );
}
