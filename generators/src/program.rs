//! A program of either family.

use std::collections::{BTreeMap, BTreeSet};

use forkproof_oracle::{Family, Home, Operation};
use serde::{Deserialize, Serialize};

use crate::{claude, codex};

/// How one session came to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Program {
    /// A transcript.
    Claude(claude::Program),
    /// A rollout.
    Codex(codex::Program),
}

impl Program {
    /// The family of its session.
    pub fn family(&self) -> Family {
        match self {
            Program::Claude(_) => Family::Claude,
            Program::Codex(_) => Family::Codex,
        }
    }

    /// Names of everything that occurs in it.
    pub fn kinds(&self) -> BTreeSet<&'static str> {
        match self {
            Program::Claude(program) => program.kinds(),
            Program::Codex(program) => program.kinds(),
        }
    }

    /// Adds how often each operation and each damage occurs to `counts`.
    pub fn count(&self, counts: &mut BTreeMap<&'static str, usize>) {
        match self {
            Program::Claude(program) => program.count(counts),
            Program::Codex(program) => program.count(counts),
        }
    }

    /// Its session files and what is asked for.
    pub(crate) fn session(&self) -> (Home, Vec<Operation>) {
        match self {
            Program::Claude(program) => claude::session(program),
            Program::Codex(program) => codex::session(program),
        }
    }

    /// Programs that are one step smaller, the smallest first.
    pub(crate) fn smaller(&self) -> Vec<Program> {
        match self {
            Program::Claude(program) => {
                claude::smaller(program).into_iter().map(Program::Claude).collect()
            }
            Program::Codex(program) => {
                codex::smaller(program).into_iter().map(Program::Codex).collect()
            }
        }
    }
}

impl From<codex::Program> for Program {
    fn from(program: codex::Program) -> Program {
        Program::Codex(program)
    }
}

impl From<claude::Program> for Program {
    fn from(program: claude::Program) -> Program {
        Program::Claude(program)
    }
}
