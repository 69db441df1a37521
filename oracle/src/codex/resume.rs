//! The prediction of a cold resume.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::appended::Appended;
use super::canonical::canonical;
use super::choices::{
    Choice, Choices, ForeignIds, HistoryModes, Instructions, Lineage, Model, ProviderRefusal,
    ResumeWrites, Schema, SecondMeta, ShownOrdinals, Unfinished,
};
use super::fates::fates;
use super::inject::injected;
use super::known::{Known, find};
use super::lineage::inherited;
use super::load::{Lines, Mode, admit, open_for_append};
use super::model::Facts;
use super::project::project;
use super::record::{Applied, Body, Meta, Record, in_turn};
use super::refusal::Refusal;
use super::replay::{Replay, replay};
use super::scan::scan;
use super::schema::uuid;
use crate::{
    Answer, CONFIGURED_MODEL, CONFIGURED_PROVIDER, Defect, Edition, Effect, Entry, Home, Id,
    Identity, Injected, Item, Json, Markers, Operation, Outcome, Prediction, Settings, Should,
};

/// What `edition` makes of `operation` on a home with these session files.
pub(crate) fn predict(
    edition: &Edition,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> Prediction {
    let readings = Readings::of(home, operation);
    let mut prediction = readings.predict(&edition.codex, markers);
    let changes = |choices: Choices| {
        let outcome = readings.predict(&choices, markers).outcome;
        (outcome != prediction.outcome).then_some(outcome)
    };
    let alone = |defect: &&Defect| changes(edition.codex.with(defect.repair)).is_some();
    let defects: Vec<&Defect> = edition.defects.iter().filter(alone).collect();
    let repaired = defects.iter().fold(edition.codex, |all, defect| all.with(defect.repair));
    prediction.should = changes(repaired).map(|outcome| Should {
        outcome,
        defects: defects.iter().map(|defect| defect.id.to_owned()).collect(),
    });
    prediction
}

/// The rules of which one choice, changed alone, changes the outcome.
pub(crate) fn exercised(
    edition: &Edition,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> BTreeSet<&'static str> {
    let readings = Readings::of(home, operation);
    let outcome = readings.predict(&edition.codex, markers).outcome;
    let changes = |choice: &Choice| {
        readings.predict(&edition.codex.with(*choice), markers).outcome != outcome
    };
    edition.codex.alternatives().into_iter().filter(changes).map(Choice::rule).collect()
}

/// A home as the schemas of releases read it, each once it is asked for.
struct Readings<'h> {
    home: &'h Home,
    operation: &'h Operation,
    by_schema: [OnceCell<Reading<'h>>; 3],
}

impl<'h> Readings<'h> {
    fn of(home: &'h Home, operation: &'h Operation) -> Readings<'h> {
        Readings { home, operation, by_schema: Default::default() }
    }

    fn predict(&self, choices: &Choices, markers: &Markers) -> Prediction {
        let place = match choices.schema {
            Schema::Release0138 => 0,
            Schema::Release0145 => 1,
            Schema::Release0171 => 2,
        };
        let reading = self.by_schema[place]
            .get_or_init(|| Reading::of(self.home, self.operation, choices.schema));
        reading.predict(choices, markers)
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
    known: Known<'h>,
}

impl<'h> Reading<'h> {
    fn of(home: &'h Home, operation: &'h Operation, schema: Schema) -> Reading<'h> {
        let Operation::Resume { thread, entry } = operation;
        let read = |path: &'h String| Lines::read(&home[path].content.0, schema);
        let file = find(home, thread, entry).map(|path| (path, read(path)));
        let meta = file.iter().flat_map(|(_, lines)| &lines.records).find_map(Record::meta);
        let records = meta.and_then(|meta| inherited(home, meta, schema));
        let heir = file.as_ref().zip(records).map(|((path, _), records)| {
            let mut lines = read(path);
            lines.inherit(records?);
            Ok(lines)
        });
        Reading { home, thread, entry, file, heir, known: Known::of(home, thread) }
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
        let settings = settings(meta, own, loaded, choices);
        let newest = loaded.iter().rev().find_map(|record| applied(record, meta, choices));
        // The index cannot hold a file that is not all UTF-8; then only the context is looked at.
        if lines.bad_encoding
            && mode == Mode::Paginated
            && choices.shown_ordinals == ShownOrdinals::Counting
        {
            return self.refused_late(path, lines, choices);
        }
        let heard = match mode {
            Mode::Paginated if lines.bad_encoding => loaded,
            _ => own,
        };
        let injected = injected(records, &replay, &scan, &settings, choices);
        let appended = Appended {
            records: own,
            settled: newest.is_some_and(|newest| newest.model == settings.model),
            lines,
            mode,
            injected: &injected,
            world_state: choices.schema > Schema::Release0138 && !injected.is_empty(),
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
        Prediction {
            outcome: canonical(outcome, &self.known, markers),
            should: None,
            fates: fates(lines, &replay, scan.base),
        }
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
        check_request(meta, own, self.thread, self.entry, choices)?;
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

const NO_MODEL: &str = "No models are available. Set `model` explicitly or check your model catalog \
                        configuration.";

/// Refusals of what the metadata says (CX-API-08).
fn check_request(
    meta: &Meta,
    own: &Lines<'_>,
    thread: &str,
    entry: &Entry,
    choices: &Choices,
) -> Result<(), Refusal> {
    let named = uuid(thread);
    let other = named.is_some_and(|named| named != meta.id) && *entry == Entry::Id;
    if other && choices.foreign_ids == ForeignIds::Refused {
        return Err(Refusal::Request(
            "thread source changed during resume; retry with the current thread ID or path"
                .to_owned(),
        ));
    }
    if choices.schema == Schema::Release0171
        && settings(meta, own.own(), &[], choices).model.is_empty()
    {
        return Err(Refusal::Request(NO_MODEL.to_owned()));
    }
    // A later metadata of the same thread has a say in this alone.
    let first = match (meta.model_provider.as_deref(), choices.provider_refusal) {
        (None, ProviderRefusal::NotFound) => CONFIGURED_PROVIDER,
        (provider, _) => provider.unwrap_or_default(),
    };
    let later = own.own().iter().filter_map(Record::meta).filter(|it| it.id == meta.id).skip(1);
    let later = later.filter_map(|it| it.model_provider.as_deref()).last();
    let later = later.filter(|provider| !provider.is_empty());
    let unknown = [Some(first), later].into_iter().flatten().find(|it| *it != CONFIGURED_PROVIDER);
    match unknown {
        None => Ok(()),
        Some(provider) => Err(Refusal::Request(match choices.provider_refusal {
            ProviderRefusal::Restore => format!(
                "This chat uses model provider “{provider}”, which is no longer configured. \
                 Restore this provider’s configuration to continue."
            ),
            ProviderRefusal::NotFound => {
                format!("failed to load configuration: Model provider `{provider}` not found")
            }
        })),
    }
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

/// The settings in force (CX-FMT-08, CX-API-04).
fn settings(meta: &Meta, own: &[Record], loaded: &[Record], choices: &Choices) -> Settings {
    let model = own.iter().rev().find_map(|record| match &record.body {
        Body::TurnContext(context) if choices.model == Model::NewestTurn => Some(&context.model),
        _ => applied(record, meta, choices).map(|applied| &applied.model),
    });
    let provider = meta.model_provider.clone().filter(|it| !it.is_empty());
    let applied = loaded.iter().rev().find_map(|record| applied(record, meta, choices));
    Settings {
        model: model.cloned().unwrap_or_else(|| CONFIGURED_MODEL.to_owned()),
        provider: provider.unwrap_or_else(|| CONFIGURED_PROVIDER.to_owned()),
        cwd: plain_path(applied.map_or(&meta.cwd, |applied| &applied.cwd)),
    }
}

/// What a record says of the settings of its thread.
fn applied<'r>(record: &'r Record, meta: &Meta, choices: &Choices) -> Option<&'r Applied> {
    match &record.body {
        Body::SettingsApplied(applied)
            if choices.resume_writes == ResumeWrites::Settings
                && applied.thread.as_ref() == Some(&meta.id) =>
        {
            Some(applied)
        }
        _ => None,
    }
}

/// An absolute path without `.`, `..` and doubled slashes.
fn plain_path(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
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
        file: path.to_owned(),
        preview: preview(records, choices),
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
