//! What the two commands share in reading their arguments.

use std::ffi::OsString;

use anyhow::anyhow;
use lexopt::Arg;

/// The error for an argument nobody knows, with the option that was probably meant.
pub(crate) fn unexpected(argument: &Arg<'_>, known: &[&str], program: &str) -> anyhow::Error {
    let help = format!("`{program} --help` lists the options");
    match argument {
        Arg::Long(name) => {
            let likeness = |known: &&&str| (strsim::jaro_winkler(known, name) * 1000.0) as u32;
            match known.iter().filter(|known| likeness(known) > 800).max_by_key(likeness) {
                Some(meant) => anyhow!("there is no option --{name}; did you mean --{meant}? {help}"),
                None => anyhow!("there is no option --{name}; {help}"),
            }
        }
        Arg::Short(name) => anyhow!("there is no option -{name}; {help}"),
        Arg::Value(value) => anyhow!("{:?} is one argument too many; {help}", value.to_string_lossy()),
    }
}

/// An option's value as text.
pub(crate) fn text(option: &str, value: OsString) -> anyhow::Result<String> {
    value.into_string().map_err(|value| anyhow!("{option} {:?} is not UTF-8 text; write it so", value))
}
