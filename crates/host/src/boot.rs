use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent::{AgentLimits, TitleRule};
use llm::deepseek::{DeepSeek, DeepSeekConfig};
use llm::{Adapter, Provider, Registry, Route};
use store::{LogStore, WorkspaceRegistry};
use tools::{Bash, BashLimits, Tool};

use crate::keyless::Keyless;
use crate::outlets::Outlets;
use crate::sessions::Sessions;
use crate::settings::{BashSettings, DeepSeekProvider, Named, Settings, Title};
use crate::{Composition, HostEnv, HostError, ModelSource, WebSettings};

/// A running host: the store, the agents of open sessions, and what the page asks ([`wire::Api`]).
pub struct Host {
    pub(crate) composition: Composition,
    pub(crate) env: HostEnv,
    pub(crate) settings: Settings,
    pub(crate) store: LogStore,
    pub(crate) workspaces: WorkspaceRegistry,
    /// Model of every session; `None` when no provider row is enabled.
    pub(crate) route: Option<Route>,
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    pub(crate) title: Option<TitleRule>,
    pub(crate) limits: AgentLimits,
    pub(crate) outlets: Arc<Outlets>,
    pub(crate) sessions: Mutex<Sessions>,
    /// One lock a session that is being opened, so that it is opened once.
    pub(crate) opening: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

impl Host {
    /// Builds every row and registers the workspaces of `env`. On an error nothing is left running.
    pub async fn boot(composition: Composition, env: HostEnv) -> Result<Arc<Self>, HostError> {
        let settings = Settings::read(&composition)?;
        let store = LogStore::open(env.state_root.join(&settings.persistence.directory), env.clock.clone())?;
        let workspaces =
            WorkspaceRegistry::open(env.state_root.join(&settings.workspaces.directory), env.clock.clone())?;
        for path in &env.workspaces {
            workspaces
                .add(path)
                .map_err(|source| HostError::Workspace { path: path.clone(), source: Box::new(source) })?;
        }
        let models = models(settings.deepseek.as_ref(), &env)?;
        let outlets = Arc::new(Outlets::new(settings.streams.queue_frames, workspaces.clone()));
        outlets.learn(store.list().await?, Vec::new());
        let limits = AgentLimits {
            max_steps: settings.agent.max_steps,
            parallel_tools: settings.agent.parallel_tools,
            cancel_grace: Duration::from_millis(settings.agent.cancel_grace_ms),
        };
        Ok(Arc::new(Self {
            route: models.default_route(),
            tools: settings.bash.iter().map(bash).collect(),
            title: settings
                .title
                .as_ref()
                .map(|Title { words, max_chars }| TitleRule { words: *words, max_chars: *max_chars }),
            limits,
            outlets,
            sessions: Mutex::default(),
            opening: Mutex::default(),
            composition,
            env,
            settings,
            store,
            workspaces,
        }))
    }

    /// The rows this host was built from.
    pub fn composition(&self) -> &Composition {
        &self.composition
    }

    /// The persistence API.
    pub fn store(&self) -> &LogStore {
        &self.store
    }

    /// How the web interface is to be offered.
    pub fn web_settings(&self) -> &WebSettings {
        &self.settings.web
    }
}

fn bash(settings: &BashSettings) -> Arc<dyn Tool> {
    Arc::new(Bash::new(BashLimits {
        timeout: Duration::from_millis(settings.timeout_ms),
        max_timeout: Duration::from_millis(settings.max_timeout_ms),
        max_output_bytes: settings.max_output_bytes,
    }))
}

fn models(row: Option<&Named<DeepSeekProvider>>, env: &HostEnv) -> Result<Registry, HostError> {
    let mut registry = Registry::default();
    match (&env.model, row) {
        (ModelSource::Injected { provider, adapter }, _) => registry.add(provider.clone(), Arc::clone(adapter)),
        (ModelSource::Configured, Some(Named { id, settings })) => {
            let provider = Provider {
                id: "deepseek".to_owned(),
                name: "DeepSeek".to_owned(),
                models: settings.models.clone(),
                retry: settings.retry.clone(),
            };
            let adapter: Arc<dyn Adapter> = match &env.api_key {
                None => Arc::new(Keyless),
                Some(key) => {
                    let config = DeepSeekConfig {
                        base_url: settings.base_url.clone(),
                        api_key: key.clone(),
                        idle_timeout: Duration::from_millis(settings.idle_timeout_ms),
                    };
                    let made = DeepSeek::new(config);
                    Arc::new(made.map_err(|source| HostError::Provider { row: id.clone(), source })?)
                }
            };
            registry.add(provider, adapter);
        }
        (ModelSource::Configured, None) => {}
    }
    Ok(registry)
}
