//! Persistence: the session log store and the list of workspaces.
//!
//! A session is one file, `<root>/--<readable cwd>--/<escaped id>/session.jsonl.zstd`: independent checksummed zstd
//! frames, the first with the header line, then one per batch of events. Appends are batched over 200 ms and synced;
//! the first one publishes the file whole. A log that a crash cut short is repaired when it is resumed; damage that no
//! crash explains is refused.
//!
//! ```no_run
//! # async fn example() -> Result<(), store::StoreError> {
//! use std::{path::PathBuf, sync::Arc};
//! use session::{Header, Payload};
//!
//! let logs = store::LogStore::open(PathBuf::from("/tmp/sessions"), Arc::new(|| 1_790_000_000_000))?;
//! let writer = logs.create(Header::new("a-session", 1_790_000_000_000, None)).await?;
//! let event = Payload::TurnStart { turn: 1, trigger: None }.into_draft().at(0, 1_790_000_000_001);
//! writer.append(vec![event])?;
//! writer.close().await?;
//! assert_eq!(logs.read("a-session").await?.events[0].kind, "turn/start");
//! # Ok(())
//! # }
//! ```

mod error;
mod frame;
mod load;
mod log_file;
mod log_store;
mod paths;
mod workspaces;
mod writer;

pub use error::StoreError;
pub use load::{Repair, StoredLog};
pub use log_store::{Clock, LogStore, StoredSummary};
pub use workspaces::{Workspace, WorkspaceRegistry};
pub use writer::{BATCH_WINDOW, FLUSH_DEADLINE, LogWriter};
