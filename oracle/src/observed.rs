//! What was seen of one operation, before any meaning is given to it.

use serde::{Deserialize, Serialize};

use crate::{Home, Json};

/// The raw exchange of one operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Absolute path of the program's home: its own messages name files by it.
    pub root: String,
    /// Session files just before the operation.
    pub before: Home,
    /// Session files after it; files of other sessions only if they changed.
    pub after: Home,
    /// What the program answered to the operation itself.
    pub reply: Reply,
    /// The body of the first model request that followed; `None` if there was none.
    pub request: Option<Json>,
}

/// The answer of a JSON-RPC call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply {
    /// The member `result`.
    Result(Json),
    /// The member `error`.
    Error {
        /// JSON-RPC code.
        code: i64,
        /// Text for people.
        message: String,
    },
}
