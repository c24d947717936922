//! Starting and ending the driver and the browser, so that nothing outlives the test.
//!
//! Two processes are started, each in a process group of its own:
//!
//! - the *watchdog*, a small shell, makes the browser's temporary folder and then waits on a pipe.
//!   When the pipe closes, be it that the browser is closed or that the test process was killed,
//!   it kills the driver's group and removes the folder;
//! - the *driver*, which starts the browser inside its group. It waits at a gate until the watchdog
//!   knows its group, so there is no moment at which a kill of the test process leaves it alive.
//!
//! A death signal (`PR_SET_PDEATHSIG`) would not do: it is bound to the thread that forks, and it
//! reaches the driver but not the browser.

mod driver;
mod find;
mod options;
mod output;
mod processes;
mod session;
mod watchdog;

pub(crate) use driver::Driver;
pub(crate) use find::find;
pub use options::LaunchOptions;
pub(crate) use output::Output;
pub use processes::Process;
pub use session::Version;
pub(crate) use session::{Opening, Session, open};
