//! What becomes of each line.

use std::collections::{BTreeMap, BTreeSet};

use super::load::Lines;
use super::record::Skipped;
use super::replay::Replay;
use crate::{End, Fate};

/// The fate of each line of the thread's own file that is not blank, in file order.
pub(super) fn fates(lines: &Lines<'_>, replay: &Replay<'_>, base: Option<usize>) -> Vec<Fate> {
    let line = |index: usize| lines.records[index].line;
    let alive: BTreeSet<usize> =
        replay.history.iter().map(|entry| entry.origin).chain(base).collect();
    let mut losses = BTreeMap::new();
    for (index, end, rule, cause) in &replay.losses {
        if !alive.contains(index) {
            losses.entry(*index).or_insert((*end, *rule, *cause));
        }
    }
    let fate = |line, end, rule: &str, cause| Fate { line, end, rule: rule.to_owned(), cause };
    let mut fates: Vec<Fate> = (lines.inherited..lines.records.len())
        .map(|index| match losses.get(&index) {
            Some((end, rule, cause)) => {
                fate(line(index), *end, rule, (*cause != index).then(|| line(*cause)))
            }
            None => fate(line(index), End::Kept, "CX-REC-06", None),
        })
        .collect();
    fates.extend(lines.skipped.iter().map(|(line, why)| {
        let rule = match why {
            Skipped::NotJson => "CX-LOAD-03",
            Skipped::Unknown => "CX-LOAD-05",
            Skipped::Ghost => "CX-LOAD-06",
        };
        fate(*line, End::Dropped, rule, None)
    }));
    fates.sort_by_key(|fate| fate.line);
    fates
}
