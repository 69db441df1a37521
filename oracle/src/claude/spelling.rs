//! Values as the program spells them when it sends them on.

use super::choices::Surrogates;
use crate::Json;

/// A value as it is sent: of repeated members the last, numbers as the program writes them, and
/// what stands alone of a pair of surrogates as it is chosen (CC-LOAD-09).
pub(super) fn respelled(json: &Json, surrogates: Surrogates) -> Json {
    match json {
        Json::Object(members) => {
            let mut out: Vec<(String, Json)> = Vec::with_capacity(members.len());
            for (key, value) in members {
                let value = respelled(value, surrogates);
                match out.iter_mut().find(|(known, _)| known == key) {
                    Some((_, known)) => *known = value,
                    None => out.push((key.clone(), value)),
                }
            }
            Json::Object(out)
        }
        Json::Array(elements) => {
            Json::Array(elements.iter().map(|element| respelled(element, surrogates)).collect())
        }
        Json::Number(text) => number(text),
        Json::Opaque(text) if surrogates == Surrogates::Replaced => {
            Json::parse(&paired(text)).unwrap_or_else(|| json.clone())
        }
        other => other.clone(),
    }
}

/// A number goes through a double; one that is too large becomes null.
fn number(text: &str) -> Json {
    match super::key::number(text) {
        value if value.is_finite() => {
            Json::Number(ryu_js::Buffer::new().format_finite(value).to_owned())
        }
        _ => Json::Null,
    }
}

/// JSON text with the escape of a replacement character for each surrogate that stands alone.
fn paired(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let length = match unit(escape) {
            Some(0xD800..0xDC00) if matches!(unit(&escape[6..]), Some(0xDC00..0xE000)) => 12,
            Some(0xD800..0xE000) => {
                out.push_str("\\ufffd");
                rest = &escape[6..];
                continue;
            }
            Some(_) => 6,
            None => 2,
        };
        // Escapes are ASCII; a lone backslash cannot end a JSON string.
        let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        out.push_str(escape);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The unit that an escape at the start of `text` stands for.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{Surrogates, respelled};
    use crate::Json;

    #[track_caller]
    fn becomes(text: &str, expected: &str) {
        let json = Json::parse(text).expect("json");
        let sent = respelled(&json, Surrogates::Replaced);
        assert_eq!(Some(sent), Json::parse(expected), "{text}");
    }

    #[test]
    fn a_lone_surrogate_becomes_a_replacement_character() {
        becomes(r#""a\ud83db""#, r#""a\ufffdb""#);
        becomes(r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#);
        becomes(r#""\ud83d\ude00\ud83d\n\\""#, r#""😀\ufffd\n\\""#);
    }

    #[test]
    fn numbers_and_members_are_those_of_the_program() {
        becomes(r#"{"a":1.0,"b":1e21,"a":2e2,"c":1e400}"#, r#"{"a":200,"b":1e+21,"c":null}"#);
    }
}
