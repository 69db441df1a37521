//! JSON values of records.

use forkproof_oracle::Json;

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

pub(super) fn tagged<const N: usize>(kind: &str, members: [(&str, Json); N]) -> Json {
    let mut all = vec![("type", text(kind))];
    all.extend(members);
    object(all)
}

pub(super) fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

pub(super) fn text(text: &str) -> Json {
    Json::string(text)
}

pub(super) fn number(number: impl ToString) -> Json {
    Json::Number(number.to_string())
}
