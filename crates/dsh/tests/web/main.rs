//! The built program as a process of its own, spoken to over its socket.

#[cfg(target_os = "linux")]
mod key;
mod lifetime;
mod program;
mod turns;
