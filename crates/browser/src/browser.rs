//! A running browser.

use crate::context::{Context, ContextOptions};
use crate::error::Result;
use crate::frame::Realms;
use crate::input::Devices;
use crate::launch::{self, Driver, LaunchOptions, Opening, Output, Process, Session, Version};
use crate::link::Link;
use crate::monitor::Monitor;
use crate::network::Remote;
use crate::page::{Lifecycles, TARGET_CRASHED, watch_crashes};
use crate::script;
use crate::trace::Recorders;
use bidi::Listener;
use bidi::command::network::{AddDataCollector, DataType};
use bidi::command::script::AddPreloadScript;
use bidi::command::session::Subscribe;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A running browser. Cheap to clone; when the last handle, with all contexts and pages, is
/// dropped, driver and browser are killed. [`close`](Self::close) ends them in good order.
#[derive(Debug, Clone)]
pub struct Browser {
    core: Arc<Core>,
}

/// What browser, contexts and pages share.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) link: Arc<Link>,
    pub(crate) monitor: Arc<Monitor>,
    pub(crate) realms: Arc<Realms>,
    pub(crate) devices: Arc<Devices>,
    pub(crate) lifecycles: Arc<Lifecycles>,
    /// What installs the page script.
    pub(crate) script: String,
    pub(crate) settings: Settings,
    pub(crate) recorders: Recorders,
    client: Mutex<Option<fantoccini::Client>>,
    pub(crate) version: Version,
    pid: i32,
    _listeners: [Listener; 5],
    // Last: the connection closes before the processes are killed.
    // `None` when they are not ours.
    driver: Option<Driver>,
}

/// The options that matter after the start.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) slow_motion: Duration,
    pub(crate) action_deadline: Duration,
    pub(crate) navigation_deadline: Duration,
    close_deadline: Duration,
}

/// Bytes of a body that can be asked for.
const BODY_LIMIT: u64 = 64 * 1024 * 1024;

impl Core {
    /// The folder that holds everything driver and browser write; none when they are not ours.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.driver.as_ref().map(Driver::folder)
    }

    /// A folder of its own for the files of one input, not made yet. It goes with the browser's.
    pub(crate) fn upload_folder(&self) -> Option<PathBuf> {
        Some(self.folder()?.join("uploads").join(self.devices.next_upload().to_string()))
    }
}

impl Browser {
    /// Starts driver and browser.
    ///
    /// # Errors
    /// [`NotFound`](crate::Error::NotFound), [`Spawn`](crate::Error::Spawn),
    /// [`DriverStart`](crate::Error::DriverStart), [`DriverEnded`](crate::Error::DriverEnded),
    /// [`SessionNotCreated`](crate::Error::SessionNotCreated),
    /// [`VersionMismatch`](crate::Error::VersionMismatch). Nothing stays behind then.
    pub async fn launch(options: LaunchOptions) -> Result<Self> {
        let programs = launch::find(&options)?;
        let driver = Driver::start(&programs.chromedriver, &options).await?;
        let opening = Opening {
            address: &format!("http://127.0.0.1:{}", driver.port()),
            chromium: Some(&programs.chromium),
            profile: Some(driver.folder().join("profile")),
            output: driver.output(),
        };
        let session = launch::open(opening, &options).await?;
        let output = driver.output().clone();
        Self::connect(session, output, Some(driver), options).await
    }

    /// Opens a session at a driver that runs already, such as `http://127.0.0.1:9515`. The driver starts the browser of
    /// its choice, unless the options name one; of the options that start processes nothing else counts. Driver and
    /// browser are not this process's: [`close`](Self::close) ends the session, and with it the browser, and waits for
    /// nothing; a handle that is only dropped leaves them to the driver. [`folder`](Self::folder) is empty,
    /// [`processes`](Self::processes) are none, [`process_group`](Self::process_group) is 0.
    ///
    /// # Errors
    /// [`SessionNotCreated`](crate::Error::SessionNotCreated), [`VersionMismatch`](crate::Error::VersionMismatch).
    pub async fn attach(driver_url: &str, options: LaunchOptions) -> Result<Self> {
        let output = Arc::new(Output::default());
        let opening =
            Opening { address: driver_url, chromium: options.chromium.as_deref(), profile: None, output: &output };
        let session = launch::open(opening, &options).await?;
        Self::connect(session, output, None, options).await
    }

