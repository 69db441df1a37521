//! What a paginated thread inherits: prefixes of the files of its ancestors (CX-FORK-05).

use std::collections::BTreeSet;

use super::choices::Schema;
use super::known::find;
use super::load::{Lines, probe_first};
use super::record::{HistoryBase, Meta, Record};
use super::refusal::Refusal;
use crate::{Entry, Home};

/// The records before a thread's own, oldest ancestor first; `None` if it names no ancestor.
pub(super) fn inherited(
    home: &Home,
    meta: &Meta,
    schema: Schema,
) -> Option<Result<Vec<Record>, Refusal>> {
    base_of(meta).map(|base| prefixes(home, meta, base, schema))
}

fn prefixes(
    home: &Home,
    meta: &Meta,
    base: HistoryBase,
    schema: Schema,
) -> Result<Vec<Record>, Refusal> {
    let refuse = |id: &str, why: &str| {
        Err(Refusal::Request(format!("invalid paginated history lineage for {id}: {why}")))
    };
    let mut seen = BTreeSet::from([meta.id.clone()]);
    let mut prefixes = Vec::new();
    let mut next = Some(base);
    while let Some(base) = next {
        if base.end_ordinal_exclusive == 0 {
            return refuse(&meta.id, "cutoff cannot include source session metadata");
        }
        if !seen.insert(base.thread.clone()) {
            return refuse(&meta.id, "cycle detected");
        }
        let Some((path, bytes)) = file_of(home, &base.thread) else {
            return refuse(&base.thread, "missing source rollout");
        };
        // What a parent inherits does not depend on how much of it the child does.
        let whole = Lines::read(bytes, schema);
        if let Err(why) = probe_first(&whole) {
            let why = why.replace("<file>", &format!("<CODEX_HOME>/{path}"));
            return Err(Refusal::History(format!(
                "failed to read lineage metadata <CODEX_HOME>/{path}: {why}"
            )));
        }
        let parent = whole.records.iter().find_map(Record::meta).filter(|meta| meta.paginated);
        let Some(parent) = parent else {
            return refuse(&meta.id, "source rollout is not paginated");
        };
        let end = usize::try_from(base.end_byte_offset).unwrap_or(usize::MAX);
        let Some(prefix) = bytes.get(..end) else {
            return Err(Refusal::History(format!(
                "failed to scan paginated model context lineage: <CODEX_HOME>/{path}: \
                 cutoff byte offset is past the source rollout"
            )));
        };
        let mut records = Lines::read(prefix, schema).records;
        // Of each file only what comes after its last metadata counts (CX-LOAD-10).
        let last = records.iter().rposition(|record| record.meta().is_some());
        prefixes.push(records.split_off(last.map_or(0, |last| last + 1)));
        next = base_of(parent);
    }
    Ok(prefixes.into_iter().rev().flatten().collect())
}

/// Only releases that know both contracts follow a lineage.
fn base_of(meta: &Meta) -> Option<HistoryBase> {
    meta.history_base.clone().filter(|_| meta.paginated)
}

/// The file of an ancestor, which may be archived.
fn file_of<'h>(home: &'h Home, thread: &str) -> Option<(&'h str, &'h [u8])> {
    let archived = || {
        let end = format!("-{thread}.jsonl");
        home.keys().rfind(|path| path.starts_with("archived_sessions/") && path.ends_with(&end))
    };
    let path = find(home, thread, &Entry::Id).or_else(archived)?;
    Some((path, &home[path].content.0))
}
