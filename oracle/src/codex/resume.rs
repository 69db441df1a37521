//! The prediction of a cold resume.

use std::collections::{BTreeMap, BTreeSet};

use super::appended::Appended;
use super::canonical::canonical;
use super::choices::{Choices, Injection, Instructions, Unfinished};
use super::fates::fates;
use super::known::{Known, find};
use super::lineage::inherited;
use super::load::{Lines, Mode, Refusal, admit};
use super::project::project;
use super::record::{Body, Meta, Record, in_turn};
use super::replay::{Replay, replay};
use super::scan::scan;
use crate::{
    Answer, CONFIGURED_MODEL, CONFIGURED_PROVIDER, Edition, Effect, Home, Id, Identity, Injected,
    Item, Json, Markers, Operation, Outcome, Prediction, Settings,
};

/// What `edition` makes of `operation` on a home with these session files.
pub(crate) fn predict(
    edition: &Edition,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> Prediction {
    Reading::of(home, operation).predict(&edition.codex, markers)
}

/// The rules of which one choice, changed alone, changes the outcome.
pub(crate) fn exercised(
    edition: &Edition,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> BTreeSet<&'static str> {
    let reading = Reading::of(home, operation);
    let outcome = reading.predict(&edition.codex, markers).outcome;
    let alternatives = edition.codex.alternatives().into_iter();
    alternatives
        .filter(|(_, choices)| reading.predict(choices, markers).outcome != outcome)
        .map(|(rule, _)| rule)
        .collect()
}

/// A home as far as an operation reads it, before any edition has a say.
struct Reading<'h> {
    home: &'h Home,
    thread: &'h str,
    /// The file of the thread, with what it inherits; or why that cannot be had.
    file: Option<(&'h String, Result<Lines<'h>, Refusal>)>,
    known: Known,
}

impl<'h> Reading<'h> {
    fn of(home: &'h Home, operation: &'h Operation) -> Reading<'h> {
        let Operation::Resume { thread, entry } = operation;
        let file = find(home, thread, entry).map(|path| {
            let mut lines = Lines::read(&home[path].content.0);
            let meta = lines.records.iter().find_map(Record::meta);
            let records = meta.map_or(Ok(Vec::new()), |meta| inherited(home, meta));
            let lines = records.map(|records| {
                lines.inherit(records);
                lines
            });
            (path, lines)
        });
        Reading { home, thread, file, known: Known::of(home, thread) }
    }

    fn predict(&self, choices: &Choices, markers: &Markers) -> Prediction {
        let Some((path, lines)) = &self.file else {
            let message = format!("no rollout found for thread id {}", self.thread);
            return self.refused(-32600, message);
        };
        let admitted = lines.as_ref().map_err(Clone::clone);
        let admitted = admitted.and_then(|lines| Ok((lines, admit(lines, choices)?)));
        let (lines, meta) = match admitted {
            Ok(admitted) => admitted,
            Err(refusal) => {
                let code = if matches!(refusal, Refusal::Lineage(_)) { -32600 } else { -32603 };
                return self.refused(code, message(&refusal, path));
            }
        };
        let records = &lines.records;
        let scan = scan(records, meta.mode(), choices, markers);
        let replay = replay(records, scan, choices, markers);
        let settings = Settings {
            model: model(records).unwrap_or(CONFIGURED_MODEL).to_owned(),
            provider: meta.model_provider.as_deref().unwrap_or(CONFIGURED_PROVIDER).to_owned(),
            cwd: meta.cwd.clone().into_owned(),
        };
        let injects = choices.injection == Injection::Always || !replay.baseline();
        let injected = if injects { injected(&settings) } else { Vec::new() };
        let appended = Appended {
            lines,
            mode: meta.mode(),
            injected: &injected,
            repeats: !scan.settings || replay.plain_compaction,
        };
        let mut disk = self.untouched();
        disk.insert((*path).clone(), appended.effect(choices));
        let outcome = Outcome {
            answer: Some(Answer::Ok),
            context: Some(context(records, &replay, &injected, choices)),
            turns: Some(project(lines.own(), meta.mode(), choices)),
            identity: Some(identity(meta, lines.own(), path)),
            settings: Some(settings),
            disk: Some(disk),
        };
        Prediction {
            outcome: canonical(outcome, &self.known, markers),
            fates: fates(lines, &replay, scan.base),
        }
    }

    fn refused(&self, code: i64, message: String) -> Prediction {
        let answer = Some(Answer::Refused { code, message });
        let disk = Some(self.untouched());
        Prediction { outcome: Outcome { answer, disk, ..Outcome::default() }, fates: Vec::new() }
    }

    fn untouched(&self) -> BTreeMap<String, Effect> {
        self.home.keys().map(|path| (path.clone(), Effect::Untouched)).collect()
    }
}

fn message(refusal: &Refusal, path: &str) -> String {
    let text = match refusal {
        Refusal::Lineage(why) => why.clone(),
        Refusal::Metadata(why) => format!(
            "failed to read thread: thread-store internal error: \
             failed to read session metadata <file>: {why}"
        ),
        Refusal::History(why) => {
            format!("failed to read thread: thread-store internal error: {why}")
        }
        Refusal::Append(why) => format!(
            "error resuming thread: Fatal error: Failed to initialize session: \
             thread-store internal error: failed to resume local thread recorder: {why}"
        ),
    };
    text.replace("<file>", &format!("<CODEX_HOME>/{path}"))
}

fn identity(meta: &Meta<'_>, records: &[Record<'_>], path: &str) -> Identity {
    let mode = match meta.mode() {
        Mode::Legacy => "legacy",
        Mode::Paginated => "paginated",
    };
    Identity {
        thread: Id::Known(meta.id.clone().into_owned()),
        forked_from: meta.forked_from_id.clone().map(|id| Id::Known(id.into_owned())),
        mode: mode.to_owned(),
        file: path.to_owned(),
        preview: preview(records),
    }
}

/// The first thing that a user said.
fn preview(records: &[Record<'_>]) -> String {
    let said = records.iter().find_map(|record| match &record.body {
        Body::UserMessage { text } => Some(text.clone().into_owned()),
        Body::ItemCompleted { item, .. } if item.kind == "UserMessage" => Some(item.text()),
        _ => None,
    });
    said.unwrap_or_default()
}

/// The model of the newest turn (CX-FMT-08).
fn model<'r>(records: &'r [Record<'_>]) -> Option<&'r str> {
    records.iter().rev().find_map(|record| match &record.body {
        Body::TurnContext { model, .. } => Some(&**model),
        _ => None,
    })
}

/// The context of the turn that follows the resume (CX-REC-12, CX-REC-13, CX-REC-15).
fn context(
    records: &[Record<'_>],
    replay: &Replay<'_>,
    injected: &[Item],
    choices: &Choices,
) -> Vec<Item> {
    let mut context = Vec::new();
    if choices.instructions == Instructions::Message {
        context.push(Item::Injected(Injected::Instructions));
    }
    context.extend(replay.history.iter().map(|entry| Item::Recorded(entry.shaped(choices))));
    if choices.unfinished == Unfinished::Marker && in_turn(records) {
        context.push(Item::Recorded(Json::message("user", "input_text", "<turn_aborted>")));
    }
    context.extend_from_slice(injected);
    context.push(Item::Prompt);
    context
}

fn injected(settings: &Settings) -> Vec<Item> {
    vec![
        Item::Injected(Injected::Permissions),
        Item::Injected(Injected::Environment { cwd: settings.cwd.clone() }),
    ]
}
