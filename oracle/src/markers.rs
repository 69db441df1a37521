//! Product texts that records are recognised by.

use memchr::memmem;

/// Texts that the oracle has to know and the repository does not hold.
///
/// Scenarios carry a token in their place; a real program teaches the text once at its start, and
/// in-process runs use a stand-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markers {
    /// The text that precedes a compaction summary, without the newline after it (CX-REC-14).
    pub summary_prefix: String,
}

impl Markers {
    /// The token for [`Markers::summary_prefix`] in scenarios.
    pub const SUMMARY_PREFIX: &str = "{{SUMMARY_PREFIX}}";

    /// SHA-256 of the summary prefix of every proven Codex release, in hex.
    pub const SUMMARY_PREFIX_SHA256: &str =
        "e9b088e794a6bb9082ac053fcc760bd818d7e720ee4bcdc72c6e480de7b7cb0e";

    /// Texts for runs without a real program.
    pub fn stand_in() -> Markers {
        Markers { summary_prefix: "Summary of the work so far, by a stand-in:".to_owned() }
    }

    /// Whether a text is a summary: the prefix and a newline (CX-REC-14).
    pub fn is_summary(&self, text: &str) -> bool {
        text.strip_prefix(self.summary_prefix.as_str()).is_some_and(|rest| rest.starts_with('\n'))
    }

    /// Scenario bytes with tokens replaced by texts.
    pub fn fill(&self, bytes: &[u8]) -> Vec<u8> {
        // The token stands inside JSON strings, so the text goes in as a JSON string goes.
        let quoted = crate::Json::string(self.summary_prefix.as_str()).to_string();
        replace(bytes, Markers::SUMMARY_PREFIX.as_bytes(), &quoted.as_bytes()[1..quoted.len() - 1])
    }

    /// Text with product texts replaced by tokens, for anything that is stored.
    pub fn strip(&self, text: &str) -> String {
        text.replace(&self.summary_prefix, Markers::SUMMARY_PREFIX)
    }
}

fn replace(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut kept = 0;
    for at in memmem::find_iter(bytes, from) {
        out.extend_from_slice(&bytes[kept..at]);
        out.extend_from_slice(to);
        kept = at + from.len();
    }
    out.extend_from_slice(&bytes[kept..]);
    out
}

#[cfg(test)]
mod tests {
    use super::Markers;

    #[test]
    fn filling_replaces_each_token_and_keeps_other_bytes() {
        let markers = Markers { summary_prefix: "a \"b\"".to_owned() };
        let filled = markers.fill(b"\xff{{SUMMARY_PREFIX}}.{{SUMMARY_PREFIX}}");
        assert_eq!(filled, b"\xffa \\\"b\\\".a \\\"b\\\"");
    }
}
