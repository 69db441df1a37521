//! What a home holds before an operation: the background against which something is new.

use std::borrow::Cow;
use std::collections::BTreeSet;

use memchr::memmem;
use serde::Deserialize;

use super::archive::unpacked;
use crate::{Entry, Home, Json};

/// Ids and texts that were there before.
#[derive(Debug)]
pub(super) struct Known<'h> {
    home: &'h Home,
    /// Ids of threads, turns and items.
    pub(super) ids: BTreeSet<String>,
    /// The base instructions of the thread (CX-FMT-05).
    pub(super) base: Option<String>,
}

impl<'h> Known<'h> {
    /// Collects them.
    pub(super) fn of(home: &'h Home, thread: &str) -> Known<'h> {
        Known { home, ids: ids(home).collect(), base: base_instructions(home, thread) }
    }

    /// Whether the text of a message stands in a session file.
    pub(super) fn holds(&self, message: &Json) -> bool {
        holds(self.home, message)
    }
}

/// Whether the text of a message stands in a session file.
pub(super) fn holds(home: &Home, message: &Json) -> bool {
    let text = message.get("content").and_then(|parts| parts.elements().first()?.get("text"));
    let text = text.map(Json::to_string).unwrap_or_default();
    home.values().any(|file| memmem::find(&file.content.0, text.as_bytes()).is_some())
}

/// Ids that `before` holds and `planted` does not, by their first place in the files.
pub(super) fn drawn(planted: &Home, before: &Home) -> Vec<String> {
    let mut seen: BTreeSet<String> = ids(planted).collect();
    ids(before).filter(|id| seen.insert(id.clone())).collect()
}

fn ids(home: &Home) -> impl Iterator<Item = String> {
    let payloads = home.values().flat_map(|file| payloads(&file.content.0));
    payloads.flat_map(|payload| {
        let ids = [payload.id, payload.turn_id, payload.thread_id, payload.forked_from_id];
        ids.into_iter().flatten().map(Cow::into_owned)
    })
}

/// The base instructions that the file of a thread records.
pub fn base_instructions(home: &Home, thread: &str) -> Option<String> {
    let home = unpacked(home);
    let file = &home[find(&home, thread, &Entry::Id)?];
    let instructions = payloads(&file.content.0).find_map(|payload| payload.base_instructions)?;
    Some(instructions.text.into_owned())
}

/// The file of a thread: the newest active one whose name carries its id (CX-FMT-01).
pub(super) fn find<'h>(home: &'h Home, thread: &str, entry: &Entry) -> Option<&'h String> {
    match entry {
        Entry::Path(path) => home.get_key_value(path).map(|(path, _)| path),
        // No other way leads to a thread here.
        Entry::Id | Entry::Title(_) | Entry::Latest | Entry::New => {
            let end = format!("-{thread}.jsonl");
            home.keys().rfind(|path| path.starts_with("sessions/") && path.ends_with(&end))
        }
    }
}

fn payloads(bytes: &[u8]) -> impl Iterator<Item = Payload<'_>> {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice::<Line<'_>>(line).ok()).map(|line| line.payload)
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    payload: Payload<'a>,
}

#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    turn_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    thread_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    forked_from_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    base_instructions: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Text<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}
