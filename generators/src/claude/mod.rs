//! Claude Code transcripts: DAGs of messages.

mod arbitrary;
mod graph;
mod kind;
mod mix;
mod motif;
mod odd;
mod program;
mod render;
mod session;
mod simpler;
mod smaller;
mod strategy;

pub use kind::{
    Attachment, Content, Form, Ids, Interrupt, Keep, Next, Note, Order, Reply, System, Wiring,
};
pub use odd::{Flag, Leaf, Pace, Spoil, Stray, Style, To, Uuid, When};
pub use program::{Op, Program};
pub use render::render;
pub(crate) use session::session;
pub(crate) use smaller::smaller;
pub use strategy::{programs, sample};
