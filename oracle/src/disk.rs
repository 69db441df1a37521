//! What an operation did to the session files.

use std::collections::BTreeMap;

use crate::{Effect, File, Observed, Written};

/// What became of each file; `written` reads the records of what is new.
pub(crate) fn disk(
    observed: &Observed,
    written: fn(&[u8]) -> Vec<Written>,
) -> BTreeMap<String, Effect> {
    let paths = observed.before.keys().chain(observed.after.keys());
    paths
        .map(|path| {
            let effect = effect(observed.before.get(path), observed.after.get(path), written);
            (path.clone(), effect)
        })
        .collect()
}

fn effect(
    before: Option<&File>,
    after: Option<&File>,
    written: fn(&[u8]) -> Vec<Written>,
) -> Effect {
    let (before, after) = match (before, after) {
        (_, None) => return Effect::Removed,
        (None, Some(after)) => return Effect::Created { records: written(&after.content.0) },
        (Some(before), Some(after)) => (before, after),
    };
    let Some(new) = after.content.0.strip_prefix(before.content.0.as_slice()) else {
        return Effect::Rewritten;
    };
    if new.is_empty() {
        let same = before.modified == after.modified;
        return if same { Effect::Untouched } else { Effect::Touched };
    }
    let open = before.content.0.last().is_some_and(|byte| *byte != b'\n');
    let rest = new.strip_prefix(b"\n").filter(|_| open);
    Effect::Appended { newline_first: rest.is_some(), records: written(rest.unwrap_or(new)) }
}
