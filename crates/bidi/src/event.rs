//! Events: the raw form every listener gets, and typed views of the ones in use.
//!
//! Typed events keep only the fields this project reads. Fields and enum values that are unknown
//! are tolerated: a newer browser must not break an older client.

use crate::error::{Error, Result, excerpt};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub mod browsing_context;
pub mod input;
pub mod log;
pub mod network;
pub mod script;

/// One event as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// For example `log.entryAdded`.
    pub method: String,
    /// The event's parameters, untouched.
    pub params: Value,
}

/// The typed form of one event.
pub trait EventType: DeserializeOwned {
    /// The event's BiDi name.
    const METHOD: &'static str;
}

impl Event {
    /// The typed form, or `None` when this is another event.
    ///
    /// # Errors
    /// [`Error::Shape`] when the event has this name but not this shape.
    pub fn as_type<T: EventType>(&self) -> Result<Option<T>> {
        if self.method != T::METHOD {
            return Ok(None);
        }
        T::deserialize(&self.params).map(Some).map_err(|error| Error::Shape {
            method: self.method.clone(),
            reason: error.to_string(),
            excerpt: excerpt(&self.params.to_string()),
        })
    }
}

/// Ties a typed event to its BiDi name.
macro_rules! event {
    ($type:ty, $method:literal) => {
        impl crate::event::EventType for $type {
            const METHOD: &'static str = $method;
        }
    };
}
pub(crate) use event;

/// Where in the page's source something happened (`script.StackTrace`).
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StackTrace {
    /// Innermost first.
    pub call_frames: Vec<StackFrame>,
}

/// One frame of a [`StackTrace`].
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StackFrame {
    /// Empty for anonymous functions.
    pub function_name: String,
    /// Script address.
    pub url: String,
    /// Counted from 0.
    pub line_number: i64,
    /// Counted from 0.
    pub column_number: i64,
}
