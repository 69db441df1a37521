//! From a leaf to a root.

use std::collections::HashSet;

use super::choices::{Bridging, Choices, Leaf};
use super::key::Key;
use super::load::Graph;

/// The longest time over which a gap is bridged, in milliseconds (CC-REC-10).
const NEAR: i64 = 5000;

/// The entries from the root to `leaf`, and what trails behind it (CC-REC-08).
pub(super) fn chain(graph: &Graph, leaf: usize, choices: &Choices) -> Vec<usize> {
    let mut chain = walk(graph, leaf, choices.bridging);
    if choices.leaf == Leaf::Last {
        trail(graph, leaf, &mut chain);
    }
    chain
}

/// The walk to an entry over links that are there.
pub(super) fn raw(graph: &Graph, leaf: usize) -> Vec<usize> {
    walk(graph, leaf, Bridging::None)
}

/// The entries from the root to `leaf`, those of side conversations too (CC-REC-09); a root ends it
/// (CC-REC-11). Where a parent is missing, or on the walk already, it goes
/// on over a bridge or ends.
fn walk(graph: &Graph, leaf: usize, bridging: Bridging) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut chain = Vec::new();
    let mut next = Some(leaf);
    while let Some(entry) = next {
        seen.insert(entry);
        chain.push(entry);
        if graph.entries[entry].parent.is_none() {
            break;
        }
        next = match (graph.parent(entry).filter(|parent| !seen.contains(parent)), bridging) {
            (None, Bridging::FiveSeconds) => bridge(graph, entry, &seen, bridging),
            (None, Bridging::FiveSecondsAnywhere) if graph.parent(entry).is_none() => {
                bridge(graph, entry, &seen, bridging)
            }
            (parent, _) => parent,
        };
    }
    chain.reverse();
    chain
}

/// The newest entry that is not younger than `entry`, by five seconds at most, and on the same side
/// of the main chain if that counts; the first of several (CC-REC-10).
fn bridge(graph: &Graph, entry: usize, seen: &HashSet<usize>, bridging: Bridging) -> Option<usize> {
    let side = |at: usize| Key::of(graph.entries[at].json.get("isSidechain"), at);
    let time = graph.entries[entry].time()?;
    let mut best: Option<(i64, usize)> = None;
    for (at, other) in graph.entries.iter().enumerate() {
        let Some(past) = other.time() else { continue };
        let reaches = bridging == Bridging::FiveSecondsAnywhere || side(at) == side(entry);
        let near = past <= time && time - past <= NEAR && reaches;
        if near && !seen.contains(&at) && best.is_none_or(|(newest, _)| past > newest) {
            best = Some((past, at));
        }
    }
    best.map(|(_, at)| at)
}

/// Entries below the leaf that say nothing follow it, depth first, siblings by the spelling of their
/// times (CC-REC-13).
fn trail(graph: &Graph, leaf: usize, chain: &mut Vec<usize>) {
    let children = graph.children();
    let mut seen: HashSet<usize> = chain.iter().copied().collect();
    let mut open = vec![leaf];
    while let Some(next) = open.pop() {
        if next != leaf {
            chain.push(next);
        }
        let silent = |at: &usize| !graph.entries[*at].speaks();
        let mut below: Vec<usize> =
            children.get(&next).into_iter().flatten().copied().filter(silent).collect();
        below.retain(|at| seen.insert(*at));
        below.sort_by(|a, b| {
            let units = |at: &usize| graph.entries[*at].time_text().encode_utf16();
            let absent = |at: &usize| graph.entries[*at].time_text().is_empty();
            absent(a).cmp(&absent(b)).then_with(|| units(a).cmp(units(b)))
        });
        open.extend(below.into_iter().rev());
    }
}
