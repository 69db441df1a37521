//! The forward replay: from the base to the history (CX-REC-06 … 08), and its pairing for a
//! request (CX-REC-10).

use std::collections::BTreeSet;

use super::choices::{
    Adoption, Choices, Outputs, Pairing, PlainCompaction, RollbackContext, RollbackUnit,
};
use super::item::{Class, Item, Kind, Tool, class_of_user};
use super::record::{Body, Compaction, Record};
use super::scan::Scan;
use super::truncate::truncated;
use crate::{End, Json, Markers};

/// The history and why each record is not in it.
#[derive(Debug, Default)]
pub(super) struct Replay<'a> {
    pub(super) history: Vec<Entry<'a>>,
    /// Losses: index of the record, how it ended, the rule, index of the record that caused it.
    pub(super) losses: Vec<(usize, End, &'static str, usize)>,
    /// Whether a compaction without replacement history was replayed. Wherever it stood, it clears
    /// both baselines: of injected messages (CX-REC-12) and of settings (CX-REC-16).
    pub(super) plain_compaction: bool,
    world_state: bool,
    /// Where the boundaries stand in the history, so that a rollback does not look for them.
    boundaries: Vec<usize>,
}

/// One entry of the history.
#[derive(Debug, Clone)]
pub(super) struct Entry<'a> {
    pub(super) content: Content<'a>,
    class: Class,
    /// Index of the record that it comes from.
    pub(super) origin: usize,
}

/// What an entry holds.
#[derive(Debug, Clone)]
pub(super) enum Content<'a> {
    Recorded(Item<'a>),
    /// From a checkpoint, where long outputs were cut before it was written.
    Checkpoint(Item<'a>),
    /// A user message that a compaction without replacement history makes.
    Text(String),
    /// The output that a call without one is given.
    Aborted {
        call: String,
        tool: Tool,
    },
}

/// The summary of a compaction whose message is empty.
const NO_SUMMARY: &str = "(no summary available)";

/// The most of the user texts that a compaction without replacement history keeps, in bytes:
/// 20 000 tokens of four bytes.
const KEPT_TEXT: usize = 80_000;

/// Replays the records from `scan` on.
pub(super) fn replay<'a>(
    records: &[Record<'a>],
    scan: Scan,
    choices: &Choices,
    markers: &Markers,
) -> Replay<'a> {
    let mut out = Replay::default();
    if let Some(base) = scan.base
        && let Body::Compacted(compaction) = &records[base].body
    {
        out.replace(checkpoint(compaction, base, choices, markers));
        for (index, record) in records[..base].iter().enumerate() {
            if matches!(record.body, Body::Item(_) | Body::Compacted(_)) {
                out.losses.push((index, End::Replaced, "CX-REC-03", base));
            }
        }
    }
    for (index, record) in records.iter().enumerate().skip(scan.start) {
        match &record.body {
            Body::Item(item) if item.is_system() => {
                out.losses.push((index, End::Dropped, "CX-REC-06", index));
            }
            Body::Item(item) => out.push(Entry {
                class: item.class(choices, markers),
                content: Content::Recorded(item.clone()),
                origin: index,
            }),
            Body::Compacted(compaction) => compact(&mut out, compaction, index, choices, markers),
            Body::RolledBack { turns } if choices.rollback_unit == RollbackUnit::Messages => {
                roll_back(&mut out, *turns, index, choices);
            }
            Body::WorldState => out.world_state = true,
            _ => {}
        }
    }
    if choices.pairing == Pairing::Healed {
        pair(&mut out);
    }
    out
}

impl<'a> Replay<'a> {
    fn push(&mut self, entry: Entry<'a>) {
        if entry.class.is_boundary() {
            self.boundaries.push(self.history.len());
        }
        self.history.push(entry);
    }

    fn replace(&mut self, history: Vec<Entry<'a>>) {
        self.history = Vec::with_capacity(history.len());
        self.boundaries.clear();
        history.into_iter().for_each(|entry| self.push(entry));
    }

    /// Whether the program knows what it injected earlier (CX-REC-12).
    pub(super) fn baseline(&self) -> bool {
        self.world_state && !self.plain_compaction
    }
}

