//! What a test holds while it is recorded.

use super::document::{Document, Entry};
use super::recorder::Recorder;
use crate::context::Context;
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a trace holds beside actions, console and network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceOptions {
    /// A picture of the page before and after each action.
    pub pictures: bool,
    /// The accessibility snapshot of the page before and after each action.
    pub trees: bool,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self { pictures: true, trees: true }
    }
}

/// A running recording of a context: every action with the page before and after it, the console
/// and the requests, ordered by time. It ends as one HTML file that is opened without a server.
///
/// A test that fails never reaches its last line, so the trace is written when it is dropped, unless
/// [`discard`](Self::discard) was called:
///
/// ```no_run
/// # async fn example(context: browser::Context) -> browser::Result<()> {
/// let trace = context.start_trace("sends a message", "target/traces/sends_a_message.html");
/// let page = context.new_page().await?;
/// page.goto("http://127.0.0.1:8080/").await?;
/// page.get_by_role("button", "Send").click().await?;
/// trace.discard();
/// # Ok(()) }
/// ```
#[derive(Debug)]
#[must_use = "a trace that is dropped at once records nothing"]
pub struct Trace {
    context: Context,
    recorder: Arc<Recorder>,
    title: String,
    path: PathBuf,
    is_over: bool,
}

impl Context {
    /// Starts to record this context; `title` names the test. See [`Trace`].
    pub fn start_trace(&self, title: impl Into<String>, path: impl Into<PathBuf>) -> Trace {
        self.start_trace_with(title, path, TraceOptions::default())
    }

    /// [`start_trace`](Self::start_trace) with options.
    pub fn start_trace_with(&self, title: impl Into<String>, path: impl Into<PathBuf>, options: TraceOptions) -> Trace {
        let recorder = Arc::new(Recorder::new(options));
        self.core().recorders.start(self.id(), recorder.clone());
        Trace { context: self.clone(), recorder, title: title.into(), path: path.into(), is_over: false }
    }
}

impl Trace {
    /// Ends the recording and writes nothing: the test has passed.
    pub fn discard(mut self) {
        self.end();
    }

    /// Takes another look at each page, for the case that there is none left when the trace is saved.
    pub async fn look_again(&self) {
        self.recorder.look_last(&self.context).await;
    }

    /// Ends the recording with a last look at each page and writes the file. `failure` is shown at
    /// its head. Gives back where it is.
    ///
    /// # Errors
    /// [`Error::File`] when it can't be written.
    pub async fn save(mut self, failure: Option<&str>) -> Result<PathBuf> {
        self.look_again().await;
        self.end();
        self.write(failure)?;
        Ok(self.path.clone())
    }

    fn end(&mut self) {
        self.is_over = true;
        self.context.core().recorders.end(self.context.id(), &self.recorder);
    }

    fn write(&self, failure: Option<&str>) -> Result<()> {
        let (actions, shots) = self.recorder.take();
        let mut entries: Vec<Entry> = actions.into_iter().map(Entry::Action).collect();
        for (number, log) in self.context.core().monitor.logs_of(self.context.id()).iter().enumerate() {
            let page = format!("page {}", number + 1);
            entries.extend(log.console().into_iter().map(|entry| Entry::console(entry, &page)));
            entries.extend(log.requests().into_iter().map(|request| Entry::request(request, &page)));
        }
        // What was before belongs to nobody's test.
        entries.retain(|entry| entry.at() >= self.recorder.started);
        let document = Document {
            title: self.title.clone(),
            started: self.recorder.started,
            browser: format!("Chromium {}", self.context.core().version.browser),
            failure: failure.map(str::to_owned),
            entries,
            shots,
        };
        write(&self.path, &document.html())
    }
}

fn write(path: &Path, html: &str) -> Result<()> {
    let failed = |source| Error::File { action: "writing the trace", path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, html).map_err(failed)
}

impl Drop for Trace {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        self.end();
        match self.write(None) {
            Ok(()) => eprintln!("trace of {}: {}", self.title, self.path.display()),
            Err(error) => eprintln!("trace of {}: {error}", self.title),
        }
    }
}
