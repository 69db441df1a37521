//! From a program to a Claude Code transcript.

mod aside;
mod compact;
mod graph;
mod line;
mod message;
mod odd;
mod order;
mod play;
mod stray;
mod time;
mod tools;
mod transcript;
mod turn;

pub(crate) use graph::{Node, nodes};
pub(crate) use play::path;
pub use play::render;
