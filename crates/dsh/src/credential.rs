//! How other programs of the same user reach the server: a file with its address and secret that only they can read.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use server::Server;

/// The file `<state>/servers/<port>.json`, for as long as this lives: `{"url", "secret", "pid"}`.
pub(crate) struct CredentialFile(PathBuf);

impl CredentialFile {
    pub(crate) fn write(state: &Path, server: &Server) -> anyhow::Result<Self> {
        let folder = state.join("servers");
        let path = folder.join(format!("{}.json", server.local_addr().port()));
        let content = serde_json::json!({
            "url": server.url(),
            "secret": server.secret().expose(),
            "pid": std::process::id(),
        });
        let write = || -> std::io::Result<()> {
            DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
            // One left behind by a killed program may have other permissions, or be a link: it is never written to.
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            writeln!(file, "{content}")
        };
        write().map_err(|error| {
            anyhow!("cannot write {}: {error}; check the folder, or give another with --state DIR", path.display())
        })?;
        Ok(Self(path))
    }
}

impl Drop for CredentialFile {
    fn drop(&mut self) {
        // The secret in it ends with the server anyway.
        let _ = fs::remove_file(&self.0);
    }
}
