//! What a paginated thread inherits: prefixes of the files of its ancestors (CX-FORK-05).

use std::collections::BTreeSet;

use super::known::find;
use super::load::{Lines, Mode, Refusal};
use super::record::{Body, HistoryBase, Meta, Record};
use crate::{Entry, Home};

/// The records before a thread's own, oldest ancestor first.
pub(super) fn inherited<'h>(home: &'h Home, meta: &Meta<'_>) -> Result<Vec<Record<'h>>, Refusal> {
    let refuse = |id: &str, why: &str| {
        Err(Refusal::Lineage(format!("invalid paginated history lineage for {id}: {why}")))
    };
    let mut seen = BTreeSet::from([meta.id.to_string()]);
    let mut prefixes = Vec::new();
    let mut next = base_of(meta);
    while let Some(base) = next {
        if base.end_ordinal_exclusive == 0 {
            return refuse(&meta.id, "cutoff cannot include source session metadata");
        }
        if !seen.insert(base.thread_id.to_string()) {
            return refuse(&meta.id, "cycle detected");
        }
        let Some((path, bytes)) = file_of(home, &base.thread_id) else {
            return refuse(&base.thread_id, "missing source rollout");
        };
        // What a parent inherits does not depend on how much of it the child does.
        let parent = meta_of(bytes);
        if parent.as_ref().map(Meta::mode) != Some(Mode::Paginated) {
            return refuse(&meta.id, "source rollout is not paginated");
        }
        let end = usize::try_from(base.end_byte_offset).unwrap_or(usize::MAX);
        let Some(prefix) = bytes.get(..end) else {
            return Err(Refusal::History(format!(
                "failed to scan paginated model context lineage: <CODEX_HOME>/{path}: \
                 cutoff byte offset is past the source rollout"
            )));
        };
        prefixes.push(Lines::read(prefix).records);
        next = parent.as_ref().and_then(base_of);
    }
    Ok(prefixes.into_iter().rev().flatten().collect())
}

fn meta_of(bytes: &[u8]) -> Option<Meta<'_>> {
    let lines =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter_map(|line| Record::read(0, line.trim()).ok()).find_map(|record| {
        match record.body {
            Body::Meta(meta) => Some(*meta),
            _ => None,
        }
    })
}

fn base_of<'a>(meta: &Meta<'a>) -> Option<HistoryBase<'a>> {
    meta.history_base.clone().filter(|_| meta.mode() == Mode::Paginated)
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
