//! The composition: rows from the shipped config, patches over them, the one [`wire::Api`] implementation.
//!
//! A [`Composition`] is data: rows with ids from `config/base.toml` and `config/web.toml`. `dsh web` and tests load the
//! same rows and patch them by id. [`Host::boot`] makes a running [`Host`] of it.

mod api;
mod boot;
mod composition;
mod env;
mod error;
mod hub;
mod keyless;
mod live;
mod outlets;
mod patch;
mod sessions;
mod settings;
mod shutdown;
mod wait;

pub use agent::IdleTimeout;
pub use boot::Host;
pub use composition::Composition;
pub use env::{HostEnv, ModelSource, system_clock, system_random};
pub use error::{CompositionError, HostError, ShutdownError};
pub use patch::{Change, Patch};
pub use settings::WebSettings;
pub use wait::Idle;
