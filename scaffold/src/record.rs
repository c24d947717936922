use std::path::Path;

use crate::{Scaffold, ScaffoldError};

impl Scaffold {
    /// Writes the session's log as a fixture: packed, with run-local values as tokens and the request header's
    /// system prompt and tools left out, so that a new recording differs in content only.
    pub async fn record_fixture(&self, session_id: &str, path: &Path) -> Result<(), ScaffoldError> {
        let log = self.host.store().read(session_id).await?;
        let text = session::tokenize_fixture(&log.header, &log.events);
        let failed = |source| ScaffoldError::Record { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        std::fs::write(path, text).map_err(failed)
    }
}
