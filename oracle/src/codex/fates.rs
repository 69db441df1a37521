//! What becomes of each line.

use std::collections::{BTreeMap, BTreeSet};

use super::load::Lines;
use super::record::{Body, Skipped};
use super::replay::Replay;
use crate::{End, Fate};

/// The fate of each line of the thread's own file that is not blank, in file order.
pub(super) fn fates(lines: &Lines<'_>, replay: &Replay, base: Option<usize>) -> Vec<Fate> {
    let line = |index: usize| lines.records[index].line;
    let alive: BTreeSet<usize> =
        replay.history.iter().map(|entry| entry.origin).chain(base).collect();
    let mut losses = BTreeMap::new();
    for (index, end, rule, cause) in &replay.losses {
        if !alive.contains(index) {
            losses.entry(*index).or_insert((*end, *rule, *cause));
        }
    }
    let first_meta = lines.own().iter().position(|record| record.meta().is_some());
    let first_meta = first_meta.map_or(usize::MAX, |index| index + lines.inherited);
    let fate = |line, end, rule: &str, cause| Fate { line, end, rule: rule.to_owned(), cause };
    let mut fates: Vec<Fate> = (lines.inherited..lines.records.len())
        .map(|index| match losses.get(&index) {
            Some((end, rule, cause)) => {
                fate(line(index), *end, rule, (*cause != index).then(|| line(*cause)))
            }
            None => {
                let (end, rule) = unharmed(&lines.records[index].body, index == first_meta);
                fate(line(index), end, rule, None)
            }
        })
        .collect();
    fates.extend(lines.skipped.iter().map(|skipped| {
        let rule = match skipped.why {
            Skipped::NotJson => "CX-LOAD-03",
            Skipped::Unknown | Skipped::UnknownItem => "CX-LOAD-05",
            Skipped::Ghost => "CX-LOAD-06",
        };
        fate(skipped.line, End::Dropped, rule, None)
    }));
    fates.sort_by_key(|fate| fate.line);
    fates
}

/// The end of a record that no other one took from the context, and the rule that gives it its
/// meaning.
fn unharmed(body: &Body, speaks: bool) -> (End, &'static str) {
    match body {
        Body::Meta(_) if speaks => (End::Kept, "CX-LOAD-07"),
        Body::Meta(_) => (End::Dropped, "CX-LOAD-07"),
        Body::Item(_) => (End::Kept, "CX-REC-06"),
        Body::Compacted(compaction) if compaction.replacement.is_some() => (End::Kept, "CX-REC-03"),
        Body::Compacted(_) => (End::Kept, "CX-REC-07"),
        Body::RolledBack { .. } => (End::Kept, "CX-REC-08"),
        Body::WorldState(_) => (End::Kept, "CX-REC-12"),
        Body::TurnContext(_) => (End::Kept, "CX-FMT-08"),
        Body::SettingsApplied(_) => (End::Kept, "CX-API-04"),
        Body::ItemCompleted { .. } => (End::Kept, "CX-PROJ-04"),
        Body::TaskStarted { .. }
        | Body::TaskComplete { .. }
        | Body::TurnAborted { .. }
        | Body::UserMessage { .. }
        | Body::AgentMessage { .. }
        | Body::Happened(..)
        | Body::ContextCompacted => (End::Kept, "CX-PROJ-01"),
        Body::Inert => (End::Kept, "CX-FMT-04"),
    }
}
