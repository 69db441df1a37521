//! Why a worker cannot be had.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// Why a worker cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum StartError {
    /// Somebody asked to stop.
    #[error("interrupted, the program was not started")]
    Interrupted,
    /// This machine does not let us make a sandbox.
    #[error("no sandbox: {0}; --no-namespace goes on without one")]
    NoNamespace(String),
    /// There is no such file.
    #[error("no program at {}: give the path of a codex executable", .0.display())]
    MissingBinary(PathBuf),
    /// It is another program.
    #[error("{} is not codex: {what}", .binary.display())]
    NotCodex {
        /// The program.
        binary: PathBuf,
        /// What it does instead.
        what: String,
    },
    /// The program could not show what a worker needs to know.
    #[error("the program failed at the start: {0}")]
    Target(String),
    /// We could not do our part.
    #[error("the worker failed at the start: {0}")]
    Harness(String),
}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Target(text) => StartError::Target(text),
            Fault::Harness(text) => StartError::Harness(text),
        }
    }
}
