//! Why a worker cannot be had.

use std::path::PathBuf;

use forkproof_oracle::Family;
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
    #[error("no program at {}: give the path of a {} executable", .path.display(), .family.name())]
    Missing {
        /// What it should be.
        family: Family,
        /// Where it should be.
        path: PathBuf,
    },
    /// It needs an interpreter that is not there.
    #[error("{} runs on node, which is not installed: install node", .0.display())]
    NoNode(PathBuf),
    /// It is another program.
    #[error("{} is not {}: {what}", .path.display(), .family.name())]
    Other {
        /// What it should be.
        family: Family,
        /// The program.
        path: PathBuf,
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
