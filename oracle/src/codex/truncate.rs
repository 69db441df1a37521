//! Long tool outputs are cut when the history is rebuilt (CX-REC-11).

use crate::Json;

/// What one output may hold, in bytes: the 10 000 of a model that the program has no facts about,
/// and a fifth more.
const BUDGET: usize = 12_000;

/// The output of a tool as it stays in the history.
pub(super) fn truncated(output: Json) -> Json {
    match output {
        Json::String(text) => Json::String(cut(text, BUDGET)),
        Json::Array(parts) => Json::Array(cut_parts(parts)),
        other => other,
    }
}

/// Parts share one budget in their order; those that find nothing left are counted, not kept.
fn cut_parts(parts: Vec<Json>) -> Vec<Json> {
    let mut left = BUDGET;
    let mut omitted = 0;
    let mut out = Vec::new();
    for part in parts {
        let Some(text) = part.get("text").and_then(Json::as_str) else {
            out.push(part);
            continue;
        };
        if text.is_empty() {
            continue;
        }
        if left == 0 {
            omitted += 1;
            continue;
        }
        let kept = cut(text.to_owned(), left);
        left = left.saturating_sub(text.len());
        out.push(text_part(&kept));
    }
    if omitted > 0 {
        out.push(text_part(&format!("[omitted {omitted} text items ...]")));
    }
    out
}

fn text_part(text: &str) -> Json {
    Json::object([("type", Json::string("input_text")), ("text", Json::string(text))])
}

/// Beginning and end of a text that is longer than `budget` bytes, with the number of characters
/// that are gone between them.
fn cut(text: String, budget: usize) -> String {
    if text.len() <= budget {
        return text;
    }
    let head = &text[..text.floor_char_boundary(budget / 2)];
    let tail = &text[text.ceil_char_boundary(text.len() - (budget - budget / 2))..];
    let gone = text[head.len()..text.len() - tail.len()].chars().count();
    format!("{head}…{gone} chars truncated…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, budget: usize, expected: &str) {
        assert_eq!(cut(text.to_owned(), budget), expected);
    }

    #[test]
    fn a_text_within_the_budget_stays() {
        check("abcd", 4, "abcd");
    }

    #[test]
    fn a_longer_one_keeps_half_of_the_budget_at_each_end() {
        check("abcdef", 4, "ab…2 chars truncated…ef");
        check("abc", 1, "…2 chars truncated…c");
    }

    #[test]
    fn no_character_is_cut() {
        check("€€€€", 7, "€…2 chars truncated…€");
        check("😀😀😀", 6, "…3 chars truncated…");
    }

    #[test]
    fn parts_share_the_budget() {
        let part = |text: &str| text_part(text);
        let long = "x".repeat(BUDGET - 1);
        let parts = vec![part(&long), part(""), part("yyy"), part("z"), part("z")];
        let expected =
            vec![part(&long), part("…2 chars truncated…y"), part("[omitted 2 text items ...]")];
        assert_eq!(cut_parts(parts), expected);
    }
}
