//! Parallel tool calls: what hangs beside the chain and belongs on it (CC-PAR).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::choices::{Choices, Recovery};
use super::load::{Graph, Kind};
use crate::Json;

/// A chain, with what has come back to it.
#[derive(Debug, Clone, Default)]
pub(super) struct Recovered {
    pub(super) entries: Vec<usize>,
    /// Those of them that hung on nothing of the answer that they belong to.
    pub(super) strays: HashSet<usize>,
}

/// The chain with what parallel calls have left beside it.
pub(super) fn recover(graph: &Graph, chain: &[usize], choices: &Choices) -> Recovered {
    let mut out = Recovered::default();
    match choices.recovery {
        Recovery::None => out.entries = chain.to_vec(),
        Recovery::ByTime => out.entries = by_time(graph, chain),
        Recovery::ByPlace => {
            out = by_place(graph, chain);
            out.entries = behind_calls(graph, out.entries);
        }
    }
    out
}

/// The entries of one answer of the model: those with one message id (CC-PAR-01).
struct Answer {
    /// All of them, in the order of the entries.
    members: Vec<usize>,
    /// Those on the chain.
    on_chain: Vec<usize>,
}

/// The answers that the chain has an entry of, in its order.
fn answers(graph: &Graph, chain: &[usize]) -> Vec<Answer> {
    let id = |at: usize| {
        let entry = &graph.entries[at];
        (entry.kind == Kind::Assistant).then(|| message_id(&entry.json))?
    };
    let mut members: HashMap<&str, Vec<usize>> = HashMap::new();
    for at in 0..graph.entries.len() {
        if let Some(id) = id(at) {
            members.entry(id).or_default().push(at);
        }
    }
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut out: Vec<Answer> = Vec::new();
    for at in chain {
        let Some(id) = id(*at) else { continue };
        let place = *places.entry(id).or_insert_with(|| {
            let members = members.remove(id).unwrap_or_default();
            out.push(Answer { members, on_chain: Vec::new() });
            out.len() - 1
        });
        out[place].on_chain.push(*at);
    }
    out
}

/// Results by the entry that they hang on.
fn results_below(graph: &Graph) -> HashMap<usize, Vec<usize>> {
    let mut out: HashMap<usize, Vec<usize>> = HashMap::new();
    for at in 0..graph.entries.len() {
        if answered(graph, at).next().is_some()
            && let Some(parent) = graph.parent(at)
        {
            out.entry(parent).or_default().push(at);
        }
    }
    out
}

/// Behind the last entry of an answer that is on the chain: its other entries and then its other
/// results, each by time (CC-PAR-03).
fn by_time(graph: &Graph, chain: &[usize]) -> Vec<usize> {
    let on_chain: HashSet<usize> = chain.iter().copied().collect();
    let below = results_below(graph);
    let mut behind: HashMap<usize, Vec<usize>> = HashMap::new();
    for answer in answers(graph, chain) {
        let Some(last) = answer.on_chain.last() else { continue };
        let off = |at: &usize| !on_chain.contains(at);
        // What has no time is last.
        let time = |at: &usize| graph.entries[*at].time_text();
        let by = |a: &usize, b: &usize| {
            time(a).is_empty().cmp(&time(b).is_empty()).then_with(|| time(a).cmp(time(b)))
        };
        let mut siblings: Vec<usize> = answer.members.iter().copied().filter(off).collect();
        siblings.sort_by(|a, b| by(a, b));
        let results = answer.members.iter().filter_map(|member| below.get(member)).flatten();
        let mut results: Vec<usize> = results.copied().filter(off).collect();
        results.sort_by(|a, b| by(a, b));
        behind.insert(*last, [siblings, results].concat());
    }
    chain
        .iter()
        .flat_map(|at| [vec![*at], behind.remove(at).unwrap_or_default()].concat())
        .collect()
}

