//! JSON that survives a round trip.
//!
//! A generic JSON value loses what real sessions hold: numbers beyond 64 bits, the spelling of a
//! number, lone surrogates, repeated keys. [`Json`] keeps all of them, keeps the order of keys,
//! and compares by meaning where meaning is certain and by source text where it is not.

use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Containers nested deeper than this stay source text: the depth of any walk is bounded.
const MAX_DEPTH: usize = 64;

/// One JSON value, lossless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was spelled.
    Number(String),
    /// A string that is valid Unicode.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object: keys in source order, repeated keys kept.
    Object(Vec<(String, Json)>),
    /// Source text of what no other variant can hold: a string with a lone surrogate, an object
    /// with such a key, a container below [`MAX_DEPTH`].
    Opaque(String),
}

impl Json {
    /// Parses one JSON text. `None` if it is not JSON.
    pub fn parse(text: &str) -> Option<Json> {
        serde_json::from_str::<&RawValue>(text).ok().map(Json::from_raw)
    }

    /// The value of an already delimited JSON text.
    pub fn from_raw(raw: &RawValue) -> Json {
        build(raw.get(), MAX_DEPTH)
    }

    /// An object from pairs, in this order.
    pub fn object<const N: usize>(pairs: [(&str, Json); N]) -> Json {
        Json::Object(pairs.map(|(key, value)| (key.to_owned(), value)).into())
    }

    /// A string value.
    pub fn string(text: impl Into<String>) -> Json {
        Json::String(text.into())
    }

    /// A message with one part: the shape in which the model is sent what was said.
    pub fn message(role: &str, part: &str, text: &str) -> Json {
        let part = Json::object([("type", Json::string(part)), ("text", Json::string(text))]);
        Json::object([
            ("type", Json::string("message")),
            ("role", Json::string(role)),
            ("content", Json::Array(vec![part])),
        ])
    }

    /// The value under `key`; the last one wins when a key is repeated. `None` for other kinds.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let Json::Object(pairs) = self else { return None };
        pairs.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The value with `change` made to the member under `key`, if it has one.
    pub fn map_member(self, key: &str, change: impl Fn(Json) -> Json) -> Json {
        let Json::Object(pairs) = self else { return self };
        let changed = |(name, value): (String, Json)| {
            let value = if name == key { change(value) } else { value };
            (name, value)
        };
        Json::Object(pairs.into_iter().map(changed).collect())
    }

    /// The text of a string value.
    pub fn as_str(&self) -> Option<&str> {
        let Json::String(text) = self else { return None };
        Some(text)
    }

    /// The elements of an array; empty for other kinds.
    pub fn elements(&self) -> &[Json] {
        let Json::Array(elements) = self else { return &[] };
        elements
    }

    /// The number as `i64`, if it is one.
    pub fn as_i64(&self) -> Option<i64> {
        let Json::Number(text) = self else { return None };
        text.parse().ok()
    }
}

impl From<serde_json::Value> for Json {
    fn from(value: serde_json::Value) -> Json {
        // By its text: what is nested too deeply stays text on both ways.
        Json::parse(&value.to_string()).unwrap_or(Json::Null)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

fn build(text: &str, depth: usize) -> Json {
    let opaque = || Json::Opaque(text.to_owned());
    match text.as_bytes().first() {
        Some(b'n') => Json::Null,
        Some(b't') => Json::Bool(true),
        Some(b'f') => Json::Bool(false),
        Some(b'"') => serde_json::from_str(text).map_or_else(|_| opaque(), Json::String),
        Some(b'[' | b'{') if depth == 0 => opaque(),
        Some(b'[') => match serde_json::from_str::<Vec<&RawValue>>(text) {
            Ok(elements) => {
                Json::Array(elements.iter().map(|raw| build(raw.get(), depth - 1)).collect())
            }
            Err(_) => opaque(),
        },
        Some(b'{') => match serde_json::from_str::<Pairs<'_>>(text) {
            Ok(Pairs(pairs)) => Json::Object(
                pairs.into_iter().map(|(key, raw)| (key, build(raw.get(), depth - 1))).collect(),
            ),
            Err(_) => opaque(),
        },
        _ => Json::Number(text.to_owned()),
    }
}

/// The members of one object, not looked into.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry::<String, &'de RawValue>()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::String(text) => serializer.serialize_str(text),
            Json::Number(text) | Json::Opaque(text) => {
                RawValue::from_string(text.clone()).map_err(S::Error::custom)?.serialize(serializer)
            }
            Json::Array(elements) => {
                let mut seq = serializer.serialize_seq(Some(elements.len()))?;
                for element in elements {
                    seq.serialize_element(element)?;
                }
                seq.end()
            }
            Json::Object(pairs) => {
                let mut map = serializer.serialize_map(Some(pairs.len()))?;
                for (key, value) in pairs {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer).map_err(D::Error::custom)?;
        Ok(Json::from_raw(&raw))
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[track_caller]
    fn survives(text: &str) {
        assert_eq!(Json::parse(text).expect("valid JSON").to_string(), text);
    }

    #[test]
    fn numbers_keep_their_spelling() {
        survives(r#"[1e400,-0,123456789012345678901234567890,1.0]"#);
    }

    #[test]
    fn lone_surrogates_are_kept() {
        survives(r#"{"text":"\ud800"}"#);
        survives(r#"{"\ud800":1}"#);
    }

    #[test]
    fn repeated_keys_are_kept_and_the_last_one_is_found() {
        survives(r#"{"a":1,"a":2}"#);
        let json = Json::parse(r#"{"a":1,"a":2}"#).expect("valid JSON");
        assert_eq!(json.get("a").and_then(Json::as_i64), Some(2));
    }

    #[test]
    fn nesting_of_any_depth_is_kept() {
        survives(&format!("{}{}", "[".repeat(200), "]".repeat(200)));
        survives(&format!("{}{}", "[".repeat(60_000), "]".repeat(60_000)));
    }

    #[test]
    fn what_is_not_json_is_none() {
        for text in ["", "{", "NaN", "\u{feff}{}", "{} {}"] {
            assert_eq!(Json::parse(text), None, "{text:?}");
        }
    }
}