impl Entry<'_> {
    /// The entry as a request carries it.
    pub(super) fn shaped(&self, choices: &Choices) -> Json {
        let string = |text: &str| Json::string(text);
        match &self.content {
            Content::Recorded(item) if choices.outputs == Outputs::Cut => {
                item.shaped().map_member("output", truncated)
            }
            Content::Recorded(item) | Content::Checkpoint(item) => item.shaped(),
            Content::Text(text) => Json::message("user", "input_text", text),
            Content::Aborted { call, tool } => Json::object([
                (
                    "type",
                    string(match tool {
                        Tool::Function => "function_call_output",
                        Tool::Custom => "custom_tool_call_output",
                    }),
                ),
                ("call_id", string(call)),
                ("output", string("aborted")),
            ]),
        }
    }

    /// The call or output that it is.
    fn kind(&self) -> &Kind<'_> {
        match &self.content {
            Content::Recorded(item) | Content::Checkpoint(item) => &item.kind,
            Content::Text(_) | Content::Aborted { .. } => &Kind::Other,
        }
    }

    fn text(&self) -> String {
        match &self.content {
            Content::Recorded(item) | Content::Checkpoint(item) => item.text(),
            Content::Text(text) => text.clone(),
            Content::Aborted { .. } => String::new(),
        }
    }
}

fn checkpoint<'a>(
    compaction: &Compaction<'a>,
    index: usize,
    choices: &Choices,
    markers: &Markers,
) -> Vec<Entry<'a>> {
    let items = compaction.replacement.iter().flatten().flatten();
    items
        .filter(|item| !item.is_system())
        .map(|item| Entry {
            class: item.class(choices, markers),
            content: Content::Checkpoint(item.clone()),
            origin: index,
        })
        .collect()
}

/// A compaction met in the replay: it did not become the base.
fn compact<'a>(
    out: &mut Replay<'a>,
    compaction: &Compaction<'a>,
    index: usize,
    choices: &Choices,
    markers: &Markers,
) {
    if compaction.replacement.is_some() {
        if choices.adoption == Adoption::OnSight {
            out.replace(checkpoint(compaction, index, choices, markers));
        } else {
            out.losses.push((index, End::Dropped, "CX-REC-05", index));
        }
        return;
    }
    if choices.plain_compaction == PlainCompaction::Ignored {
        return;
    }
    out.plain_compaction = true;
    let mut room = KEPT_TEXT;
    let mut kept = Vec::new();
    for entry in std::mem::take(&mut out.history).into_iter().rev() {
        let text = entry.text();
        let talk = entry.class == Class::Boundary && text.len() <= room;
        if talk {
            room -= text.len();
            kept.push(Entry { content: Content::Text(text), ..entry });
        } else {
            out.losses.push((entry.origin, End::Replaced, "CX-REC-07", index));
        }
    }
    kept.reverse();
    let summary = if compaction.message.is_empty() { NO_SUMMARY } else { &compaction.message };
    let class = class_of_user(&[summary.into()], choices, markers);
    kept.push(Entry { content: Content::Text(summary.to_owned()), class, origin: index });
    out.replace(kept);
}

fn roll_back(out: &mut Replay<'_>, turns: u32, index: usize, choices: &Choices) {
    let boundaries = &mut out.boundaries;
    let (Some(&first), true) = (boundaries.first(), turns > 0) else { return };
    let left = boundaries.len().saturating_sub(turns as usize);
    let mut cut = boundaries[left];
    boundaries.truncate(left);
    while choices.rollback_context == RollbackContext::TakesContext
        && cut > first
        && out.history[cut - 1].class == Class::Context
    {
        cut -= 1;
    }
    for entry in out.history.drain(cut..) {
        out.losses.push((entry.origin, End::Dropped, "CX-REC-06", index));
    }
}

/// Gives each call an output and removes outputs without call.
fn pair(out: &mut Replay<'_>) {
    let mut calls = BTreeSet::new();
    let mut outputs = BTreeSet::new();
    for entry in &out.history {
        match entry.kind() {
            Kind::Call { id, tool } => calls.insert((*tool, id.clone().into_owned())),
            Kind::Output { id, tool } => outputs.insert((*tool, id.clone().into_owned())),
            _ => continue,
        };
    }
    let mut paired = Vec::with_capacity(out.history.len());
    for entry in std::mem::take(&mut out.history) {
        let key = match entry.kind() {
            Kind::Call { id, tool } | Kind::Output { id, tool } => (*tool, id.clone().into_owned()),
            _ => {
                paired.push(entry);
                continue;
            }
        };
        let origin = entry.origin;
        let is_call = matches!(entry.kind(), Kind::Call { .. });
        if is_call || calls.contains(&key) {
            paired.push(entry);
        } else {
            out.losses.push((origin, End::Dropped, "CX-REC-10", origin));
        }
        if is_call && !outputs.contains(&key) {
            let content = Content::Aborted { tool: key.0, call: key.1 };
            paired.push(Entry { content, class: Class::Plain, origin });
        }
    }
    out.history = paired;
}
