//! The prediction of a cold resume.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use super::appended::Appended;
use super::archive::{repacked, unpacked};
use super::canonical::canonical;
use super::choices::{
    BaselineRecord, Choices, HistoryModes, Instructions, Lineage, ResumeWrites, Schema, SecondMeta,
    Unfinished,
};
use super::fates::fates;
use super::inject::injected;
use super::known::{Known, find};
use super::lineage::inherited;
use super::load::{Lines, Mode, admit, open_for_append};
use super::model::Facts;
use super::project::project;
use super::record::{Body, Meta, Record, in_turn};
use super::refusal::Refusal;
use super::replay::{Replay, replay};
use super::scan::scan;
use super::settings::{applied, check, settings};
use crate::{
    Answer, Effect, Entry, Home, Id, Identity, Injected, Item, Json, Markers, Operation, Outcome,
    Prediction, Settings,
};

/// Reads a home for the predictions that `ask` wants of `operation`.
pub(crate) fn read<T>(
    planted: &Home,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
    ask: impl FnOnce(&dyn Fn(crate::Choices) -> Prediction) -> T,
) -> T {
    let (planted, unpacked) = (unpacked(planted), unpacked(home));
    let readings = Readings::of(&planted, home, &unpacked, operation);
    ask(&|choices| match choices {
        crate::Choices::Codex(choices) => readings.predict(&choices, markers),
        crate::Choices::Claude(_) => Prediction::default(),
    })
}

/// A home as the schemas of releases read it, each once it is asked for.
struct Readings<'h> {
    planted: &'h Home,
    home: &'h Home,
    unpacked: &'h Home,
    operation: &'h Operation,
    known: Known<'h>,
    by_schema: [OnceCell<Reading<'h>>; 3],
}

impl<'h> Readings<'h> {
    fn of(
        planted: &'h Home,
        home: &'h Home,
        unpacked: &'h Home,
        operation: &'h Operation,
    ) -> Readings<'h> {
        let Operation::Resume { thread, .. } = operation;
        let known = Known::of(unpacked, thread);
        Readings { planted, home, unpacked, operation, known, by_schema: Default::default() }
    }

    fn predict(&self, choices: &Choices, markers: &Markers) -> Prediction {
        let place = match choices.schema {
            Schema::Release0138 => 0,
            Schema::Release0145 => 1,
            Schema::Release0171 => 2,
        };
        let reading = self.by_schema[place].get_or_init(|| {
            Reading::of(self.planted, self.unpacked, self.operation, choices.schema)
        });
        let prediction = reading.predict(choices, markers);
        let outcome = repacked(prediction.outcome, self.home, self.unpacked);
        Prediction { outcome: canonical(outcome, &self.known, markers), ..prediction }
    }
}

/// A home as far as an operation reads it, before any other choice has a say.
struct Reading<'h> {
    home: &'h Home,
    thread: &'h str,
    entry: &'h Entry,
    /// The file of the thread.
    file: Option<(&'h String, Lines<'h>)>,
    /// The file with what it inherits, if it names an ancestor; or why that cannot be had.
    heir: Option<Result<Lines<'h>, Refusal>>,
    /// Whether an earlier operation has written to the file: then the index knows the thread.
    resumed: bool,
}

