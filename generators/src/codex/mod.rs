//! Codex rollouts: logs of events.

mod arbitrary;
mod kind;
mod mix;
mod motif;
mod program;
mod render;
mod session;
mod simpler;
mod smaller;
mod strategy;

pub use kind::{
    Aside, Context, Developer, End, Extra, Form, Half, LookAlike, Place, Settings, Step, Strange,
    Tool,
};
pub use program::{Compaction, Mode, Op, Program};
pub use render::render;
pub(crate) use session::session;
pub(crate) use smaller::smaller;
pub use strategy::{programs, sample};