    async fn connect(
        session: Session,
        output: Arc<Output>,
        driver: Option<Driver>,
        options: LaunchOptions,
    ) -> Result<Self> {
        let link = Arc::new(Link::connect(&session.websocket, output).await?);
        let monitor = Monitor::new(Remote { link: Arc::downgrade(&link), deadline: options.action_deadline });
        let realms = Arc::new(Realms::default());
        let devices = Arc::new(Devices::default());
        let lifecycles = Arc::new(Lifecycles::default());
        let (sink, ending) = (monitor.clone(), monitor.clone());
        let (worlds, lives, hands) = (realms.clone(), lifecycles.clone(), devices.clone());
        let listeners = [
            link.connection().listen(move |event| sink.hear(event)),
            link.connection().listen(move |event| worlds.hear(event)),
            link.connection().listen(move |event| lives.hear(event)),
            link.connection().listen(move |event| hands.hear(event)),
            link.connection().on_end(move |_| ending.end()),
        ];
        // New for each browser: no page can know it.
        let channel = format!("{:016x}", RandomState::new().hash_one(session.pid));
        let script = script::install(&options.test_id_attribute, &channel);
        // For all contexts and before any page of the test exists: nothing can be missed.
        let events = [Realms::EVENTS, Monitor::EVENTS, Lifecycles::EVENTS, &[TARGET_CRASHED]]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect();
        let crashes = link.connection().events(&[TARGET_CRASHED]);
        link.call(&Subscribe { events, ..Subscribe::default() }).await?;
        link.call(&AddPreloadScript {
            function_declaration: script.clone(),
            sandbox: Some(script::SANDBOX.to_owned()),
            ..AddPreloadScript::default()
        })
        .await?;
        link.call(&AddPreloadScript {
            function_declaration: script::call(aria::PAGE_WORLD_SCRIPT, &[channel.into()]),
            ..AddPreloadScript::default()
        })
        .await?;
        // Costs no time that can be measured: what Chrome keeps anyway may be asked for.
        let data_types = vec![DataType::Request, DataType::Response];
        link.call(&AddDataCollector { data_types, max_encoded_data_size: BODY_LIMIT }).await?;
        let core = Arc::new(Core {
            link,
            monitor,
            realms,
            devices,
            lifecycles,
            script,
            settings: Settings {
                slow_motion: options.slow_motion,
                action_deadline: options.action_deadline,
                navigation_deadline: options.navigation_deadline,
                close_deadline: options.close_deadline,
            },
            recorders: Recorders::default(),
            client: Mutex::new(Some(session.client)),
            version: session.version,
            pid: session.pid,
            _listeners: listeners,
            driver,
        });
        tokio::spawn(watch_crashes(Arc::downgrade(&core), crashes));
        Ok(Self { core })
    }

    /// Versions of browser and driver.
    pub fn version(&self) -> &Version {
        &self.core.version
    }

    /// Makes an isolated context.
    ///
    /// # Errors
    /// [`BrowserGone`](crate::Error::BrowserGone), or an option the browser refuses.
    pub async fn new_context(&self, options: ContextOptions) -> Result<Context> {
        Context::open(self.core.clone(), options).await
    }

    /// Process id of the browser itself.
    pub fn pid(&self) -> i32 {
        self.core.pid
    }

    /// Process group of driver and browser.
    pub fn process_group(&self) -> i32 {
        self.core.driver.as_ref().map(Driver::group).unwrap_or_default()
    }

    /// All live processes of driver and browser.
    pub fn processes(&self) -> Vec<Process> {
        self.core.driver.as_ref().map(Driver::processes).unwrap_or_default()
    }

    /// The folder that holds everything driver and browser write. Gone after the end.
    pub fn folder(&self) -> &Path {
        self.core.folder().unwrap_or(Path::new(""))
    }

    /// What driver and browser have printed: the last 2,000 lines, oldest first.
    pub fn driver_log(&self) -> Vec<String> {
        self.core.link.output().snapshot()
    }

    /// Ends session, browser and driver, and waits until all processes and files are gone. Pages
    /// that are still open are closed with it.
    ///
    /// # Errors
    /// [`Leaked`](crate::Error::Leaked) names processes that did not end by themselves,
    /// [`FolderLeft`](crate::Error::FolderLeft) files that could not be removed.
    pub async fn close(&self) -> Result<()> {
        let deadline = self.core.settings.close_deadline;
        let client = self.core.client.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(client) = client {
            // A browser that died before can't end its session; what is left is judged below.
            let _ = tokio::time::timeout(deadline, client.close()).await;
        }
        self.core.link.connection().end("the browser was closed by the test");
        match &self.core.driver {
            Some(driver) => driver.end(deadline).await,
            None => Ok(()),
        }
    }

    /// Kills driver and browser at once, as a crash would. For tests of what happens then. Those that are not ours are
    /// left alone.
    pub fn kill(&self) {
        if let Some(driver) = &self.core.driver {
            driver.kill();
        }
    }
}
