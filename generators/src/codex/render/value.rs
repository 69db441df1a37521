//! Messages as records hold them.

use forkproof_oracle::Json;

use crate::json::{tagged, text};

pub(super) fn message(role: &str, said: &str) -> Json {
    parts(role, &[said])
}

/// A message of several parts.
pub(super) fn parts(role: &str, said: &[&str]) -> Json {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    let parts = said.iter().map(|said| part(kind, said)).collect();
    tagged("message", [("role", text(role)), ("content", Json::Array(parts))])
}

pub(super) fn part(kind: &str, said: &str) -> Json {
    tagged(kind, [("text", text(said))])
}
