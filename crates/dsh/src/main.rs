//! The dsh command.
fn main() {}
