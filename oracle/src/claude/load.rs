//! From values to the entries of a graph.

use std::collections::{BTreeMap, HashMap, HashSet};

use memchr::memmem;

use super::big::skip;
use super::choices::{Choices, Progress, Shapes, Snip};
use super::key::{Key, number, truthy};
use super::preserve::preserve;
use super::read::Value;
use super::time::milliseconds;
use crate::{Home, Json};

/// The farthest time from 1970 that the program knows, in milliseconds.
const FARTHEST: f64 = 8.64e15;

/// What stands for an entry in a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    System,
    Attachment,
}

/// One entry: a line that takes part in the graph.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) key: Key,
    /// Its parent; none of a root.
    pub(super) parent: Option<Key>,
    /// Place of its last value among the values of the file.
    pub(super) place: usize,
    pub(super) json: Json,
}

/// Entries by the order in which their ids first appear, and what other lines say.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) entries: Vec<Entry>,
    by_key: HashMap<Key, usize>,
    /// What the last `last-prompt` line points to.
    pub(super) pointer: Option<Key>,
    /// Whether a `last-prompt` line has a pointer, be it null.
    pub(super) has_pointers: bool,
    /// Whether a compaction has preserved something.
    pub(super) preserves: bool,
    /// The id of the first line with the newest time, by its spelling, on the main chain.
    pub(super) newest: Option<Key>,
}

impl Graph {
    /// The entries of `values` of a file of `size` bytes, and what else counts.
    pub(super) fn of(values: &[Value], size: usize, choices: &Choices) -> Graph {
        let mut graph = Graph::default();
        // Ids of lines that are no entries, with the parents that stand in their place.
        let mut progress: HashMap<Key, Option<Key>> = HashMap::new();
        let mut skipped: HashMap<Key, Option<Key>> = HashMap::new();
        let mut newest: Option<Entry> = None;
        for (place, Value { json, .. }) in values.iter().enumerate() {
            let kind = json.get("type").and_then(Json::as_str).unwrap_or_default();
            let mut parent = parent(json, place);
            if let Some(collapsed) = parent.as_ref().and_then(|parent| progress.get(parent)) {
                parent = collapsed.clone();
            }
            let key = Key::of(json.get("uuid"), place);
            let kind = match kind {
                "user" => Kind::User,
                "assistant" => Kind::Assistant,
                "system" => Kind::System,
                "attachment" => Kind::Attachment,
                "progress" if choices.progress == Progress::Collapsed => {
                    progress.insert(key, parent);
                    continue;
                }
                "last-prompt" => {
                    let pointer = json.get("leafUuid");
                    graph.has_pointers |= pointer.is_some();
                    if truthy(pointer) {
                        graph.pointer = Some(Key::of(pointer, place));
                    }
                    continue;
                }
                _ => continue,
            };
            if choices.shapes == Shapes::Skipped && !has_shape(kind, json) {
                skipped.entry(key).or_insert(parent);
                continue;
            }
            let entry = Entry { kind, key, parent, place, json: json.clone() };
            if entry.is_boundary() {
                // What was pointed to before it is gone (CC-REC-05).
                graph.pointer = None;
            }
            let is_newer = newest.as_ref().is_none_or(|newest| newest.is_spelled_before(&entry));
            if is_newer && !entry.is_sidechain() {
                newest = Some(entry.clone());
            }
            graph.insert(entry);
        }
        graph.newest = newest.map(|entry| entry.key);
        if choices.snip == Snip::Honoured {
            skipped.extend(graph.snip());
        }
        graph.pass_over(&skipped);
        skip(&mut graph, size, choices);
        preserve(&mut graph, &skipped, choices);
        graph
    }

    /// The entry of `key`.
    pub(super) fn get(&self, key: &Key) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// The parent of an entry, if it is there.
    pub(super) fn parent(&self, entry: usize) -> Option<usize> {
        self.get(self.entries[entry].parent.as_ref()?)
    }

