//! Which threads a case touches.

use std::collections::BTreeSet;

use forkproof_oracle::{Entry, Operation};

use crate::Case;

/// Length of a thread id with its dashes.
const LENGTH: usize = 36;

/// The threads of a case: those that its files are named after and those it names itself.
pub(crate) fn of_case(case: &Case) -> BTreeSet<String> {
    let files = case.files.keys().filter_map(|path| of_file(path));
    files.chain(case.operations.iter().flat_map(of_operation)).collect()
}

/// The threads that an operation names.
pub(super) fn of_operation(operation: &Operation) -> Vec<String> {
    match operation {
        Operation::Resume { thread, entry: Entry::Path(path), .. } => {
            [Some(key(thread)), of_file(path)].into_iter().flatten().collect()
        }
        Operation::Resume { thread, .. } => vec![key(thread)],
    }
}

/// One spelling for all spellings of a thread id.
pub(super) fn key(thread: &str) -> String {
    let lower = thread.trim().to_ascii_lowercase();
    let bare = lower.strip_prefix("urn:uuid:").unwrap_or(&lower);
    bare.chars().filter(|c| !matches!(c, '-' | '{' | '}')).collect()
}

/// The thread that a rollout file is named after.
fn of_file(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let stem = name.strip_suffix(".zst").unwrap_or(name).strip_suffix(".jsonl")?;
    let id = stem.get(stem.len().checked_sub(LENGTH)?..)?;
    id.chars().all(|c| c == '-' || c.is_ascii_hexdigit()).then(|| key(id))
}

#[cfg(test)]
mod tests {
    use super::{key, of_file};

    #[test]
    fn a_file_tells_its_thread() {
        let id = "01a20000-0000-7000-8000-00000000000A";
        let path = format!("sessions/2026/11/29/rollout-2026-11-29T10-00-00-{id}.jsonl");
        let expected = Some("01a2000000007000800000000000000a".to_owned());
        assert_eq!(of_file(&path), expected);
        assert_eq!(of_file(&format!("{path}.zst")), expected);
        assert_eq!(of_file("sessions/notes.jsonl"), None);
        assert_eq!(of_file(&format!("sessions/{id}.txt")), None);
    }

    #[test]
    fn spellings_of_an_id_are_one() {
        for spelling in ["AB-CD", "urn:uuid:ab-cd", "abcd"] {
            assert_eq!(key(spelling), "abcd");
        }
    }
}
