//! Templates: what a tree must look like, in the form of a snapshot with patterns.

mod generate;
mod matching;
mod parse;
mod rebaseline;
mod resolve;

pub use matching::Match;
pub use parse::{Dialect, Template};

#[cfg(test)]
mod tests;
