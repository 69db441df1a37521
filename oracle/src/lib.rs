//! The reference semantics of resuming agent sessions.

mod home;
mod json;
mod observed;
mod operation;

pub use home::{Bytes, File, Home};
pub use json::Json;
pub use observed::{Observed, Reply};
pub use operation::{ANSWER, Entry, Operation, PROBE};
