//! What people and programs read. Neither writer panics when nobody listens any more.

use std::fmt::Display;
use std::io::{self, Write, stderr, stdout};

use anyhow::Context as _;

/// Writes a text and a line end to the standard output at once.
pub(crate) fn say(text: impl Display) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{text}").and_then(|()| out.flush()).context("cannot write to the standard output")
}

/// Writes a line to the standard error.
pub fn complain(text: impl Display) {
    // There is nobody left to tell when this fails.
    let _ = writeln!(stderr().lock(), "{text}");
}

/// Whether an error only says that the reader of the standard output has gone.
pub(crate) fn nobody_listens(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
