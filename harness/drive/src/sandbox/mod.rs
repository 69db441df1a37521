//! The place where a worker runs: what it cannot reach, and how it ends.

mod entry;
mod mounts;
mod namespace;
mod network;
mod reaper;

pub use entry::worker_main;
pub(crate) use entry::{EXECUTABLE, Plan};
pub(crate) use reaper::end_all_of;
