//! What becomes of each line.

use std::collections::HashSet;

use super::load::Graph;
use super::read::Value;
use super::said::{Conversation, Origin};
use crate::{End, Fate};

/// One fate for each line that holds a value.
pub(super) fn fates(
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
    let fate = |place: usize| match () {
        () if said.contains(&place) && walked.contains(&place) => (End::Kept, "CC-REC-08"),
        () if said.contains(&place) => (End::Moved, "CC-PAR-02"),
        () if kept.contains(&place) => (End::Dropped, "CC-API-10"),
        () if recovered.contains(&place) => (End::Dropped, "CC-REC-30"),
        () if entries.contains(&place) => (End::Dropped, "CC-REC-01"),
        () => (End::Dropped, "CC-LOAD-11"),
    };
    let lines = values
        .iter()
        .enumerate()
        .flat_map(|(place, value)| (value.line..=value.end).map(move |line| (line, place)));
    lines
        .map(|(line, place)| {
            let (end, rule) = fate(place);
            Fate { line, end, rule: rule.to_owned(), cause: None }
        })
        .collect()
}
