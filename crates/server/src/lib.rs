//! The network face of a host: unary calls, two event streams, the static bundle, and the trust gate before them all.
//!
//! A host runs shell commands for whoever reaches it, so the loopback address is no boundary. Every request, whatever
//! its path, has to come from an expected authority, from no foreign page and with a credential: the cookie that a
//! one-time address was exchanged for, or the secret as a bearer token. Each refusal has a stable [`Code`], tells the
//! caller what to do, and leaves one [`Record`] with what was received and what was expected.
//!
//! The crate knows a host only as [`wire::Api`] and a bundle only as [`StaticAssets`]. [`Server`] puts them on a
//! socket; [`router`] is the carriage alone, for a client in the same process.
//!
//! ```no_run
//! # async fn example(api: std::sync::Arc<dyn wire::Api>) -> Result<(), server::ServerError> {
//! use std::time::Duration;
//! use server::{Server, ServerConfig, StaticAssets};
//!
//! let config = ServerConfig {
//!     addr: "127.0.0.1:0".parse().unwrap(),
//!     secret: None,
//!     trusted_hosts: Vec::new(),
//!     assets: StaticAssets::new("<!doctype html><title>dsh</title>", []),
//!     sink: std::sync::Arc::new(|record| eprintln!("{record}")),
//! };
//! let server = Server::bind(api, config).await?;
//! println!("open {}", server.mint_url());
//! server.close(Duration::from_secs(5)).await
//! # }
//! ```

mod assets;
mod authority;
mod config;
mod connections;
mod credentials;
mod error;
mod gate;
mod headers;
mod record;
mod refusal;
mod router;
mod rpc;
mod secret;
mod serve;
mod streams;
mod traffic;

pub use assets::{Asset, StaticAssets};
pub use config::ServerConfig;
pub use error::ServerError;
pub use record::{Record, Sink};
pub use refusal::Code;
pub use router::{API_PREFIX, router};
pub use rpc::{MAX_BODY_BYTES, READ_BODY_WITHIN};
pub use secret::Secret;
pub use serve::{MAX_CONNECTIONS, MAX_HEAD_BYTES, READ_HEAD_WITHIN, Server};
pub use traffic::{MAX_STREAMS, Traffic};
