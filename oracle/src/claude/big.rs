//! What a release leaves out of a big file (CC-LOAD-14).

use std::collections::HashSet;

use super::chain::raw;
use super::choices::{BigFiles, Choices};
use super::key::{Key, truthy};
use super::load::{Entry, Graph};

/// A file is big if it has more bytes.
const BIG: usize = 5 << 20;

/// Takes out of the graph of a file of `size` bytes what is not read of a big one.
pub(super) fn skip(graph: &mut Graph, size: usize, choices: &Choices) {
    if size <= BIG {
        return;
    }
    let boundary = graph.entries.iter().filter(|entry| entry.is_boundary() && !preserves(entry));
    if let Some(place) = boundary.map(|entry| entry.place).max() {
        let before = graph.entries.iter().filter(|entry| entry.place < place);
        let gone: HashSet<Key> = before.map(|entry| entry.key.clone()).collect();
        graph.remove(&gone);
        graph.forget_pointer();
    } else if choices.big_files != BigFiles::Whole {
        prune(graph, choices);
    }
}

/// Leaves the walks to the last entry and to what is pointed to, unless the last entry is a root.
fn prune(graph: &mut Graph, choices: &Choices) {
    let last = (0..graph.entries.len()).max_by_key(|at| graph.entries[*at].place);
    let Some(last) = last.filter(|at| graph.entries[*at].parent.is_some()) else { return };
    let pointed = graph.pointer.as_ref().and_then(|pointer| graph.get(pointer));
    let pointed = pointed.filter(|_| choices.big_files == BigFiles::PrunedAndPointed);
    let kept: HashSet<usize> =
        [last].into_iter().chain(pointed).flat_map(|at| raw(graph, at)).collect();
    let gone = (0..graph.entries.len()).filter(|at| !kept.contains(at));
    let gone: HashSet<Key> = gone.map(|at| graph.entries[at].key.clone()).collect();
    graph.remove(&gone);
}

/// Whether a boundary preserves something of what stands before it.
fn preserves(boundary: &Entry) -> bool {
    boundary.json.get("compactMetadata").is_some_and(|of| {
        ["preservedSegment", "preservedMessages"].iter().any(|name| truthy(of.get(name)))
    })
}
