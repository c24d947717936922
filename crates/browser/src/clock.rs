//! The time pages believe in.

mod control;
mod state;
mod time;

pub use control::Clock;
pub(crate) use state::ClockState;
pub use time::ClockTime;
