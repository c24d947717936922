//! The command `snapshot`: the accessible tree of pages, for people, scripts and fuzzing.

mod args;
mod look;
mod run;
mod serve;
mod session;
mod source;

pub use args::{HELP, Options, Request, parse};
pub use run::run;
