//! A session as it lies on disk, as a value.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The session files of a program's home by path relative to it, with `/` between the parts.
pub type Home = BTreeMap<String, File>;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// The bytes.
    pub content: Bytes,
    /// Time of the last change in nanoseconds since 1970; 0 in a home that was never on a disk.
    pub modified: u64,
}

impl File {
    /// A file that was never on a disk.
    pub fn new(content: impl Into<Vec<u8>>) -> File {
        File { content: Bytes(content.into()), modified: 0 }
    }
}

/// Bytes that serialise as text where they are text, as base64 where they are not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Encoded {
    Text(String),
    Base64(String),
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(&self.0) {
            Ok(text) => Encoded::Text(text.to_owned()),
            Err(_) => Encoded::Base64(STANDARD.encode(&self.0)),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Encoded::deserialize(deserializer)? {
            Encoded::Text(text) => Ok(Bytes(text.into_bytes())),
            Encoded::Base64(text) => {
                STANDARD.decode(text).map(Bytes).map_err(serde::de::Error::custom)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn any_bytes_survive_a_round_trip() {
        for bytes in [&b"text\n"[..], b"\xff\x00", b""] {
            let json = serde_json::to_string(&Bytes(bytes.to_vec())).expect("serialises");
            let back: Bytes = serde_json::from_str(&json).expect("parses");
            assert_eq!(back.0, bytes);
        }
    }
}
