//! What a compaction keeps of what it replaced (CC-REC-34).

use std::collections::{HashMap, HashSet};

use super::choices::{Choices, Preserved};
use super::key::{Key, truthy};
use super::load::Graph;
use crate::Json;

/// Moves the entries that the last boundary preserves behind its anchor, and drops the others that
/// stand before it.
pub(super) fn preserve(graph: &mut Graph, skipped: &HashMap<Key, Option<Key>>, choices: &Choices) {
    let preserving = |at: &usize| preserved(graph, *at, choices).is_some();
    let boundaries: Vec<usize> =
        (0..graph.entries.len()).filter(|at| graph.entries[*at].is_boundary()).collect();
    let Some(last) = boundaries.last().copied() else { return };
    let Some(newest) = boundaries.iter().copied().rfind(preserving) else { return };
    let mut run = Vec::new();
    let mut anchor = None;
    // An older boundary preserves nothing any more, and what stands before the last one goes.
    if newest == last {
        let Some((members, of)) = preserved(graph, last, choices) else { return };
        let Some(found) = members.run(graph, skipped) else { return };
        run = found;
        anchor = truthy(of).then(|| Key::of(of, usize::MAX));
    }
    let keep: HashSet<usize> = run.iter().copied().collect();
    let gone: HashSet<Key> =
        (0..last).filter(|at| !keep.contains(at)).map(|at| graph.entries[at].key.clone()).collect();
    if let (Some(first), Some(end)) = (run.first(), run.last()) {
        if listed(&graph.entries[last].json).is_some() {
            let mut parent = anchor.clone();
            for at in &run {
                let key = graph.entries[*at].key.clone();
                graph.entries[*at].parent = parent.replace(key);
            }
        } else {
            graph.entries[*first].parent = anchor.clone();
        }
        let tail = graph.entries[*end].key.clone();
        for at in (0..graph.entries.len()).filter(|at| *at != last) {
            let parent = &mut graph.entries[at].parent;
            let moved = parent.is_some() && *parent == anchor && at != *first;
            if moved || parent.as_ref().is_some_and(|parent| gone.contains(parent)) {
                *parent = Some(tail.clone());
            }
        }
        graph.preserves = true;
    }
    graph.remove(&gone);
}

/// How a boundary names what it preserves.
enum Members<'g> {
    /// One by one.
    Listed(&'g [Json]),
    /// From one entry back to another.
    Segment { head: Key, tail: Key },
}

impl Members<'_> {
    /// The entries in order, if all are there but for `skipped` lines.
    fn run(&self, graph: &Graph, skipped: &HashMap<Key, Option<Key>>) -> Option<Vec<usize>> {
        match self {
            Members::Listed(members) => {
                let keys = members.iter().map(|id| Key::of(Some(id), usize::MAX));
                let keys = keys.filter(|key| !skipped.contains_key(key));
                keys.map(|key| graph.get(&key)).collect()
            }
            Members::Segment { head, tail } => {
                let mut run = Vec::new();
                let mut next = graph.get(tail);
                while let Some(at) = next.filter(|at| !run.contains(at)) {
                    run.push(at);
                    if graph.entries[at].key == *head {
                        run.reverse();
                        return Some(run);
                    }
                    next = graph.parent(at);
                }
                None
            }
        }
    }
}

/// The members of `preservedMessages`.
fn listed(boundary: &Json) -> Option<(&[Json], &Json)> {
    let of = boundary.get("compactMetadata")?.get("preservedMessages")?;
    let Some(Json::Array(members)) = of.get("uuids") else { return None };
    Some((members, of))
}

/// What a boundary preserves, and behind which entry.
fn preserved<'g>(
    graph: &'g Graph,
    boundary: usize,
    choices: &Choices,
) -> Option<(Members<'g>, Option<&'g Json>)> {
    let boundary = &graph.entries[boundary].json;
    if choices.preserved == Preserved::Nothing {
        return None;
    }
    if choices.preserved == Preserved::ListsAndSegments
        && let Some((members, of)) = listed(boundary)
    {
        return Some((Members::Listed(members), of.get("anchorUuid")));
    }
    let of = boundary.get("compactMetadata")?.get("preservedSegment");
    let of = of.filter(|of| truthy(Some(of)))?;
    let key = |member| Key::of(of.get(member), usize::MAX);
    let segment = Members::Segment { head: key("headUuid"), tail: key("tailUuid") };
    Some((segment, of.get("anchorUuid")))
}
