//! The list of workspaces.

mod common;

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use common::{NOW, files};
use store::{StoreError, WorkspaceRegistry};

fn registry(root: &Path) -> WorkspaceRegistry {
    WorkspaceRegistry::open(root.to_owned(), Arc::new(|| NOW)).unwrap()
}

#[test]
fn opening_an_empty_state_folder_creates_nothing() {
    let root = tempfile::tempdir().unwrap();
    let state = root.path().join("state");
    assert_eq!(registry(&state).list().unwrap(), []);
    assert_eq!(registry(&state).get("x").unwrap(), None);
    assert!(!state.exists());
}

#[test]
fn a_folder_is_registered_once_whatever_way_it_is_named() {
    let root = tempfile::tempdir().unwrap();
    let (state, project) = (root.path().join("state"), root.path().join("my project"));
    fs::create_dir(&project).unwrap();
    symlink(&project, root.path().join("link")).unwrap();
    let workspaces = registry(&state);
    let added = workspaces.add(&project).unwrap();
    assert_eq!((added.title.as_str(), added.created_at), ("my project", NOW));
    assert_eq!(Path::new(&added.path), project.canonicalize().unwrap());
    for name in ["link", "my project/", "state/../my project/."] {
        assert_eq!(workspaces.add(&root.path().join(name)).unwrap(), added);
    }
    // Another process sees it, in the order of adding.
    let second = registry(&state).add(root.path()).unwrap();
    assert_ne!(second.id, added.id);
    assert_eq!(workspaces.list().unwrap(), [added.clone(), second]);
    assert_eq!(registry(&state).get(&added.id).unwrap(), Some(added));
}

#[test]
fn the_list_is_replaced_whole_and_leaves_no_other_file() {
    let root = tempfile::tempdir().unwrap();
    let workspaces = registry(&root.path().join("state"));
    for number in 0..5 {
        let folder = root.path().join(number.to_string());
        fs::create_dir(&folder).unwrap();
        workspaces.add(&folder).unwrap();
    }
    let mut left: Vec<_> =
        files(&root.path().join("state")).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    left.sort();
    assert_eq!(left, ["workspaces.json", "workspaces.lock"]);
}

#[test]
fn what_is_no_folder_is_refused_with_the_reason() {
    let root = tempfile::tempdir().unwrap();
    let workspaces = registry(&root.path().join("state"));
    let file = root.path().join("file");
    fs::write(&file, "").unwrap();
    let odd = root.path().join(std::ffi::OsStr::from_bytes(b"odd\xFF"));
    fs::create_dir(&odd).unwrap();
    for (path, reason) in [
        (root.path().join("missing"), "No such file or directory (os error 2); create the folder or correct the path"),
        (file, "it is not a folder; name the folder to work in"),
        (odd, "its path is not UTF-8; rename the folder"),
    ] {
        let error = workspaces.add(&path).unwrap_err();
        assert_eq!(error.to_string(), format!("{} cannot be a workspace: {reason}", path.display()));
    }
    assert_eq!(workspaces.list().unwrap(), []);
}

#[test]
fn a_list_that_does_not_read_is_refused_and_kept() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("workspaces.json");
    let workspaces = registry(root.path());
    for (text, reason) in [
        ("{\n  \"version\": 0,\n  oops", "key must be a string at line 3 column 3"),
        ("{\"version\": 0, \"workspaces\": [{\"id\": \"a\"}]}", "missing field `path` at line 1"),
        ("{\"version\": 0, \"workspaces\": [], \"more\": 1}", "unknown field `more`"),
        ("{\"version\": 3, \"workspaces\": []}", "version 3 of the list, this program reads 0"),
    ] {
        fs::write(&path, text).unwrap();
        let opened = WorkspaceRegistry::open(root.path().to_owned(), Arc::new(|| NOW));
        for error in [opened.unwrap_err(), workspaces.list().unwrap_err(), workspaces.add(root.path()).unwrap_err()] {
            let said = error.to_string();
            assert!(said.starts_with(&format!("{}: {reason}", path.display())), "{said}");
            assert!(said.ends_with("; correct the file or move it away to start with an empty list"), "{said}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_list_that_another_program_is_changing_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let lock = File::create(root.path().join("workspaces.lock")).unwrap();
    lock.lock().unwrap();
    let error = registry(root.path()).add(root.path()).unwrap_err();
    assert!(matches!(error, StoreError::RegistryBusy { .. }), "{error}");
    assert!(error.to_string().ends_with("is being changed by another program; do it again"), "{error}");
    drop(lock);
    registry(root.path()).add(root.path()).unwrap();
}