/// Each into the run of the answer that begins before it in the file, before the first that stands
/// later, but behind the run's first entry (CC-PAR-05); results that hang elsewhere count as if they
/// stood behind the answer (CC-PAR-03). Calls of side conversations stay away (CC-PAR-04).
fn by_place(graph: &Graph, chain: &[usize]) -> Recovered {
    let on_chain: HashSet<usize> = chain.iter().copied().collect();
    let below = results_below(graph);
    let answers = answers(graph, chain);
    let off = |at: &usize| !on_chain.contains(at);
    let main = |at: &usize| !graph.entries[*at].is_sidechain();
    let of_answer = |answer: &Answer| {
        let members = answer.members.iter().copied().filter(main);
        members.flat_map(|at| calls(graph, at)).collect()
    };
    let called: Vec<HashSet<&str>> = answers.iter().map(of_answer).collect();
    let everywhere: HashSet<&str> = called.iter().flatten().copied().collect();
    // What hangs on an answer belongs to it, unless its call is another's.
    let own = |(answer, called): (&Answer, &HashSet<&str>)| -> Vec<usize> {
        let results = answer.members.iter().filter_map(|member| below.get(member)).flatten();
        let is_own = |at: &usize| {
            let mut ids = answered(graph, *at);
            off(at) && ids.all(|id| called.contains(id) || !everywhere.contains(id))
        };
        results.copied().filter(is_own).collect()
    };
    let taken: HashSet<usize> = answers.iter().zip(&called).flat_map(own).collect();
    let known: HashSet<&str> =
        chain.iter().chain(&taken).flat_map(|at| answered(graph, *at)).collect();
    let mut strays: HashMap<&str, Vec<usize>> = HashMap::new();
    for at in (0..graph.entries.len()).filter(|at| off(at) && !taken.contains(at)) {
        for id in answered(graph, at).filter(|id| everywhere.contains(id) && !known.contains(id)) {
            strays.entry(id).or_default().push(at);
        }
    }
    let children = graph.children();
    // Twice the place in the file, so that something can stand between two.
    let order = |at: usize| graph.entries[at].place * 2;
    let mut out = chain.to_vec();
    let mut all = HashSet::new();
    for (answer, called) in answers.iter().zip(&called) {
        let stray: BTreeSet<usize> =
            called.iter().filter_map(|id| strays.get(id)).flatten().copied().collect();
        all.extend(&stray);
        let last = answer.members.iter().map(|at| order(*at) + 1).max().unwrap_or_default();
        let siblings = answer.members.iter().copied().filter(|at| off(at) && main(at));
        let own =
            own((answer, called)).into_iter().flat_map(|at| with_silent(graph, &children, at));
        let late = siblings.chain(own.filter(off)).map(|at| (order(at), at));
        let late = late.chain(stray.into_iter().map(|at| (order(at).max(last), at)));
        let mut by_anchor: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (key, at) in late {
            // The last entry of the answer that stands before it in the file, else the first.
            let before = answer.on_chain.iter().rfind(|at| order(**at) < key);
            let anchor = before.unwrap_or(&answer.on_chain[0]);
            by_anchor.entry(*anchor).or_default().push((key, at));
        }
        for (anchor, late) in by_anchor {
            insert(graph, answer, anchor, late, &mut out);
        }
    }
    Recovered { entries: out, strays: all }
}

/// A result, and what hangs on it and says nothing.
fn with_silent(graph: &Graph, children: &BTreeMap<usize, Vec<usize>>, result: usize) -> Vec<usize> {
    let mut out = vec![result];
    let mut seen = HashSet::from([result]);
    let mut at = 0;
    while let Some(next) = out.get(at).copied() {
        let below = children.get(&next).into_iter().flatten().copied();
        out.extend(below.filter(|it| !graph.entries[*it].speaks() && seen.insert(*it)));
        at += 1;
    }
    out
}

