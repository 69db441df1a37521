//! From a program to a Codex rollout.

mod aside;
mod compact;
mod message;
mod play;
mod rollout;
mod tool;
mod value;

pub use play::render;