    /// A duplicate takes the place of the first of its id in the order, and stands where the last
    /// does in the file (CC-LOAD-12).
    ///
    /// Ids are compared by spelling (CC-REC-12); `sessionId` does not count (CC-LOAD-13).
    fn insert(&mut self, entry: Entry) {
        match self.by_key.get(&entry.key) {
            Some(at) => self.entries[*at] = entry,
            None => {
                self.by_key.insert(entry.key.clone(), self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    /// Whether an earlier operation has made an entry: what was `planted` does not hold its id.
    pub(super) fn is_drawn(&self, entry: &Entry, planted: &Home) -> bool {
        let id = entry.key.text().unwrap_or_default().as_bytes();
        !planted.values().any(|file| memmem::find(&file.content.0, id).is_some())
    }

    /// Forgets what a `last-prompt` line points to, if it is not there.
    pub(super) fn forget_pointer(&mut self) {
        self.pointer.take_if(|pointer| !self.by_key.contains_key(pointer));
    }

    /// Takes entries out.
    pub(super) fn remove(&mut self, gone: &HashSet<Key>) {
        self.entries.retain(|entry| !gone.contains(&entry.key));
        let places = self.entries.iter().enumerate();
        self.by_key = places.map(|(at, entry)| (entry.key.clone(), at)).collect();
    }

    /// Takes out the entries that `snip_boundary` entries name; their ids, with their parents
    /// (CC-REC-35).
    fn snip(&mut self) -> Vec<(Key, Option<Key>)> {
        let boundaries = self
            .entries
            .iter()
            .filter(|entry| entry.kind == Kind::System && entry.subtype() == Some("snip_boundary"));
        let named =
            boundaries.filter_map(|entry| entry.json.get("snipMetadata")?.get("removedUuids"));
        let named = named.flat_map(Json::elements).map(|id| Key::of(Some(id), usize::MAX));
        let gone: HashSet<Key> = named.filter(|key| self.by_key.contains_key(key)).collect();
        let parents = self.entries.iter().filter(|entry| gone.contains(&entry.key));
        let parents = parents.map(|entry| (entry.key.clone(), entry.parent.clone())).collect();
        if !gone.is_empty() {
            self.remove(&gone);
        }
        parents
    }

    /// Links through lines that are no entries lead to the parents of those, wherever they stand.
    fn pass_over(&mut self, skipped: &HashMap<Key, Option<Key>>) {
        for at in 0..self.entries.len() {
            let mut seen = HashSet::new();
            while let Some(parent) = &self.entries[at].parent
                && !self.by_key.contains_key(parent)
                && let Some(next) = skipped.get(parent)
            {
                let next = next.clone().filter(|_| seen.insert(parent.clone()));
                self.entries[at].parent = next;
            }
        }
    }

    /// Children of each entry, in the order of the entries.
    pub(super) fn children(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for entry in 0..self.entries.len() {
            if let Some(parent) = self.parent(entry) {
                children.entry(parent).or_default().push(entry);
            }
        }
        children
    }
}

impl Entry {
    /// Whether it is a user or an assistant entry.
    pub(super) fn speaks(&self) -> bool {
        matches!(self.kind, Kind::User | Kind::Assistant)
    }

    pub(super) fn is_sidechain(&self) -> bool {
        truthy(self.json.get("isSidechain"))
    }

    /// Whether what stands before it is gone (CC-REC-30): no other entry cuts (CC-REC-33).
    pub(super) fn is_boundary(&self) -> bool {
        self.kind == Kind::System && self.subtype() == Some("compact_boundary")
    }

    pub(super) fn subtype(&self) -> Option<&str> {
        self.json.get("subtype")?.as_str()
    }

    /// Its time in milliseconds since 1970, however it is spelled.
    pub(super) fn time(&self) -> Option<i64> {
        match self.json.get("timestamp")? {
            Json::Bool(value) => Some(i64::from(*value)),
            Json::Number(text) => {
                let value = number(text);
                (value.abs() <= FARTHEST).then_some(value as i64)
            }
            Json::Array(only) if only.len() == 1 => milliseconds(only[0].as_str()?),
            text => milliseconds(text.as_str()?),
        }
    }

    /// Its time if that is a text.
    pub(super) fn spelled_time(&self) -> Option<i64> {
        milliseconds(self.time_text())
    }

    /// The text of its time, empty if it is none.
    pub(super) fn time_text(&self) -> &str {
        self.json.get("timestamp").and_then(Json::as_str).unwrap_or_default()
    }
}

fn parent(json: &Json, place: usize) -> Option<Key> {
    let parent = json.get("parentUuid");
    truthy(parent).then(|| Key::of(parent, place))
}

/// Whether an entry has what a message or an attachment needs (CC-FILE-13).
fn has_shape(kind: Kind, json: &Json) -> bool {
    match kind {
        Kind::System => true,
        Kind::Attachment => {
            json.get("attachment").and_then(|it| it.get("type")?.as_str()).is_some()
        }
        Kind::User | Kind::Assistant => {
            match json.get("message").and_then(|message| message.get("content")) {
                Some(text) if is_text(text) => true,
                Some(Json::Array(blocks)) => blocks.is_empty() || blocks.iter().any(is_block),
                _ => false,
            }
        }
    }
}

/// Whether a block of a message can be sent.
pub(super) fn is_block(block: &Json) -> bool {
    match block.get("type").and_then(Json::as_str) {
        Some("text") => block.get("text").is_some_and(is_text),
        kind => kind.is_some(),
    }
}

/// Whether a value is text; that with a lone surrogate is opaque.
pub(super) fn is_text(json: &Json) -> bool {
    match json {
        Json::String(_) => true,
        Json::Opaque(source) => source.starts_with('"'),
        _ => false,
    }
}
