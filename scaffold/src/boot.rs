use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use host::{Composition, Host, HostEnv, ModelSource, Patch, WebSettings};
use llm::Secret;
use replay::{ReplayModel, ReplayOptions, Script};
use server::{Asset, Server, ServerConfig, StaticAssets};
use session::Event;
use tempfile::TempDir;
use wire::Api;

use crate::frames::FrameTap;
use crate::processes::MARK_VARIABLE;
use crate::{Fixture, FixtureError, Model, NextTurn, ScaffoldError, ScaffoldOptions, Settled};

/// What every scaffold changes of the shipped composition, and why. Rows by id: a row that no longer exists fails boot.
const HERMETIC_PATCH: &str = r#"
# Port 0: the system picks, scaffolds stand side by side.
[[patch]]
id = "web.server"
port = 0
"#;

/// A booted composition with a server in front and everything it may write in temporary folders.
pub struct Scaffold {
    pub(crate) host: Arc<Host>,
    pub(crate) server: Server,
    pub(crate) server_log: ServerLog,
    pub(crate) model: Option<Arc<ReplayModel>>,
    pub(crate) frames: FrameTap,
    pub(crate) workspace: PathBuf,
    pub(crate) state_root: PathBuf,
    pub(crate) folder: TempDir,
    pub(crate) mark: String,
    pub(crate) options: ScaffoldOptions,
}

impl Scaffold {
    /// Boots host and server. On any failure everything begun is taken down again and the first error returned.
    pub async fn boot(options: ScaffoldOptions) -> Result<Self, ScaffoldError> {
        let budget = options.budgets.boot;
        let (begun, last) = tokio::sync::watch::channel("temporary folders");
        tokio::time::timeout(budget, boot(options, &begun))
            .await
            .unwrap_or_else(|_| Err(ScaffoldError::BootTimeout { budget, last: *last.borrow() }))
    }

    /// Address of the web interface with a fresh one-time token.
    pub fn url(&self) -> String {
        self.server.mint_url()
    }

    /// The workspace all sessions work in: an absolute path without symbolic links.
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }

    /// Where logs and settings are written.
    pub fn state_root(&self) -> &Path {
        &self.state_root
    }

    /// The host, for assertions on the world.
    pub fn host(&self) -> &Arc<Host> {
        &self.host
    }

    /// The server, for cutting streams.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// The replay model, unless a real provider answers.
    pub fn model(&self) -> Option<&Arc<ReplayModel>> {
        self.model.as_ref()
    }

    /// The events of every session an agent is attached to, from the host's memory, one JSON object a line.
    pub fn host_events(&self) -> String {
        let mut lines = Vec::new();
        for session_id in self.host.attached_sessions() {
            let Some(log) = self.host.session_log(&session_id) else { continue };
            for event in log.events() {
                lines.push(serde_json::json!({"sessionId": session_id, "event": event}).to_string());
            }
        }
        lines.join("\n")
    }

    /// What both event streams carried so far, one JSON object a line.
    pub fn frames(&self) -> String {
        self.frames.text()
    }

    /// What the server logged so far: refusals and broken connections, a line each.
    pub fn server_log(&self) -> String {
        self.server_log.0.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }

    /// The wait for the next turn's end. Make it before the gesture that starts the turn.
    pub fn next_turn(&self) -> NextTurn {
        NextTurn {
            host: Arc::clone(&self.host),
            end: Box::pin(self.host.next_turn_end()),
            budget: self.options.budgets.event,
        }
    }

    /// Writes the fixture as a cold session through the persistence API and returns its id.
    pub async fn seed(&self, fixture: &Fixture) -> Result<Settled, ScaffoldError> {
        let session_id = uuid::Uuid::new_v4().to_string();
        let workspace = self.workspace.to_string_lossy();
        let (header, events) = session::realize_fixture(fixture.text(), &session_id, &workspace)
            .map_err(|source| FixtureError::Malformed { path: fixture.origin().to_owned(), source })?;
        let tail_seq = events.last().map_or(-1, |event| event.seq as i64);
        self.host.store().seed(header, events).await?;
        Ok(Settled { session_id, tail_seq })
    }

    /// The session's log as it is on disk now.
    pub async fn durable_log(&self, session_id: &str) -> Result<Vec<Event>, ScaffoldError> {
        Ok(self.host.store().read(session_id).await?.events)
    }

    /// Waits until the session is at rest and its log on disk.
    pub async fn when_idle(&self, session_id: &str) -> Result<Settled, ScaffoldError> {
        let idle = self.host.when_idle(session_id, self.options.budgets.event).await?;
        Ok(Settled { session_id: session_id.to_owned(), tail_seq: idle.tail_seq })
    }
}

