//! `codex app-server`, driven over its standard input and output.

mod config;
mod engine;
mod exchange;
mod ids;
mod process;
mod rpc;
mod teach;

pub(crate) use engine::Engine;
pub(crate) use ids::of_case;
pub(crate) use teach::summary_prefix;

/// Where it keeps sessions, below its home.
pub(crate) const FOLDERS: &[&str] = &["sessions", "archived_sessions"];

/// What its processes find in their environment, beside what every program does.
pub(crate) const ENVIRONMENT: [(&str, &str); 1] = [("MOCK_API_KEY", "made-up")];
