//! Comparing two trees node by node.

pub(crate) mod align;
pub(crate) mod compare;
mod report;

pub use compare::{diff, diff_full};
pub use report::{Change, ChangeKind, Diff};

#[cfg(test)]
mod tests;
