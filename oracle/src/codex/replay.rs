//! The forward replay: from the base to the history (CX-REC-06 … 08), and its pairing for a
//! request (CX-REC-10).

use std::collections::BTreeSet;
use std::ops::Range;

use super::choices::{
    Adoption, Choices, KeptTexts, Outputs, Pairing, PlainCompaction, RollbackContext, RollbackUnit,
};
use super::item::{Class, Item, Side, Tool, class_of_user};
use super::load::Mode;
use super::media::supported;
use super::record::{Body, Compaction, Record};
use super::scan::{Scan, is_checkpoint};
use super::truncate::{Unit, cut_parts, truncated};
use crate::{End, Json, Markers};

/// The history and why each record is not in it.
#[derive(Debug, Default)]
pub(super) struct Replay {
    pub(super) history: Vec<Entry>,
    /// Losses: index of the record, how it ended, the rule, index of the record that caused it.
    pub(super) losses: Vec<(usize, End, &'static str, usize)>,
    /// Whether a compaction without replacement history was replayed. Wherever it stood, it clears
    /// both baselines: of injected messages (CX-REC-12) and of settings (CX-REC-16).
    pub(super) plain_compaction: bool,
    /// Where the boundaries stand in the history, so that a rollback does not look for them.
    boundaries: Vec<usize>,
}

/// One entry of the history.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) content: Content,
    class: Class,
    /// Index of the record that it comes from.
    pub(super) origin: usize,
}

/// What an entry holds.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Recorded(Item),
    /// From a checkpoint, where long outputs were cut before it was written.
    Checkpoint(Item),
    /// The texts of a user message that a compaction without replacement history keeps or makes.
    Texts(Vec<String>),
    /// The output that a call without one is given.
    Aborted {
        call: String,
        tool: Tool,
    },
}

/// The summary of a compaction whose message is empty.
const NO_SUMMARY: &str = "(no summary available)";

/// The most of the user texts that a compaction without replacement history keeps, in tokens.
const KEPT_TEXT: usize = 20_000;

/// Replays the records from `scan` on.
pub(super) fn replay(
    records: &[Record],
    muted: &Range<usize>,
    scan: &Scan,
    mode: Mode,
    choices: &Choices,
    markers: &Markers,
) -> Replay {
    let mut out = Replay::default();
    if let Some(base) = scan.base
        && let Body::Compacted(compaction) = &records[base].body
    {
        out.replace(checkpoint(compaction, base, mode, choices, markers));
        for (index, record) in records[..base].iter().enumerate() {
            if matches!(record.body, Body::Item(_) | Body::Compacted(_)) {
                out.losses.push((index, End::Replaced, "CX-REC-03", base));
            }
        }
    }
    for (index, record) in records.iter().enumerate().skip(scan.start) {
        if muted.contains(&index) {
            if matches!(record.body, Body::Item(_) | Body::Compacted(_)) {
                out.losses.push((index, End::Dropped, "CX-LOAD-10", muted.end));
            }
            continue;
        }
        match &record.body {
            Body::Item(item) if item.is_system() => {
                out.losses.push((index, End::Dropped, "CX-REC-06", index));
            }
            Body::Item(item) => out.push(Entry {
                class: item.class(choices, markers),
                content: Content::Recorded(item.clone()),
                origin: index,
            }),
            Body::Compacted(compaction) => {
                compact(&mut out, compaction, index, mode, choices, markers)
            }
            Body::RolledBack { turns } if choices.rollback_unit == RollbackUnit::Messages => {
                roll_back(&mut out, *turns, index, choices);
            }
            _ => {}
        }
    }
    if choices.pairing == Pairing::Healed {
        pair(&mut out);
    }
    out
}

impl Replay {
    fn push(&mut self, entry: Entry) {
        if entry.class == Class::Boundary {
            self.boundaries.push(self.history.len());
        }
        self.history.push(entry);
    }

    fn replace(&mut self, history: Vec<Entry>) {
        self.history = Vec::with_capacity(history.len());
        self.boundaries.clear();
        history.into_iter().for_each(|entry| self.push(entry));
    }

    /// Whether the history holds a message of `role` with a part that `test` holds for.
    pub(super) fn says(&self, role: &str, test: impl Fn(&str) -> bool + Copy) -> bool {
        self.history.iter().any(|entry| match &entry.content {
            Content::Recorded(item) | Content::Checkpoint(item) => item.says(role, test),
            Content::Texts(_) | Content::Aborted { .. } => false,
        })
    }
}

