//! Session programs, scenarios, and how a program becomes the files of a session.
//!
//! A [`Program`] is a list of operations of a *total* language: any list is valid, and indices are
//! taken modulo what exists. The same definition runs under proptest, `cargo test` and libFuzzer.
//! This crate knows nothing of programs under test.

mod arbitrary;
mod folder;
mod program;
mod render;
mod scenario;
mod shrink;
mod strategy;

pub use folder::{FileError, read, write};
pub use program::{Compaction, End, Mode, Op, Program, Tool};
pub use render::render;
pub use scenario::{About, Scenario};
pub use shrink::smaller;
pub use strategy::{programs, sample};
