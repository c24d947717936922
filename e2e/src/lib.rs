//! The browser end-to-end lane: scenarios over the real composition, goldens, guards, barriers, evidence.
//!
//! A scenario is an async function over a [`Stage`]; a test file lists its scenarios:
//!
//! ```no_run
//! use e2e::{Golden, Scenario, Stage};
//!
//! fn main() -> std::process::ExitCode {
//!     e2e::lane("greeting", vec![Scenario::new("greeting", greeting).fixture("greeting")])
//! }
//!
//! async fn greeting(stage: &Stage) -> anyhow::Result<()> {
//!     stage.open().await?;
//!     let turn = stage.host().next_turn();
//!     stage.send_recorded_prompt(0).await?;
//!     stage.caught_up(&turn.settled().await?).await?;
//!     stage.golden(Golden::new("answered", "[data-region=conversation]")).await
//! }
//! ```

mod barrier;
mod evidence;
mod failure;
mod golden;
mod guard;
mod phases;
pub mod recorded;
mod report;
mod runner;
mod scenario;
mod settings;
mod stage;

pub use failure::{Failure, whole};
pub use golden::{Golden, GoldenError, GoldenStore, Token};
pub use guard::Budget;
pub use phases::Phase;
pub use report::{Outcome, Report};
pub use runner::{Lane, lane};
pub use scenario::Scenario;
pub use settings::{Settings, SettingsError, SnapshotMode};
pub use stage::Stage;
