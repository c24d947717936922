//! The real server over real sockets, spoken to in bytes; and its router without sockets.

mod calls;
mod closing;
mod credentials;
mod files;
mod gate;
mod in_process;
mod limits;
mod streams;
mod support;
