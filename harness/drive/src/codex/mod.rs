//! `codex app-server`, driven over its standard input and output.

mod config;
mod process;
mod rpc;
mod tail;

pub(crate) use process::{Launch, Place, Process};
pub(crate) use tail::Tail;
