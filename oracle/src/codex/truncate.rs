//! What is cut when a history is rebuilt: tool outputs (CX-REC-11), and the user texts that a
//! compaction without base keeps (CX-REC-07).

use super::choices::EmptyParts;
use crate::Json;

/// What one tool output may hold, in units: the 10 000 of a model's facts and a fifth more.
const OUTPUT: usize = 12_000;

/// What a budget counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Four bytes each, the last one begun.
    Tokens,
}

impl Unit {
    /// What a text costs.
    pub(super) fn cost(self, bytes: usize) -> usize {
        match self {
            Unit::Bytes => bytes,
            Unit::Tokens => bytes.div_ceil(4),
        }
    }

    /// How many bytes a budget pays.
    fn bytes(self, budget: usize) -> usize {
        match self {
            Unit::Bytes => budget,
            Unit::Tokens => budget * 4,
        }
    }

    /// What stands in the place of what is gone.
    fn marker(self, text: &str, gap: &Gap, budget: usize) -> String {
        match self {
            Unit::Bytes => {
                let gone = text[gap.start..gap.end].chars().count();
                format!("…{gone} chars truncated…")
            }
            Unit::Tokens => {
                let gone = self.cost(text.len() - self.bytes(budget));
                format!("…{gone} tokens truncated…")
            }
        }
    }
}

/// What is taken out of a text, in bytes.
struct Gap {
    start: usize,
    end: usize,
}

/// The middle of a text that costs more than `budget`: half of what the budget pays stays at each
/// end, and no character is cut.
fn gap(text: &str, unit: Unit, budget: usize) -> Option<Gap> {
    let room = unit.bytes(budget);
    (text.len() > room).then(|| Gap {
        start: text.floor_char_boundary(room / 2),
        end: text.ceil_char_boundary(text.len() - (room - room / 2)),
    })
}

/// The output of a tool as it stays in the history.
pub(super) fn truncated(output: Json, unit: Unit, empty: EmptyParts) -> Json {
    match output {
        Json::String(text) => Json::String(cut(text, unit, OUTPUT)),
        Json::Array(parts) => Json::Array(cut_list(parts, unit, empty)),
        other => other,
    }
}

/// Parts share one budget in their order; those that find nothing left are counted, not kept.
fn cut_list(parts: Vec<Json>, unit: Unit, empty: EmptyParts) -> Vec<Json> {
    let mut left = OUTPUT;
    let mut omitted = 0;
    let mut out = Vec::new();
    for part in parts {
        let text = part.get("text").and_then(Json::as_str).map(str::to_owned);
        let Some(text) = text.filter(|_| part.get("type").is_none_or(is_input_text)) else {
            out.push(part);
            continue;
        };
        if text.is_empty() && empty == EmptyParts::Vanish {
            continue;
        }
        if left == 0 {
            omitted += 1;
            continue;
        }
        let cost = unit.cost(text.len());
        out.push(text_part(&cut(text, unit, left)));
        left = left.saturating_sub(cost);
    }
    if omitted > 0 {
        out.push(text_part(&format!("[omitted {omitted} text items ...]")));
    }
    out
}

fn is_input_text(kind: &Json) -> bool {
    kind.as_str() == Some("input_text")
}

fn text_part(text: &str) -> Json {
    Json::object([("type", Json::string("input_text")), ("text", Json::string(text))])
}

/// Beginning and end of a text that costs more than `budget`, with what is gone between them.
fn cut(text: String, unit: Unit, budget: usize) -> String {
    match gap(&text, unit, budget) {
        None => text,
        Some(gap) => {
            let marker = unit.marker(&text, &gap, budget);
            format!("{}{marker}{}", &text[..gap.start], &text[gap.end..])
        }
    }
}

/// The parts of a message, cut as if they were one text; the marker is a part of its own.
pub(super) fn cut_parts(parts: &[String], unit: Unit, budget: usize) -> Vec<String> {
    let joined = parts.concat();
    let Some(gap) = gap(&joined, unit, budget) else { return parts.to_vec() };
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    let mut start = 0;
    for part in parts {
        let end = start + part.len();
        // A part within the bounds stays, also an empty one; one across them is shortened.
        if end <= gap.start {
            head.push(part.clone());
        } else if start < gap.start {
            head.push(part[..gap.start - start].to_owned());
        }
        if start >= gap.end {
            tail.push(part.clone());
        } else if end > gap.end {
            tail.push(part[gap.end - start..].to_owned());
        }
        start = end;
    }
    head.push(unit.marker(&joined, &gap, budget));
    head.extend(tail);
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, unit: Unit, budget: usize, expected: &str) {
        assert_eq!(cut(text.to_owned(), unit, budget), expected);
    }

    #[test]
    fn a_text_within_the_budget_stays() {
        check("abcd", Unit::Bytes, 4, "abcd");
        check("abcd", Unit::Tokens, 1, "abcd");
    }

    #[test]
    fn a_longer_one_keeps_half_of_the_budget_at_each_end() {
        check("abcdef", Unit::Bytes, 4, "ab…2 chars truncated…ef");
        check("abc", Unit::Bytes, 1, "…2 chars truncated…c");
        check("abcdef", Unit::Tokens, 1, "ab…1 tokens truncated…ef");
    }

    #[test]
    fn no_character_is_cut() {
        check("€€€€", Unit::Bytes, 7, "€…2 chars truncated…€");
        check("😀😀😀", Unit::Bytes, 6, "…3 chars truncated…");
    }

    #[test]
    fn parts_of_an_output_share_the_budget() {
        let part = |text: &str| text_part(text);
        let long = "x".repeat(OUTPUT - 1);
        let parts = vec![part(&long), part(""), part("yyy"), part("z"), part(""), part("z")];
        let cut = part("…2 chars truncated…y");
        assert_eq!(
            cut_list(parts.clone(), Unit::Bytes, EmptyParts::Vanish),
            [part(&long), cut.clone(), part("[omitted 2 text items ...]")]
        );
        assert_eq!(
            cut_list(parts, Unit::Bytes, EmptyParts::Stay),
            [part(&long), part(""), cut, part("[omitted 3 text items ...]")]
        );
    }

    #[test]
    fn parts_of_a_message_are_cut_as_one_text() {
        let parts = ["a", "", "bcd", "", "efg", "", "h"].map(str::to_owned);
        assert_eq!(
            cut_parts(&parts, Unit::Tokens, 1),
            ["a", "", "b", "…1 tokens truncated…", "g", "", "h"]
        );
    }
}
