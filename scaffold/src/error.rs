use std::path::PathBuf;
use std::time::Duration;

use crate::LeakedProcess;

/// Why a scaffold did not boot or a barrier did not hold.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScaffoldError {
    /// A temporary folder could not be made.
    #[error("temporary folder: {0}")]
    Folder(#[source] std::io::Error),
    /// The composition is not what the patches expect.
    #[error("composition: {0}")]
    Composition(#[from] host::CompositionError),
    /// The host did not boot.
    #[error("host: {0}")]
    Host(#[from] host::HostError),
    /// The server did not bind.
    #[error("server: {0}")]
    Server(#[from] server::ServerError),
    /// The fixture's script cannot be derived.
    #[error("replay: {0}")]
    Replay(#[from] replay::ReplayError),
    /// Persistence refused.
    #[error("persistence: {0}")]
    Store(#[from] store::StoreError),
    /// A fixture is unusable.
    #[error(transparent)]
    Fixture(#[from] crate::FixtureError),
    /// Boot took too long.
    #[error("the composition did not boot within {budget:?}; the last thing begun was: {last}")]
    BootTimeout {
        /// The budget.
        budget: Duration,
        /// What was under way.
        last: &'static str,
    },
    /// No turn ended in time.
    #[error("no turn ended within {budget:?}\n{state}")]
    NoTurnEnd {
        /// The budget.
        budget: Duration,
        /// What the host saw last, a session a line.
        state: String,
    },
    /// The session did not come to rest.
    #[error("{0}")]
    NotIdle(#[from] host::IdleTimeout),
    /// A recording that must not replace the fixture there is.
    #[error("fixture {}: left as it is, since {reason}; repair what failed and record again", path.display())]
    NotWorthKeeping {
        /// The file.
        path: PathBuf,
        /// What is wrong with the new log.
        reason: String,
    },
    /// A recorded fixture could not be written.
    #[error("fixture {}: cannot be written: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Everything that was wrong at close, none of it hidden by another.
#[derive(Debug, Default)]
pub struct CloseError {
    /// The failures in the order the parts were closed.
    pub failures: Vec<String>,
}

impl CloseError {
    pub(crate) fn add(&mut self, part: &str, failure: impl std::fmt::Display) {
        self.failures.push(format!("{part}: {failure}"));
    }

    pub(crate) fn add_leaks(&mut self, leaks: &[LeakedProcess]) {
        for leak in leaks {
            self.add("leaked process", leak);
        }
    }

    pub(crate) fn into_result(self) -> Result<(), Self> {
        if self.failures.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl std::fmt::Display for CloseError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "close found {}:", self.failures.len())?;
        for failure in &self.failures {
            write!(formatter, "\n  - {failure}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CloseError {}
