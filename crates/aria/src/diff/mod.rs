//! Comparing two snapshots node by node.

mod align;
mod compare;
mod report;

pub use compare::diff;
pub use report::{Change, ChangeKind, Diff};

#[cfg(test)]
mod tests;
