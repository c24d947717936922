//! Which page is meant by an argument.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use anyhow::{anyhow, bail};

/// Where a page comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// An address with its scheme.
    Url(String),
    /// An HTML file, by its absolute path.
    File {
        /// As it was written.
        written: String,
        path: PathBuf,
    },
    /// HTML on the standard input.
    Stdin,
}

impl Source {
    /// What an argument means: `-`, an address, or a file, which must be there.
    pub(super) fn named(argument: OsString) -> anyhow::Result<Self> {
        if argument == "-" {
            return Ok(Self::Stdin);
        }
        if let Some(url) = argument.to_str().filter(|text| is_address(text)) {
            return Ok(Self::Url(url.to_owned()));
        }
        let written = argument.to_string_lossy().into_owned();
        let path = PathBuf::from(argument);
        if path.is_dir() {
            bail!("{written} is a folder; name an HTML file in it");
        }
        match path.canonicalize() {
            Ok(path) => Ok(Self::File { written, path }),
            Err(error) => Err(anyhow!(
                "cannot find the file {written}: {error}; an address needs its scheme, such as \
                 http://{}",
                written.trim_start_matches('/')
            )),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(url) => f.write_str(url),
            Self::File { written, .. } => f.write_str(written),
            Self::Stdin => f.write_str("-"),
        }
    }
}

/// Whether a text begins with a scheme (RFC 3986, section 3.1). `localhost:3000` would too, so what follows must look
/// like the rest of an address.
fn is_address(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let named = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    named && (rest.starts_with("//") || matches!(scheme, "about" | "data" | "blob"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file_url::file_url;

    #[test]
    fn addresses_files_and_standard_input_are_told_apart() {
        let source = |text: &str| Source::named(text.into());
        for url in ["http://localhost:3000/", "HTTPS://a", "file:///a.html", "data:text/html,x", "about:blank"] {
            assert_eq!(source(url).unwrap(), Source::Url(url.to_owned()));
        }
        assert_eq!(source("-").unwrap(), Source::Stdin);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a b:c.html");
        std::fs::write(&file, "").unwrap();
        let Source::File { path, .. } = source(file.to_str().unwrap()).unwrap() else { panic!() };
        assert!(file_url(&path).ends_with("/a%20b%3Ac.html"), "{}", file_url(&path));

        let error = source("localhost:3000").unwrap_err().to_string();
        assert!(error.starts_with("cannot find the file localhost:3000: "), "{error}");
        assert!(error.ends_with("; an address needs its scheme, such as http://localhost:3000"), "{error}");
        let error = source(folder.path().to_str().unwrap()).unwrap_err().to_string();
        assert!(error.ends_with(" is a folder; name an HTML file in it"), "{error}");
    }
}
