//! The documents of a page: its own and those in its frames.

mod adopt;
mod ask;
mod call;
mod evaluate;
mod handle;
mod realms;

pub(crate) use ask::{Answered, Asked, misshapen};
pub use handle::Frame;
pub(crate) use realms::Realms;
