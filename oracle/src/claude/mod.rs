//! Claude Code: a transcript is a DAG of messages, and resuming picks a leaf and walks to a root.

mod appended;
mod attachment;
mod big;
mod canonical;
mod chain;
mod choices;
mod extract;
mod fates;
mod flaw;
mod key;
mod leaf;
mod load;
mod message;
mod metadata;
mod preserve;
mod read;
mod recover;
mod request;
mod resume;
mod said;
mod session;
mod spelling;
mod time;

pub(crate) use canonical::name_earlier;
pub use canonical::reminder_start;
pub use choices::*;
pub(crate) use extract::extract;
pub(crate) use resume::read;
