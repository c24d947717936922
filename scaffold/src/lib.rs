//! In-process scaffold: boots the real web composition on port 0 with temporary persistence and a replay model.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use scaffold::{Fixture, Model, Scaffold, ScaffoldOptions};
//!
//! let fixture = Fixture::load("fixtures/tool_round_trip/session.jsonl".as_ref())?;
//! let scaffold = Scaffold::boot(ScaffoldOptions { model: Model::Replay(fixture), ..Default::default() }).await?;
//! let turn = scaffold.next_turn(); // armed before the gesture
//! // … drive a browser at `scaffold.url()` …
//! let settled = turn.settled().await?;
//! assert!(settled.tail_seq > 0);
//! scaffold.close().await?; // reports everything that was left over
//! # Ok(()) }
//! ```
//!
//! It knows nothing of browsers. Nothing here reads or changes the environment or the current directory of the
//! process, so scaffolds stand side by side.

mod barrier;
mod boot;
mod close;
mod error;
mod fixture;
mod frames;
mod options;
mod processes;
mod record;

pub use barrier::{NextTurn, Settled};
pub use boot::Scaffold;
pub use error::{CloseError, ScaffoldError};
pub use fixture::{Fixture, FixtureError};
pub use options::{Budgets, Model, Provider, ScaffoldOptions};
pub use processes::{LeakedProcess, MARK_VARIABLE};
pub use record::replace_file;