impl<'h> Reading<'h> {
    fn of(planted: &Home, home: &'h Home, operation: &'h Operation, schema: Schema) -> Reading<'h> {
        let Operation::Resume { thread, entry, .. } = operation;
        let read = |path: &'h String| Lines::read(&home[path].content.0, schema);
        let file = find(home, thread, entry).map(|path| (path, read(path)));
        let meta = file.iter().flat_map(|(_, lines)| &lines.records).find_map(Record::meta);
        let records = meta.and_then(|meta| inherited(home, meta, schema));
        let heir = file.as_ref().zip(records).map(|((path, _), records)| {
            let mut lines = read(path);
            lines.inherit(records?);
            Ok(lines)
        });
        let resumed = file.as_ref().is_some_and(|(path, _)| {
            planted.get(*path).is_none_or(|file| file.content != home[*path].content)
        });
        Reading { home, thread, entry, file, heir, resumed }
    }

    fn predict(&self, choices: &Choices, markers: &Markers) -> Prediction {
        let Some((path, own)) = &self.file else {
            let message = format!("no rollout found for thread id {}", self.thread);
            return self.refused(-32600, message);
        };
        let (lines, meta) = match self.admit(own, choices) {
            Ok(admitted) => admitted,
            Err(refusal) => {
                let (code, message) = refusal.answer(path);
                let refused = self.refused(code, message);
                // The writer repairs the tail before it looks at the file.
                return match refusal {
                    Refusal::Append(_) if own.tail_is_repaired(choices) => repaired(refused, path),
                    _ => refused,
                };
            }
        };
        let mode = meta.mode(choices);
        let records = &lines.records[..lines.readable(choices)];
        let own = &records[lines.inherited..];
        let muted = muted(lines.inherited, own, mode, choices);
        let scan = scan(records, &muted, mode, choices, markers);
        let replay = replay(records, &muted, &scan, mode, choices, markers);
        // What a loader of paginated files reads of the thread's own file.
        let loaded = &records[scan.loaded.max(muted.end).max(lines.inherited)..];
        // The index cannot hold a file that is not all UTF-8: then it knows no model, and only the
        // context is looked at.
        let unindexed = lines.bad_encoding && mode == Mode::Paginated;
        let indexed = if unindexed { &[] } else { own };
        let settings = settings(meta, indexed, loaded, choices);
        let newest = loaded.iter().rev().find_map(|record| applied(record, meta, choices));
        let settled = newest.is_some_and(|newest| newest.model == settings.model);
        // A resume that writes nothing does not bring the index up to date either.
        let silent = settled && !self.resumed;
        if unindexed && (silent || choices.resume_writes == ResumeWrites::Nothing) {
            return self.refused_late(path, lines, choices);
        }
        let heard = if unindexed { loaded } else { own };
        let injected = injected(records, &replay, &scan, &settings, choices);
        let appended = Appended {
            records: own,
            settled,
            lines,
            mode,
            injected: &injected,
            world_state: choices.baseline == BaselineRecord::WorldState && !injected.is_empty(),
            repeats: scan.reference.is_none() || replay.plain_compaction,
        };
        let mut disk = self.untouched();
        disk.insert((*path).clone(), appended.effect(choices));
        let outcome = Outcome {
            answer: Some(Answer::Ok),
            context: Some(context(meta, records, &replay, &injected, &settings, choices)),
            turns: Some(project(own, lines, mode, choices)),
            identity: Some(identity(meta, heard, path, choices)),
            settings: Some(settings),
            disk: Some(disk),
        };
        Prediction { outcome, should: None, fates: fates(lines, &replay, scan.base) }
    }

    /// The file as the resume reads it, and its metadata, if no reader refuses it.
    fn admit<'s>(
        &'s self,
        own: &'s Lines<'h>,
        choices: &Choices,
    ) -> Result<(&'s Lines<'h>, &'s Meta), Refusal> {
        let meta = admit(own, self.thread, choices)?;
        let lines = match &self.heir {
            Some(heir) if choices.lineage == Lineage::Followed => {
                heir.as_ref().map_err(Clone::clone)?
            }
            _ => own,
        };
        check(meta, own.own(), self.thread, self.entry, choices)?;
        open_for_append(own, meta.mode(choices), choices)?;
        Ok((lines, meta))
    }

    /// A refusal after the writer has opened the file: a database cannot show its turns.
    fn refused_late(&self, path: &str, lines: &Lines<'_>, choices: &Choices) -> Prediction {
        let refused = self.refused(-32601, "list_turns is not supported yet".to_owned());
        if lines.tail_is_repaired(choices) { repaired(refused, path) } else { refused }
    }

    fn refused(&self, code: i64, message: String) -> Prediction {
        let answer = Some(Answer::Refused { code, message });
        let disk = Some(self.untouched());
        let outcome = Outcome { answer, disk, ..Outcome::default() };
        Prediction { outcome, ..Prediction::default() }
    }

    fn untouched(&self) -> BTreeMap<String, Effect> {
        self.home.keys().map(|path| (path.clone(), Effect::Untouched)).collect()
    }
}

/// A refusal after which the last line is ended.
fn repaired(mut refused: Prediction, path: &str) -> Prediction {
    let effect = Effect::Appended { newline_first: true, records: Vec::new() };
    refused.outcome.disk.get_or_insert_default().insert(path.to_owned(), effect);
    refused
}

/// The records that the context of a paginated file does not come from: those before its last
/// metadata (CX-LOAD-10).
fn muted(start: usize, own: &[Record], mode: Mode, choices: &Choices) -> Range<usize> {
    let last = own.iter().rposition(|record| record.meta().is_some());
    match last {
        Some(last) if mode == Mode::Paginated && choices.second_meta == SecondMeta::Restarts => {
            start..start + last
        }
        _ => 0..0,
    }
}

fn identity(meta: &Meta, records: &[Record], path: &str, choices: &Choices) -> Identity {
    let mode = match meta.mode(choices) {
        Mode::Legacy => "legacy",
        Mode::Paginated => "paginated",
    };
    Identity {
        thread: Id::Known(meta.id.clone()),
        forked_from: meta.forked_from.clone().map(Id::Known),
        mode: (choices.history_modes == HistoryModes::Two).then(|| mode.to_owned()),
        file: Some(path.to_owned()),
        preview: Some(preview(records, choices)),
    }
}

/// The first thing that a user said.
fn preview(records: &[Record], choices: &Choices) -> String {
    let said = records.iter().find_map(|record| match &record.body {
        Body::UserMessage { text } => Some(text.clone()),
        Body::ItemCompleted { item, .. }
            if item.kind == "UserMessage" && choices.history_modes == HistoryModes::Two =>
        {
            Some(item.text.clone().unwrap_or_default())
        }
        _ => None,
    });
    said.unwrap_or_default()
}

/// The context of the turn that follows the resume (CX-REC-12, CX-REC-13, CX-REC-15).
fn context(
    meta: &Meta,
    records: &[Record],
    replay: &Replay,
    injected: &[Item],
    settings: &Settings,
    choices: &Choices,
) -> Vec<Item> {
    let unit = Facts::of(&settings.model, choices.models).unit();
    let mut context = Vec::new();
    if !meta.no_instructions {
        context.push(Item::Injected(match choices.instructions {
            Instructions::Message => Injected::Instructions,
            Instructions::Field => Injected::InstructionsField,
        }));
    }
    context.extend(replay.history.iter().map(|entry| Item::Recorded(entry.shaped(unit, choices))));
    if choices.unfinished == Unfinished::Marker && in_turn(records) {
        context.push(Item::Recorded(Json::message("user", "input_text", "<turn_aborted>")));
    }
    context.extend_from_slice(injected);
    context.push(Item::Prompt);
    context
}
