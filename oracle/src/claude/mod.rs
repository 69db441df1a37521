//! Claude Code: a transcript is a DAG of messages, and resuming picks a leaf and walks to a root.

mod choices;
mod resume;

pub use choices::*;
pub(crate) use resume::{extract, name_earlier, read};
