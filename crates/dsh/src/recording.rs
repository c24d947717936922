use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use host::{Host, ModelSource};
use replay::{ReplayModel, ReplayOptions, Script};
use store::StoreError;

/// Id of the recorded session where the log has none of its own.
const RECORDED: &str = "recorded";

/// A recorded session to look at without a key.
pub(crate) struct Recording {
    path: PathBuf,
    text: String,
    pub(crate) script: Script,
}

impl Recording {
    pub(crate) fn load(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            anyhow!("cannot read the recording {}: {error}; name a session log (JSONL)", path.display())
        })?;
        let script = Script::from_log(&text, &path.display().to_string())?;
        Ok(Self { path: path.to_owned(), text, script })
    }

    /// The model that answers from it, every new session from its start.
    pub(crate) fn model(&self, pace: Option<Duration>) -> ModelSource {
        let model = ReplayModel::new(vec![self.script.clone()], ReplayOptions { pace, reuse: true });
        ModelSource::Injected { provider: ReplayModel::provider(), adapter: model }
    }

    /// Puts it into the list of sessions, unless a kept state has it from an earlier start.
    pub(crate) async fn seed(&self, host: &Host, workspace: &Path) -> anyhow::Result<()> {
        let seeded = async {
            let (header, _) = session::decode_log(&self.text)?;
            let id = if header.id.contains("{{") { RECORDED } else { &header.id };
            let (header, events) = session::realize_fixture(&self.text, id, &workspace.to_string_lossy())?;
            match host.store().seed(header, events).await {
                Ok(()) | Err(StoreError::Exists { .. }) => anyhow::Ok(()),
                Err(error) => Err(error.into()),
            }
        };
        seeded.await.map_err(|error| anyhow!("the recording {} cannot be listed: {error}", self.path.display()))
    }

    /// What it can be asked, for a person.
    pub(crate) fn describe(&self) -> String {
        let mut text = format!(
            "answers are replayed from {} ({} model answers), each new session from the start; type in turn:\n",
            self.path.display(),
            self.script.calls.len()
        );
        for prompt in &self.script.prompts {
            text.push_str(&format!("    {}\n", prompt.replace('\n', "\n    ")));
        }
        text.push_str("  commands in the answers really run, in the workspace\n");
        text
    }
}
