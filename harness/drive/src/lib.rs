//! Runs programs under test and hands back what was seen, without giving it a meaning.
//!
//! The outer process starts one worker: the same executable, inside a sandbox in which only one
//! folder can be written and only loopback can be reached. There it runs the model server and the
//! program under test. A `main` that uses [`Worker`] calls [`worker_main`] first.

mod case;
mod claude;
mod codex;
mod fault;
mod host;
mod install;
mod launch;
mod model;
mod options;
mod protocol;
mod run;
mod sandbox;
mod selfcheck;
mod tail;
mod tripwire;
mod usage;
mod worker;

pub use case::{Case, Ending};
pub use host::{StartError, Worker, bare_loop};
pub use install::{InstallError, Release, install};
pub use launch::Executable;
pub use model::{Block, Model, Step, Stream};
pub use options::{Options, Usage};
pub use run::{
    Attempt, Bench, CORPORA, Choice, DEFAULT_CASES, FAMILIES, Failure, Interruptions, Plan,
    Recorded, Report, Session, Shrunk, Suite, Target, attempt, bench, conform, find, golden,
    interrupt, record, shrink, tidy,
};
pub use sandbox::worker_main;
pub use selfcheck::selfcheck;
pub use tripwire::Tripwire;
