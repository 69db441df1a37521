//! What becomes of each line of a session.

use serde::{Deserialize, Serialize};

/// The fate of one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fate {
    /// Line number, from 1.
    pub line: usize,
    /// What became of it.
    pub end: End,
    /// The rule that decided.
    pub rule: String,
    /// Line number of the record that caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<usize>,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It is part of the restored state.
    Kept,
    /// It is part of it at another place.
    Moved,
    /// Something else stands for it.
    Replaced,
    /// It is gone.
    Dropped,
}
