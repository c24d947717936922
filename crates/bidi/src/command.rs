//! Typed commands. Only those in use are here; anything else goes through
//! [`Connection::send`](crate::Connection::send).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub mod browser;
pub mod browsing_context;
pub mod cdp;
pub mod emulation;
pub mod input;
pub mod network;
pub mod permissions;
pub mod prompt;
pub mod script;
pub mod session;
pub mod storage;

/// A command: its fields are the BiDi parameters.
pub trait Command: Serialize {
    /// BiDi name, for example `browsingContext.navigate`.
    const METHOD: &'static str;
    /// What comes back.
    type Output: DeserializeOwned;
}

/// Which pages a setting is for.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// These browsing contexts.
    Contexts(Vec<String>),
    /// All pages, present and future, of these user contexts.
    UserContexts(Vec<String>),
}

/// The result of a command that returns nothing of interest.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct Empty {}

/// Ties a parameter struct to its BiDi name and result.
macro_rules! command {
    ($type:ty, $method:literal => $output:ty) => {
        impl crate::command::Command for $type {
            const METHOD: &'static str = $method;
            type Output = $output;
        }
    };
}
pub(crate) use command;
