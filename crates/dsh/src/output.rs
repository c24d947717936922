//! What people read. Neither writer panics when nobody listens any more.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

/// Whether the text could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Said(bool);

impl From<Said> for ExitCode {
    fn from(said: Said) -> Self {
        if said.0 { Self::SUCCESS } else { Self::FAILURE }
    }
}

/// Writes to the standard output at once.
pub(crate) fn say(text: impl Display) -> Said {
    let mut out = stdout().lock();
    Said(write!(out, "{text}").and_then(|()| out.flush()).is_ok())
}

/// Writes a line with the program's name to the standard error.
pub(crate) fn complain(text: impl Display) {
    // There is nobody left to tell when this fails.
    let _ = writeln!(stderr().lock(), "dsh: {text}");
}
