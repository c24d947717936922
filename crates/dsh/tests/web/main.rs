//! The built program as a process of its own, spoken to over its socket.

mod lifetime;
mod program;
mod turns;
