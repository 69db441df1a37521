//! What becomes of each line.

use std::collections::HashSet;

use super::load::Graph;
use super::read::Value;
use super::said::{Conversation, Origin};
use crate::{End, Fate, Json};

/// One fate for each line that is not blank.
pub(super) fn fates(
    bytes: &[u8],
    values: &[Value],
    graph: &Graph,
    walked: &[usize],
    recovered: &[usize],
    conversation: &Conversation<'_>,
) -> Vec<Fate> {
    let places = |entries: &[usize]| -> HashSet<usize> {
        entries.iter().map(|at| graph.entries[*at].place).collect()
    };
    let last = recovered.iter().rposition(|at| graph.entries[*at].is_boundary());
    let kept = places(&recovered[last.unwrap_or_default()..]);
    let (walked, recovered) = (places(walked), places(recovered));
    let said = conversation.said.iter().filter_map(|said| match said.origin {
        Origin::Entry(at) => Some(graph.entries[at].place),
        Origin::New(_) => None,
    });
    let said: HashSet<usize> = said.collect();
    let entries: HashSet<usize> = graph.entries.iter().map(|entry| entry.place).collect();
    let is_entry = |value: &Value| {
        let kind = value.json.get("type").and_then(Json::as_str);
        kind.is_some_and(|kind| ["user", "assistant", "system", "attachment"].contains(&kind))
    };
    let fate = |place: usize| match () {
        () if said.contains(&place) && walked.contains(&place) => (End::Kept, "CC-REC-08"),
        () if said.contains(&place) => (End::Moved, "CC-PAR-02"),
        () if kept.contains(&place) => (End::Dropped, "CC-API-10"),
        () if recovered.contains(&place) => (End::Dropped, "CC-REC-30"),
        () if entries.contains(&place) => (End::Dropped, "CC-REC-01"),
        () if !is_entry(&values[place]) => (End::Dropped, "CC-LOAD-11"),
        () if is_doubled(values, place) => (End::Replaced, "CC-LOAD-12"),
        () => (End::Dropped, "CC-FILE-13"),
    };
    let mut ends = values.iter().enumerate().peekable();
    let is_blank = |line: &[u8]| std::str::from_utf8(line).is_ok_and(|it| it.trim().is_empty());
    let numbered = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let mut out = Vec::new();
    for (line, _) in numbered.filter(|(_, text)| !is_blank(text)) {
        while ends.next_if(|(_, value)| value.end < line).is_some() {}
        let of = ends.peek().filter(|(_, value)| value.line <= line).map(|(place, _)| *place);
        let (end, rule) = of.map_or((End::Dropped, "CC-LOAD-05"), fate);
        out.push(Fate { line, end, rule: rule.to_owned(), cause: None });
    }
    out
}

/// Whether a later value has the id of this one.
fn is_doubled(values: &[Value], place: usize) -> bool {
    let id = |place: usize| values[place].json.get("uuid");
    id(place).is_some() && (place + 1..values.len()).any(|later| id(later) == id(place))
}
