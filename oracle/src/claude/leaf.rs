//! Which entry a resume continues.

use std::collections::{HashMap, HashSet};

use super::chain::raw;
use super::choices::{Choices, Descent, Leaf, LeafTime, Pointer};
use super::load::{Entry, Graph};
use super::recover::{answered, calls, message_id};

/// The entry that a resume continues, which names the session by its file or not; none if there is
/// no conversation, or what is said last is of a side conversation (CC-REC-01, CC-REC-06, CC-REC-45,
/// CC-LOAD-16).
pub(super) fn leaf(graph: &Graph, by_path: bool, choices: &Choices) -> Option<usize> {
    let leaf = match choices.leaf {
        Leaf::Last => by_place(graph, choices)?,
        Leaf::Newest if by_path => {
            let tips = tips(graph);
            newest(graph, |at| tips.contains(&at))?
        }
        Leaf::Newest => newest(graph, |_| true)?,
    };
    let entry = &graph.entries[leaf];
    if choices.leaf_time == LeafTime::Needed && entry.spelled_time().is_none() {
        return None;
    }
    (!entry.speaks() || !entry.is_sidechain()).then_some(leaf)
}

/// The last thing said on the walk to the last entry of the main chain, unless a pointer leads
/// elsewhere. A boundary that is a root has nothing said on its walk (CC-REC-32); where the newest
/// entry counts it is continued (CC-REC-43).
fn by_place(graph: &Graph, choices: &Choices) -> Option<usize> {
    let main = (0..graph.entries.len()).filter(|at| !graph.entries[*at].is_sidechain());
    let last = main.max_by_key(|at| graph.entries[*at].place)?;
    let tips = tips(graph);
    // Behind what a compaction has preserved there is one end, as a rule.
    if graph.preserves && tips.len() < 2 {
        return tips.first().copied().or_else(|| newest(graph, |_| true));
    }
    let pointed = pointed(graph, last, choices);
    if let Some(pointed) = pointed.filter(|at| !graph.preserves || tips.contains(at)) {
        return Some(pointed);
    }
    if said(graph, last).is_some() {
        let descends = choices.descent == Descent::Newest && !graph.has_pointers;
        return said(graph, if descends { descend(graph, last) } else { last });
    }
    if tips.is_empty() {
        return newest(graph, |_| true);
    }
    newest(graph, |at| tips.contains(&at))
}

/// What is said by the entry that a `last-prompt` line points to, unless the entry lies on the walk
/// to `last` anyway (CC-REC-05).
fn pointed(graph: &Graph, last: usize, choices: &Choices) -> Option<usize> {
    if choices.pointer == Pointer::Ignored {
        return None;
    }
    let pointed = graph.get(graph.pointer.as_ref()?)?;
    let said = said(graph, pointed)?;
    let walk = raw(graph, last);
    let passed = walk.contains(&pointed)
        || choices.pointer == Pointer::FollowedAside && is_parallel(graph, &walk, pointed);
    (!passed).then_some(said)
}

/// Whether an entry beside a walk is one of the parallel calls of an answer on it, or the first
/// result of one, if then each call of the answer has its result (CC-REC-14).
fn is_parallel(graph: &Graph, walk: &[usize], aside: usize) -> bool {
    let on_walk: HashSet<usize> = walk.iter().copied().collect();
    let way = raw(graph, aside);
    let Some(parting) = way.iter().rev().find(|at| on_walk.contains(at)) else { return false };
    let Some(message) = message_id(&graph.entries[*parting].json) else { return false };
    let is_member = |at: usize| message_id(&graph.entries[at].json) == Some(message);
    let is_call = |at: usize| is_member(at) && calls(graph, at).next().is_some();
    // A result counts where it hangs on its own call.
    let is_result = |at: usize| {
        let parent = graph.parent(at).filter(|parent| is_call(*parent));
        let of = |id: &str| parent.is_some_and(|parent| calls(graph, parent).any(|it| it == id));
        answered(graph, at).next().is_some() && answered(graph, at).all(of)
    };
    let mut beside = way.into_iter().rev().take_while(|at| !on_walk.contains(at)).peekable();
    let is_own_result = beside.peek().is_some_and(|at| !is_call(*at));
    if !beside.all(|at| is_call(at) || is_result(at)) {
        return false;
    }
    if !is_own_result {
        return true;
    }
    let mut first: HashMap<&str, usize> = HashMap::new();
    for at in (0..graph.entries.len()).filter(|at| is_result(*at)) {
        for id in answered(graph, at) {
            first.entry(id).or_insert(at);
        }
    }
    let mut members = (0..graph.entries.len()).filter(|at| is_call(*at));
    members.all(|at| calls(graph, at).all(|id| first.contains_key(id)))
        && answered(graph, aside).all(|id| first.get(id) == Some(&aside))
}

/// The newest descendant of `last` on the main chain, by the spelling of their times, unless no
/// line of the file is newer than `last` was when it was first as new (CC-REC-02).
fn descend(graph: &Graph, last: usize) -> usize {
    let children = graph.children();
    let mut found = HashSet::from([last]);
    let mut open = vec![last];
    while let Some(next) = open.pop() {
        let children = children.get(&next).into_iter().flatten();
        open.extend(children.filter(|child| found.insert(**child)));
    }
    let mut newest = None;
    for (at, entry) in graph.entries.iter().enumerate() {
        let below = at != last && found.contains(&at) && !entry.is_sidechain();
        let is_older = |newest: usize| entry.is_spelled_before(&graph.entries[newest]);
        if below && !newest.is_some_and(is_older) {
            newest = Some(at);
        }
    }
    let is_newest = graph.newest.as_ref() == Some(&graph.entries[last].key);
    newest.filter(|_| !is_newest).unwrap_or(last)
}

/// What is said last on each branch of the graph (CC-REC-01).
fn tips(graph: &Graph) -> Vec<usize> {
    let children = graph.children();
    let ends = (0..graph.entries.len()).filter(|at| !children.contains_key(at));
    let mut tips: Vec<usize> = Vec::new();
    for tip in ends.filter_map(|end| said(graph, end)) {
        let answered =
            children.get(&tip).into_iter().flatten().any(|at| graph.entries[*at].speaks());
        if !answered && !tips.contains(&tip) {
            tips.push(tip);
        }
    }
    tips
}

/// The newest such entry of the main chain by time, the first of several; the last in the order if
/// none has a time.
fn newest(graph: &Graph, such: impl Fn(usize) -> bool) -> Option<usize> {
    let main: Vec<usize> = (0..graph.entries.len())
        .filter(|at| such(*at) && !graph.entries[*at].is_sidechain())
        .collect();
    let timed = main.iter().filter_map(|at| Some((graph.entries[*at].spelled_time()?, *at)));
    // The first of several: the last of a maximum would win.
    let newest = timed.rev().max_by_key(|(time, _)| *time);
    newest.map(|(_, at)| at).or_else(|| main.last().copied())
}

/// The last thing said on the walk to an entry.
fn said(graph: &Graph, entry: usize) -> Option<usize> {
    raw(graph, entry).into_iter().rfind(|at| graph.entries[*at].speaks())
}

impl Entry {
    /// Whether its time is spelled before that of `other`, by the units of the text.
    pub(super) fn is_spelled_before(&self, other: &Entry) -> bool {
        self.time_text().encode_utf16().lt(other.time_text().encode_utf16())
    }
}
