//! What a worker is given, and what it gives back.

use forkproof_oracle::{Home, Observed, Operation};
use serde::{Deserialize, Serialize};

/// Files and what to do with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Chosen by the caller; comes back with the ending.
    pub id: u64,
    /// What to plant, relative to the program's home. A time of change other than 0 is set too.
    pub files: Home,
    /// What to do, in this order.
    pub operations: Vec<Operation>,
    /// Whether it gets a home and a process of its own, planted before the process starts.
    pub alone: bool,
}

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// One observation an operation; an error that the program answered is one too.
    Observed(Vec<Observed>),
    /// The program crashed, hung or did not speak its protocol.
    TargetFault(String),
    /// We could not do our part.
    HarnessFault(String),
}
