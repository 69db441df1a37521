//! Values as the program compares them: it is written in a language of loose types.

use crate::Json;

/// What a `uuid` or `parentUuid` is as a key of a map (CC-FILE-10, CC-FILE-12).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Key {
    /// The member is absent.
    Undefined,
    Null,
    Bool(bool),
    /// The bits of the number, one for both zeros.
    Number(u64),
    Text(String),
    /// An object or an array: equal to nothing but itself, the n-th value of the file.
    Object(usize),
}

impl Key {
    /// The key that the `member` of the n-th value of a file is.
    pub(super) fn of(member: Option<&Json>, n: usize) -> Key {
        match member {
            None => Key::Undefined,
            Some(Json::Null) => Key::Null,
            Some(Json::Bool(value)) => Key::Bool(*value),
            Some(Json::Number(text)) => Key::Number(number(text).to_bits()),
            Some(Json::String(text)) => Key::Text(text.clone()),
            // A lone surrogate is compared by its spelling, which is one of two.
            Some(Json::Opaque(text)) if text.starts_with('"') => Key::Text(text.clone()),
            Some(_) => Key::Object(n),
        }
    }

    /// The text of an id that is text.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Key::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Whether a condition on `member` holds: everything but absence, null, false, zero and the empty
/// text.
pub(super) fn truthy(member: Option<&Json>) -> bool {
    match member {
        None | Some(Json::Null | Json::Bool(false)) => false,
        Some(Json::Number(text)) => number(text) != 0.0,
        Some(Json::String(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

/// A number as the program has it.
pub(super) fn number(text: &str) -> f64 {
    let value = text.parse::<f64>().unwrap_or(f64::NAN);
    if value == 0.0 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::{Key, truthy};
    use crate::Json;

    fn key(text: &str) -> Key {
        Key::of(Json::parse(text).as_ref(), 0)
    }

    #[test]
    fn numbers_are_keys_by_value_and_texts_by_spelling() {
        assert_eq!(key("1"), key("1.0"));
        assert_eq!(key("0"), key("-0"));
        assert_ne!(key("1"), key("\"1\""));
        assert_ne!(key("\"a\""), key("\"A\""));
        assert_ne!(key("null"), Key::of(None, 0));
    }

    #[test]
    fn conditions_hold_as_they_do_in_the_program() {
        for text in ["null", "false", "0", "-0.0", "\"\""] {
            assert!(!truthy(Json::parse(text).as_ref()), "{text}");
        }
        for text in ["true", "1", "\"false\"", "[]", "{}"] {
            assert!(truthy(Json::parse(text).as_ref()), "{text}");
        }
    }
}
