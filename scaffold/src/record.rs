use std::io::Write as _;
use std::path::Path;

use session::{Event, Payload, TurnEndReason};

use crate::{Scaffold, ScaffoldError};

impl Scaffold {
    /// Writes the session's log as a fixture: packed, with run-local values as tokens and the request header's
    /// system prompt and tools left out, so that a new recording differs in content only. A log with a turn that did
    /// not complete is refused, and the file that is there stays until the new one is whole.
    pub async fn record_fixture(&self, session_id: &str, path: &Path) -> Result<(), ScaffoldError> {
        let log = self.host.store().read(session_id).await?;
        if let Some(reason) = incomplete(&log.events) {
            return Err(ScaffoldError::NotWorthKeeping { path: path.to_owned(), reason });
        }
        let text = session::tokenize_fixture(&log.header, &log.events);
        replace_file(path, &text).map_err(|source| ScaffoldError::Record { path: path.to_owned(), source })
    }
}

/// Why a log is no fixture: no turn, or one that ended otherwise than complete.
fn incomplete(events: &[Event]) -> Option<String> {
    let mut ends = events.iter().filter_map(|event| match event.payload() {
        Ok(Payload::TurnEnd { turn, reason }) => Some((turn, reason)),
        _ => None,
    });
    let mut none = true;
    let failed = ends.find(|(_, reason)| {
        none = false;
        *reason != TurnEndReason::Completed
    });
    match failed {
        Some((turn, TurnEndReason::Error { error })) => {
            Some(format!("turn {turn} failed: {} ({})", error.message, error.code))
        }
        Some((turn, reason)) => Some(format!("turn {turn} ended as {reason:?}")),
        None if none => Some("no turn ended".to_owned()),
        None => None,
    }
}

/// The old file or the new one, never half of it; folders on the way are made.
pub fn replace_file(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))?;
    file.persist(path)?;
    Ok(())
}
