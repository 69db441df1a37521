//! Codex: a rollout is a log of events, and resuming replays it.

mod appended;
mod archive;
mod canonical;
mod choices;
mod extract;
mod fates;
mod fragment;
mod inject;
mod item;
mod known;
mod lineage;
mod load;
mod media;
mod model;
mod names;
mod project;
mod record;
mod refusal;
mod releases;
mod replay;
mod resume;
mod scan;
mod schema;
mod settings;
mod truncate;

pub(crate) use canonical::name_earlier;
pub use choices::*;
pub(crate) use extract::extract;
pub use known::base_instructions;
pub(crate) use resume::read;