/// Inserts what came late into the run of the answer around `anchor`, by its place.
fn insert(
    graph: &Graph,
    answer: &Answer,
    anchor: usize,
    mut late: Vec<(usize, usize)>,
    chain: &mut Vec<usize>,
) {
    late.sort_unstable();
    let is_run = |at: &usize| answer.on_chain.contains(at) || answered(graph, *at).next().is_some();
    let Some(end) = chain.iter().position(|at| *at == anchor) else { return };
    let before = chain[..end].iter().rev().take_while(|at| is_run(at));
    let first = before.zip((0..end).rev()).filter(|(at, _)| answer.on_chain.contains(at)).last();
    let start = first.map_or(end, |(_, place)| place) + 1;
    let length = chain[start..].iter().take_while(|at| is_run(at)).count();
    let order = |at: usize| graph.entries[at].place * 2;
    let mut run: Vec<(usize, usize)> =
        chain[start..start + length].iter().map(|at| (order(*at), *at)).collect();
    for (key, at) in late {
        let place = run.iter().position(|(other, _)| *other > key).unwrap_or(run.len());
        run.insert(place, (key, at));
    }
    chain.splice(start..start + length, run.into_iter().map(|(_, at)| at));
}

/// Results that stand before all entries of the one message that made their calls go behind it, as
/// long as nothing but tools and answers stands between (CC-PAR-07).
fn behind_calls(graph: &Graph, chain: Vec<usize>) -> Vec<usize> {
    let is_inner = |at: &usize| {
        let entry = &graph.entries[*at];
        match entry.kind {
            Kind::User => answered(graph, *at).next().is_some(),
            Kind::System => entry.subtype() != Some("local_command"),
            Kind::Assistant | Kind::Attachment => true,
        }
    };
    chain.chunk_by(|a, b| is_inner(a) && is_inner(b)).flat_map(|it| in_segment(graph, it)).collect()
}

fn in_segment(graph: &Graph, segment: &[usize]) -> Vec<usize> {
    // A message by its id, or the entry itself.
    let message = |at: usize| message_id(&graph.entries[at].json).ok_or(at);
    let mut callers = HashMap::new();
    let mut spans: HashMap<_, (usize, usize)> = HashMap::new();
    for (place, at) in segment.iter().enumerate() {
        if graph.entries[*at].kind == Kind::Assistant {
            spans.entry(message(*at)).or_insert((place, place)).1 = place;
            for call in calls(graph, *at) {
                callers.entry(call).or_insert(message(*at));
            }
        }
    }
    let mut moved: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut stays = Vec::new();
    for (place, at) in segment.iter().enumerate() {
        let mut of: Vec<_> = answered(graph, *at).map(|call| callers.get(call)).collect();
        of.dedup();
        match of[..] {
            [Some(caller)] if spans[caller].0 > place => {
                moved.entry(spans[caller].1).or_default().push(*at);
            }
            _ => stays.push((place, *at)),
        }
    }
    let behind = |(place, at)| [vec![at], moved.remove(&place).unwrap_or_default()].concat();
    stays.into_iter().flat_map(behind).collect()
}

/// The blocks of an entry's message.
pub(super) fn blocks(entry: &Json) -> &[Json] {
    let content = entry.get("message").and_then(|message| message.get("content"));
    content.map_or(&[], Json::elements)
}

/// The id of an entry's message.
pub(super) fn message_id(entry: &Json) -> Option<&str> {
    entry.get("message")?.get("id")?.as_str().filter(|id| !id.is_empty())
}

/// The calls of an entry, by id.
pub(super) fn calls(graph: &Graph, at: usize) -> impl Iterator<Item = &str> {
    of_kind(blocks(&graph.entries[at].json), "tool_use", "id")
}

/// The calls that a user entry has results of.
pub(super) fn answered(graph: &Graph, at: usize) -> impl Iterator<Item = &str> {
    let entry = &graph.entries[at];
    let blocks = if entry.kind == Kind::User { blocks(&entry.json) } else { &[] };
    of_kind(blocks, "tool_result", "tool_use_id")
}

/// The `member` of those blocks that are of a kind.
pub(super) fn of_kind<'b>(
    blocks: &'b [Json],
    kind: &'b str,
    member: &'b str,
) -> impl Iterator<Item = &'b str> {
    let of = move |block: &&Json| block.get("type").and_then(Json::as_str) == Some(kind);
    blocks
        .iter()
        .filter(of)
        .map(move |block| block.get(member).and_then(Json::as_str).unwrap_or_default())
}
