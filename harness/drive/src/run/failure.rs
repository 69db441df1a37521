//! Why a command gives no verdict.

use forkproof_generators::FileError;
use forkproof_judge::Exit;

use crate::{InstallError, StartError};

/// Why a command gives no verdict; each has its exit code and one line of text.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command names something that is not there, or that is malformed.
    #[error("{0}")]
    Usage(String),
    /// The target could not be had or started.
    #[error("{0}")]
    NoTarget(String),
    /// The harness failed.
    #[error("harness fault: {0}")]
    Harness(String),
    /// Somebody asked to stop before there was anything to show.
    #[error("interrupted, {0}")]
    Interrupted(String),
}

impl Failure {
    /// The exit code.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(_) => Exit::Usage,
            Failure::NoTarget(_) => Exit::NoTarget,
            Failure::Harness(_) => Exit::HarnessFault,
            Failure::Interrupted(_) => Exit::Incomplete,
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<InstallError> for Failure {
    fn from(error: InstallError) -> Failure {
        match error {
            // The name of a target is wrong, as one of an unknown target is.
            InstallError::NotAVersion(_) => Failure::Usage(error.to_string()),
            _ => Failure::NoTarget(error.to_string()),
        }
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        match error {
            StartError::Interrupted => Failure::Interrupted("nothing was run".to_owned()),
            StartError::Harness(_) => Failure::Harness(error.to_string()),
            _ => Failure::NoTarget(error.to_string()),
        }
    }
}