impl Entry {
    /// The entry as a request carries it; `unit` is what its model's outputs are measured in.
    pub(super) fn shaped(&self, unit: Unit, choices: &Choices) -> Json {
        let string = |text: &str| Json::string(text);
        let shaped = match &self.content {
            Content::Recorded(item) if choices.outputs == Outputs::Cut => item
                .shaped()
                .map_member("output", |output| truncated(output, unit, choices.empty_parts)),
            Content::Recorded(item) | Content::Checkpoint(item) => item.shaped(),
            Content::Texts(texts) => {
                let parts = texts.iter().map(|text| {
                    Json::object([("type", string("input_text")), ("text", string(text))])
                });
                Json::object([
                    ("type", string("message")),
                    ("role", string("user")),
                    ("content", Json::Array(parts.collect())),
                ])
            }
            Content::Aborted { call, tool: Tool::Search } => Json::object([
                ("type", string("tool_search_output")),
                ("call_id", string(call)),
                ("status", string("completed")),
                ("execution", string("client")),
                ("tools", Json::Array(Vec::new())),
            ]),
            Content::Aborted { call, tool } => Json::object([
                (
                    "type",
                    string(match tool {
                        Tool::Custom => "custom_tool_call_output",
                        _ => "function_call_output",
                    }),
                ),
                ("call_id", string(call)),
                ("output", string("aborted")),
            ]),
        };
        supported(shaped, choices.media)
    }

    /// The call or output that it is.
    fn side(&self) -> Option<Side> {
        match &self.content {
            Content::Recorded(item) | Content::Checkpoint(item) => item.side(),
            Content::Texts(_) | Content::Aborted { .. } => None,
        }
    }

    /// What a compaction without replacement history keeps of it.
    fn kept(&self, choices: &Choices, markers: &Markers) -> Option<Vec<String>> {
        match &self.content {
            Content::Recorded(item) | Content::Checkpoint(item) => item.kept(choices, markers),
            Content::Texts(texts) => (self.class != Class::Context
                && !markers.is_summary(&texts.concat()))
            .then(|| texts.clone()),
            Content::Aborted { .. } => None,
        }
    }
}

fn checkpoint(
    compaction: &Compaction,
    index: usize,
    mode: Mode,
    choices: &Choices,
    markers: &Markers,
) -> Vec<Entry> {
    let items = compaction.replacement.iter().flatten();
    items
        .filter_map(|item| match item {
            Ok(item) => Some(item.clone()),
            // The loader of paginated files reads them as an unknown type.
            Err(_) => (mode == Mode::Paginated).then(Item::other),
        })
        .map(|item| Entry {
            class: item.class(choices, markers),
            content: Content::Checkpoint(item),
            origin: index,
        })
        .collect()
}

/// A compaction met in the replay: it did not become the base.
fn compact(
    out: &mut Replay,
    compaction: &Compaction,
    index: usize,
    mode: Mode,
    choices: &Choices,
    markers: &Markers,
) {
    if is_checkpoint(compaction, choices) {
        if choices.adoption == Adoption::OnSight {
            out.replace(checkpoint(compaction, index, mode, choices, markers));
        } else {
            out.losses.push((index, End::Dropped, "CX-REC-05", index));
        }
        return;
    }
    if choices.plain_compaction == PlainCompaction::Ignored {
        return;
    }
    out.plain_compaction = true;
    let mut left = KEPT_TEXT;
    let mut kept = Vec::new();
    for entry in std::mem::take(&mut out.history).into_iter().rev() {
        let Some(texts) = entry.kept(choices, markers).filter(|_| left > 0) else {
            out.losses.push((entry.origin, End::Replaced, "CX-REC-07", index));
            continue;
        };
        let cost = Unit::Tokens.cost(texts.concat().len());
        let texts = cut_parts(&texts, Unit::Tokens, left);
        left = left.saturating_sub(cost);
        kept.push(Entry { content: Content::Texts(in_form(texts, choices)), ..entry });
    }
    kept.reverse();
    let summary = if compaction.message.is_empty() { NO_SUMMARY } else { &compaction.message };
    let class = class_of_user(std::iter::once(summary), choices, markers);
    let content = Content::Texts(vec![summary.to_owned()]);
    kept.push(Entry { content, class, origin: index });
    out.replace(kept);
}

/// Kept texts in the form of the release.
fn in_form(texts: Vec<String>, choices: &Choices) -> Vec<String> {
    match choices.kept_texts {
        KeptTexts::Parts => texts,
        KeptTexts::Joined => vec![texts.concat()],
    }
}

fn roll_back(out: &mut Replay, turns: u32, index: usize, choices: &Choices) {
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
fn pair(out: &mut Replay) {
    let sides: Vec<Option<Side>> = out.history.iter().map(Entry::side).collect();
    let (mut calls, mut outputs) = (BTreeSet::new(), BTreeSet::new());
    for side in sides.iter().flatten() {
        match side {
            Side::Call(tool, id) => calls.insert((*tool, id.clone())),
            Side::Output(tool, id) => outputs.insert((*tool, id.clone())),
        };
    }
    let mut paired = Vec::with_capacity(out.history.len());
    for (entry, side) in std::mem::take(&mut out.history).into_iter().zip(sides) {
        let origin = entry.origin;
        match side {
            Some(Side::Output(tool, id)) if !calls.contains(&(tool, id.clone())) => {
                out.losses.push((origin, End::Dropped, "CX-REC-10", origin));
            }
            Some(Side::Call(tool, id)) if !outputs.contains(&(tool, id.clone())) => {
                let content = Content::Aborted { tool, call: id };
                paired.push(entry);
                paired.push(Entry { content, class: Class::Plain, origin });
            }
            _ => paired.push(entry),
        }
    }
    out.history = paired;
}
