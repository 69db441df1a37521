//! Session programs, scenarios, and how a program becomes the files of a session.
//!
//! A [`Program`] is a list of operations of a *total* language: any list is valid, and indices are
//! taken modulo what exists. The same definition runs under proptest, `cargo test` and libFuzzer.
//! This crate knows nothing of programs under test.

mod arbitrary;
mod damage;
mod folder;
mod kind;
mod mix;
mod motif;
mod program;
mod render;
mod scenario;
mod shrink;
mod simpler;
mod strategy;

pub use damage::Damage;
pub use folder::{FileError, read, write};
pub use kind::{
    Aside, Context, Developer, End, Extra, Form, Half, Harm, LookAlike, Place, Settings, Spelling,
    Step, Strange, Tool,
};
pub use program::{Compaction, Mode, Op, Program};
pub use render::render;
pub use scenario::{About, Scenario};
pub use shrink::smaller;
pub use strategy::{programs, sample};
