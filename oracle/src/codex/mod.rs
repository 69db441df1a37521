//! Codex: a rollout is a log of events, and resuming replays it.

mod canonical;
mod choices;
mod extract;
mod item;
mod load;
mod project;
mod record;
mod replay;
mod resume;
mod scan;

pub use canonical::canonical;
pub use choices::*;
pub use extract::extract;
pub use resume::{base_instructions, predict};
