//! JSON values of lines.

use forkproof_oracle::Json;

/// An object with a type.
pub(crate) fn tagged<const N: usize>(kind: &str, members: [(&str, Json); N]) -> Json {
    let mut all = vec![("type", text(kind))];
    all.extend(members);
    object(all)
}

pub(crate) fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

pub(crate) fn text(text: &str) -> Json {
    Json::string(text)
}

pub(crate) fn number(number: impl ToString) -> Json {
    Json::Number(number.to_string())
}
