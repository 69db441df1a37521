//! What the graph of a transcript looks like.

use std::collections::{BTreeMap, BTreeSet};

use super::render::Node;

/// Names of what is special about a graph.
pub(super) fn shape(nodes: &[Node]) -> BTreeSet<&'static str> {
    let mut names = BTreeSet::new();
    let mut see = |is: bool, name| {
        names.extend(is.then_some(name));
    };
    let last: BTreeMap<&str, usize> =
        nodes.iter().enumerate().map(|(index, node)| (node.uuid.as_str(), index)).collect();
    let parent = |index: usize| nodes[index].parent.as_deref();
    let above: Vec<Option<usize>> = (0..nodes.len())
        .map(|index| parent(index).and_then(|uuid| last.get(uuid).copied()))
        .collect();
    let named: BTreeSet<&str> = (0..nodes.len()).filter_map(parent).collect();
    let count = |holds: &dyn Fn(usize) -> bool| (0..nodes.len()).filter(|at| holds(*at)).count();
    see(count(&|index| parent(index).is_none()) > 1, "several roots");
    see(count(&|index| !named.contains(nodes[index].uuid.as_str())) > 1, "several leaves");
    see(count(&|index| parent(index).is_some() && above[index].is_none()) > 0, "dangling parent");
    see(count(&|index| above[index].is_some_and(|above| above > index)) > 0, "forward parent");
    see(last.len() < nodes.len(), "duplicate uuid");
    for cycle in cycles(&above) {
        see(cycle.len() == 1, "cycle of one");
        see(cycle.len() == 2, "cycle of two");
        see(cycle.len() > 2, "longer cycle");
        see(cycle.iter().any(|index| nodes[*index].progress), "cycle of progress");
        let way_in = |index: usize| {
            !cycle.contains(&index) && above[index].is_some_and(|above| cycle.contains(&above))
        };
        see(count(&way_in) > 0, "way into a cycle");
        see(count(&way_in) == 0, "cycle apart");
    }
    names
}

/// The cycles of a graph in which each node has at most one above it.
fn cycles(above: &[Option<usize>]) -> Vec<BTreeSet<usize>> {
    let mut found = Vec::new();
    let mut seen = vec![false; above.len()];
    for start in 0..above.len() {
        let mut path = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next.filter(|index| !seen[*index]) {
            seen[index] = true;
            path.push(index);
            next = above[index];
        }
        if let Some(at) = next.and_then(|index| path.iter().position(|on| *on == index)) {
            found.push(path[at..].iter().copied().collect());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(nodes: &[(&str, Option<&str>)], names: &[&str]) {
        let node = |(uuid, parent): &(&str, Option<&str>)| Node {
            uuid: (*uuid).to_owned(),
            parent: parent.map(str::to_owned),
            progress: false,
        };
        let nodes: Vec<Node> = nodes.iter().map(node).collect();
        assert_eq!(shape(&nodes).into_iter().collect::<Vec<_>>(), names);
    }

    #[test]
    fn a_line_of_entries_is_nothing_special() {
        check(&[("a", None), ("b", Some("a"))], &[]);
    }

    #[test]
    fn branches_and_gaps_have_names() {
        check(&[("a", None), ("b", Some("a")), ("c", Some("a"))], &["several leaves"]);
        check(&[("a", Some("b")), ("b", None)], &["forward parent"]);
        check(&[("a", Some("x"))], &["dangling parent"]);
        let names = ["duplicate uuid", "several leaves", "several roots"];
        check(&[("a", None), ("a", None)], &names);
    }

    #[test]
    fn cycles_have_names() {
        check(&[("a", Some("a"))], &["cycle apart", "cycle of one"]);
        check(
            &[("a", Some("b")), ("b", Some("a")), ("c", Some("b"))],
            &["cycle of two", "forward parent", "way into a cycle"],
        );
    }
}
