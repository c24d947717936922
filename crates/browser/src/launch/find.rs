//! Where Chromium and its driver are.

use super::LaunchOptions;
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// The two programs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Programs {
    pub(crate) chromium: PathBuf,
    pub(crate) chromedriver: PathBuf,
}

const CHROMIUM: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const CHROMEDRIVER: &[&str] = &["chromedriver", "chromium.chromedriver"];
// Debian and Ubuntu keep the driver beside the browser's libraries.
const DRIVER_FOLDERS: &[&str] = &["/usr/lib/chromium", "/usr/lib/chromium-browser"];

/// Finds both programs.
///
/// # Errors
/// [`Error::NotFound`] names every path tried.
pub(crate) fn find(options: &LaunchOptions) -> Result<Programs> {
    let path = || std::env::split_paths(&options.search_path).filter(|folder| !folder.as_os_str().is_empty());
    let drivers = path().chain(DRIVER_FOLDERS.iter().map(PathBuf::from));
    let browsers = in_folders(path(), CHROMIUM);
    Ok(Programs {
        chromium: pick("Chromium", "chromium", "CHROMIUM", options.chromium.as_deref(), browsers)?,
        chromedriver: pick(
            "ChromeDriver",
            "chromedriver",
            "CHROMEDRIVER",
            options.chromedriver.as_deref(),
            in_folders(drivers, CHROMEDRIVER),
        )?,
    })
}

fn in_folders(folders: impl Iterator<Item = PathBuf>, names: &[&str]) -> Vec<PathBuf> {
    folders.flat_map(|folder| names.iter().map(move |name| folder.join(name))).collect()
}

fn pick(
    what: &'static str,
    option: &'static str,
    variable: &'static str,
    explicit: Option<&Path>,
    candidates: Vec<PathBuf>,
) -> Result<PathBuf> {
    let searched = explicit.map_or(candidates, |path| vec![path.to_owned()]);
    match searched.iter().find(|path| path.is_file()) {
        Some(found) => Ok(found.clone()),
        None => Err(Error::NotFound { what, searched, option, variable }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_program_that_is_missing_is_named_with_the_option_to_set() {
        let options = LaunchOptions { chromium: Some("/nowhere/chromium".into()), ..LaunchOptions::new("", "/tmp") };
        assert_eq!(
            find(&options).unwrap_err().to_string(),
            "Chromium not found: looked for /nowhere/chromium; install it, or name it with LaunchOptions::chromium, which \
             LaunchOptions::from_env takes from the variable CHROMIUM"
        );
    }

    #[test]
    fn first_folder_of_the_search_path_wins() {
        let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
        for folder in &folders {
            std::fs::write(folder.path().join("chromium"), "").unwrap();
            std::fs::write(folder.path().join("chromedriver"), "").unwrap();
        }
        let path = std::env::join_paths(folders.iter().map(tempfile::TempDir::path)).unwrap();
        let programs = find(&LaunchOptions::new(path, "/tmp")).unwrap();
        assert_eq!(programs.chromium, folders[0].path().join("chromium"));
        assert_eq!(programs.chromedriver, folders[0].path().join("chromedriver"));
    }

    #[test]
    fn headless_shell_is_taken_only_when_it_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for program in ["chromium", "chrome-headless-shell", "chromedriver"] {
            std::fs::write(folder.path().join(program), "").unwrap();
        }
        let options = LaunchOptions::new(folder.path(), "/tmp");
        assert_eq!(find(&options).unwrap().chromium, folder.path().join("chromium"));
        let shell = folder.path().join("chrome-headless-shell");
        let named = LaunchOptions { chromium: Some(shell.clone()), ..options };
        assert_eq!(find(&named).unwrap().chromium, shell);
    }

    #[test]
    fn empty_search_path_lists_nothing_of_the_current_folder() {
        let error = find(&LaunchOptions::new("", "/tmp")).unwrap_err().to_string();
        assert!(error.starts_with("Chromium not found: looked for it in an empty search path;"), "{error}");
    }
}