async fn boot(
    options: ScaffoldOptions,
    begun: &tokio::sync::watch::Sender<&'static str>,
) -> Result<Scaffold, ScaffoldError> {
    let folder = tempfile::Builder::new().prefix("dsh-scaffold-").tempdir().map_err(ScaffoldError::Folder)?;
    let root = folder.path().canonicalize().map_err(ScaffoldError::Folder)?;
    let mark = uuid::Uuid::new_v4().to_string();
    // A name no text holds by chance: where it is shown unmarked, the lane can tell.
    let workspace = root.join(format!("workspace-{}", &mark[..8]));
    let [state_root, home] = ["state", "home"].map(|name| root.join(name));
    for path in [&workspace, &state_root, &home] {
        std::fs::create_dir(path).map_err(ScaffoldError::Folder)?;
    }

    begun.send_replace("composition");
    let mut composition = Composition::shipped();
    for patch in Patch::parse_toml(HERMETIC_PATCH, "the scaffold's own patch")? {
        composition.patch(patch)?;
    }
    if let Model::Provider(provider) = &options.model
        && let Some(base_url) = &provider.base_url
    {
        let text = format!("[[patch]]\nid = \"provider.deepseek\"\nbase-url = {}\n", serde_json::json!(base_url));
        for patch in Patch::parse_toml(&text, "the scaffold's provider patch")? {
            composition.patch(patch)?;
        }
    }
    for patch in &options.patches {
        composition.patch(patch.clone())?;
    }

    begun.send_replace("model");
    let (model, source, api_key) = match &options.model {
        Model::Provider(provider) => (None, ModelSource::Configured, Some(Secret::new(provider.api_key.as_str()))),
        Model::None => injected(ReplayModel::without_fixture()),
        Model::Replay(fixture) => {
            let script = Script::from_log(fixture.text(), &fixture.origin().display().to_string())?;
            injected(ReplayModel::new(vec![script], ReplayOptions { pace: options.pace, reuse: false }))
        }
    };

    begun.send_replace("host");
    let env = HostEnv {
        home: home.clone(),
        state_root: state_root.clone(),
        tool_env: tool_environment(&home, &mark),
        clock: host::system_clock(),
        random: host::system_random(),
        api_key,
        model: source,
        workspaces: vec![workspace.clone()],
    };
    let host = Host::boot(composition, env).await?;

    begun.send_replace("server");
    let api: Arc<dyn Api> = host.clone();
    let frames = FrameTap::follow(&*api);
    let server_log = ServerLog::default();
    let server = match Server::bind(api, server_config(host.web_settings(), &server_log)).await {
        Ok(server) => server,
        Err(error) => {
            // The first error is the one to report; a host that does not stop cannot be helped any more here.
            let _ = host.shutdown(Duration::from_secs(2)).await;
            return Err(error.into());
        }
    };
    Ok(Scaffold { host, server, server_log, model, frames, workspace, state_root, folder, mark, options })
}

/// Lines of the server's log.
#[derive(Clone, Default)]
pub(crate) struct ServerLog(Arc<Mutex<Vec<String>>>);

/// The server as `dsh web` has it: the row's settings and the embedded bundle.
fn server_config(settings: &WebSettings, log: &ServerLog) -> ServerConfig {
    let files = ui_bundle::assets().map(|asset| Asset {
        path: asset.path,
        bytes: asset.bytes,
        gzip: asset.gzip,
        content_type: asset.content_type,
        immutable: asset.immutable,
    });
    let lines = log.clone();
    ServerConfig {
        addr: SocketAddr::new(settings.address, settings.port),
        secret: None,
        trusted_hosts: settings.trusted_hosts.clone(),
        assets: StaticAssets::new(ui_bundle::index_html(), files),
        sink: Arc::new(move |record| {
            lines.0.lock().unwrap_or_else(PoisonError::into_inner).push(record.to_string());
        }),
    }
}

type Injected = (Option<Arc<ReplayModel>>, ModelSource, Option<Secret>);

fn injected(model: Arc<ReplayModel>) -> Injected {
    let source = ModelSource::Injected { provider: ReplayModel::provider(), adapter: model.clone() };
    (Some(model), source, None)
}

/// What tools see: nothing of this process but the standard program folders.
fn tool_environment(home: &Path, mark: &str) -> BTreeMap<String, String> {
    [
        ("HOME", home.to_string_lossy().into_owned()),
        ("LANG", "C.UTF-8".to_owned()),
        ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
        ("TZ", "UTC".to_owned()),
        (MARK_VARIABLE, mark.to_owned()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}
