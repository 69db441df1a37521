//! Forkproof.
fn main() {}
