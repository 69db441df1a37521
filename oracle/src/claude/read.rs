//! From bytes to values (CC-LOAD).

use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::choices::{Choices, Nulls, Reader};
use crate::Json;

/// One JSON value of a file.
#[derive(Debug, Clone)]
pub(super) struct Value {
    /// The line that it begins on, from 1.
    pub(super) line: usize,
    /// The line that it ends on.
    pub(super) end: usize,
    pub(super) json: Json,
}

/// All values of a file.
pub(super) fn values(bytes: &[u8], choices: &Choices) -> Vec<Value> {
    // Each bad byte becomes a replacement character and the line lives (CC-LOAD-08).
    let text = String::from_utf8_lossy(bytes);
    // A byte order mark too (CC-LOAD-07).
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut values = match choices.reader {
        Reader::Stream => stream(text),
        Reader::Lines => lines(text),
    };
    if choices.nulls == Nulls::EndFile
        && let Some(end) = values.iter().position(|value| value.json == Json::Null)
    {
        values.truncate(end);
    }
    values
}

/// Values that follow each other; after one, or after something that is none, the rest of the line
/// is skipped (CC-LOAD-02, CC-LOAD-03, CC-LOAD-05); white space around them is too, and a carriage
/// return alone is no more than that (CC-LOAD-01, CC-LOAD-04).
fn stream(text: &str) -> Vec<Value> {
    let mut out = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let start = rest.find(|c| !matches!(c, ' ' | '\t' | '\r' | '\n')).unwrap_or(rest.len());
        line += newlines(&rest[..start]);
        let rest = &rest[start..];
        let mut values = Deserializer::from_str(rest).into_iter::<&RawValue>();
        let mut used = 0;
        let begin = line;
        if let Some(Ok(raw)) = values.next() {
            used = values.byte_offset();
            line += newlines(&rest[..used]);
            out.push(Value { line: begin, end: line, json: Json::from_raw(raw) });
        }
        let next = rest[used..].find('\n').map_or(rest.len(), |end| used + end + 1);
        line += newlines(&rest[used..next]);
        at += start + next;
    }
    out
}

/// One value a line (CC-LOAD-40).
fn lines(text: &str) -> Vec<Value> {
    let numbered = (1..).zip(text.split('\n'));
    let parsed = numbered.filter_map(|(line, text)| {
        let text = text.trim_start_matches('\u{feff}');
        Some(Value { line, end: line, json: Json::parse(text)? })
    });
    parsed.collect()
}

fn newlines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}
