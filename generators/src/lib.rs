//! Session programs, scenarios, and how a program becomes the files of a session.
//!
//! A [`Program`] is a list of operations of a *total* language: any list is valid, and indices are
//! taken modulo what exists. Each family has a language of its own; damage to bytes, shrinking and
//! the folders of scenarios are shared. The same definition runs under proptest, `cargo test` and
//! libFuzzer. This crate knows nothing of programs under test.

pub mod claude;
pub mod codex;
mod damage;
mod folder;
mod json;
mod kind;
mod program;
mod sample;
mod scenario;
mod shrink;

pub use damage::Damage;
pub use folder::{FileError, read, write};
pub use kind::{Harm, Spelling};
pub use program::Program;
pub use sample::sample;
pub use scenario::{About, Scenario};
pub use shrink::smaller;
