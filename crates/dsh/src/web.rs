use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use host::{Composition, Host, HostEnv, ModelSource, Patch};
use server::{Asset, Record, Server, ServerConfig, StaticAssets};
use tempfile::TempDir;

use crate::args::WebOptions;
use crate::credential::CredentialFile;
use crate::output::{complain, say};
use crate::recording::Recording;
use crate::signals::{Asked, Signals};
use crate::surroundings::Surroundings;

/// What running turns get to come to an end.
const HOST_DEADLINE: Duration = Duration::from_secs(8);
/// What connections get after that.
const SERVER_DEADLINE: Duration = Duration::from_secs(2);
/// Exit status after a second signal: as the shell reports SIGINT.
const INTERRUPTED: u8 = 130;

/// Where everything is.
struct Places {
    workspace: PathBuf,
    state: PathBuf,
    home: PathBuf,
    /// Holds what is temporary; removed at the end.
    _temporary: Option<TempDir>,
}

/// `dsh web`: runs until a signal says to stop.
pub(crate) async fn run(options: WebOptions, surroundings: Surroundings) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::listen()?;
    let recording = options.replay.as_deref().map(Recording::load).transpose()?;
    let places = places(&options, &surroundings)?;

    let mut composition = Composition::shipped();
    if let Some(port) = options.port {
        let text = format!("[[patch]]\nid = \"web.server\"\nport = {port}\n");
        for patch in Patch::parse_toml(&text, "--port")? {
            composition.patch(patch)?;
        }
    }
    let keyless = recording.is_none() && surroundings.api_key.is_none();
    let mut tool_env = surroundings.tool_env;
    tool_env.insert("HOME".to_owned(), places.home.to_string_lossy().into_owned());
    let env = HostEnv {
        home: places.home.clone(),
        state_root: places.state.clone(),
        tool_env,
        clock: host::system_clock(),
        random: host::system_random(),
        api_key: surroundings.api_key,
        model: recording.as_ref().map_or(ModelSource::Configured, |recording| recording.model(options.pace)),
        workspaces: vec![places.workspace.clone()],
    };
    let host = Host::boot(composition, env).await?;
    if let Some(recording) = &recording {
        recording.seed(&host, &places.workspace).await?;
    }
    let server = serve(&host).await?;
    let credential = CredentialFile::write(&places.state, &server)?;

    say(format_args!("dsh {}\n  workspace {}\n", env!("CARGO_PKG_VERSION"), places.workspace.display()));
    say(format_args!("  sessions  {}\n", places.state.display()));
    if let Some(recording) = &recording {
        say(format_args!("  {}", recording.describe()));
    }
    if keyless {
        say(
            "  there is no key: the page opens, but no prompt is answered. Set DEEPSEEK_API_KEY and start again, or look \
             at a recorded session with --replay LOG\n",
        );
    }
    announce(&server);
    say(format_args!("  it lets one browser in; for one more: kill -USR1 {}. Ctrl-C stops.\n", std::process::id()));

    while signals.next().await == Asked::AnotherAddress {
        announce(&server);
    }
    say("stopping; Ctrl-C again stops at once\n");
    let stopped = tokio::select! {
        failures = stop(&host, &server) => failures,
        () = until_stop(&mut signals) => {
            complain("stopped at once; sessions that were running are repaired when they are opened again");
            return Ok(ExitCode::from(INTERRUPTED));
        }
    };
    drop(credential);
    for failure in &stopped {
        complain(failure);
    }
    Ok(if stopped.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn places(options: &WebOptions, surroundings: &Surroundings) -> anyhow::Result<Places> {
    let temporary = match options.replay {
        None => None,
        Some(_) => Some(temporary_root()?),
    };
    // A recording must neither see nor change what is the person's own, unless they name it.
    let temporary_folder = |name: &str| -> anyhow::Result<Option<PathBuf>> {
        let Some(temporary) = &temporary else { return Ok(None) };
        let folder = temporary.path().join(name);
        std::fs::create_dir(&folder).map_err(|error| anyhow!("cannot make {}: {error}", folder.display()))?;
        Ok(Some(folder))
    };
    let workspace = match (&options.workspace, temporary_folder("workspace")?) {
        (Some(given), _) => given.clone(),
        (None, Some(temporary)) => temporary,
        (None, None) => match &surroundings.cwd {
            Ok(cwd) => cwd.clone(),
            Err(error) => anyhow::bail!("the current folder cannot be read ({error}); give one with --workspace DIR"),
        },
    };
    let workspace = workspace.canonicalize().map_err(|error| {
        anyhow!("cannot open the workspace {}: {error}; give a folder with --workspace DIR", workspace.display())
    })?;
    let state = match (&options.state, temporary_folder("state")?) {
        (Some(given), _) => absolute(given)?,
        (None, Some(temporary)) => temporary,
        (None, None) => surroundings.default_state()?,
    };
    let home = match (temporary_folder("home")?, &surroundings.home) {
        (Some(temporary), _) => temporary,
        (None, Some(home)) => home.clone(),
        (None, None) => anyhow::bail!("HOME is not set to an absolute path; commands of the agent need it, so set it"),
    };
    Ok(Places { workspace, state, home, _temporary: temporary })
}

fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).map_err(|error| anyhow!("--state {}: {error}; give another path", path.display()))
}

fn temporary_root() -> anyhow::Result<TempDir> {
    let made = tempfile::Builder::new().prefix("dsh-replay-").tempdir();
    made.map_err(|error| anyhow!("cannot make a temporary folder: {error}; set TMPDIR to one with space left"))
}

async fn serve(host: &Arc<Host>) -> anyhow::Result<Server> {
    let settings = host.web_settings();
    let files = ui_bundle::assets().map(|file| Asset {
        path: file.path,
        bytes: file.bytes,
        gzip: file.gzip,
        content_type: file.content_type,
        immutable: file.immutable,
    });
    let config = ServerConfig {
        addr: (settings.address, settings.port).into(),
        secret: None,
        trusted_hosts: settings.trusted_hosts.clone(),
        assets: StaticAssets::new(ui_bundle::index_html(), files),
        sink: Arc::new(|record: &Record| complain(record)),
    };
    Ok(Server::bind(host.clone(), config).await?)
}

fn announce(server: &Server) {
    say(format_args!("open {}\n", server.mint_url()));
}

/// The host first: readers are told how their turns ended before their streams do.
async fn stop(host: &Host, server: &Server) -> Vec<String> {
    let host = host.shutdown(HOST_DEADLINE).await.err().map(|error| error.to_string());
    let server = server.close(SERVER_DEADLINE).await.err().map(|error| error.to_string());
    host.into_iter().chain(server).collect()
}

async fn until_stop(signals: &mut Signals) {
    while signals.next().await != Asked::Stop {}
}
