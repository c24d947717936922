use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use agent::Random;
use llm::{Adapter, Provider, Secret};
use store::Clock;

/// Which model answers.
#[derive(Clone)]
pub enum ModelSource {
    /// The providers of the composition.
    Configured,
    /// This provider in the place of all of them.
    Injected {
        /// Its catalogue row.
        provider: Provider,
        /// The connection to it.
        adapter: Arc<dyn Adapter>,
    },
}

/// Everything a host takes from its surroundings. It reads nothing else.
#[derive(Clone)]
pub struct HostEnv {
    /// Home directory, for shortening paths.
    pub home: PathBuf,
    /// Where logs and lists are written.
    pub state_root: PathBuf,
    /// The whole environment of what tools start.
    pub tool_env: BTreeMap<String, String>,
    /// The time.
    pub clock: Clock,
    /// Random numbers in 0..1.
    pub random: Random,
    /// Key of the configured provider.
    pub api_key: Option<Secret>,
    /// Which model answers.
    pub model: ModelSource,
    /// Directories to register as workspaces at boot.
    pub workspaces: Vec<PathBuf>,
}

/// The system's clock, for [`HostEnv::clock`].
pub fn system_clock() -> Clock {
    Arc::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

/// Random numbers of the system's source, for [`HostEnv::random`].
pub fn system_random() -> Random {
    Arc::new(|| {
        let (high, _) = uuid::Uuid::new_v4().as_u64_pair();
        // The upper 48 bits of a version 4 UUID are random.
        (high >> 16) as f64 / (1_u64 << 48) as f64
    })
}
