//! The prediction of a cold resume.

use std::collections::{BTreeMap, BTreeSet};

use super::canonical::canonical;
use super::choices::{
    Injection, Instructions, Ordinals, RepeatedSettings, ResumeWrites, Tail, Unfinished,
};
use super::load::{Mode, Refusal, Rollout, load};
use super::project::project;
use super::record::{Body, Skipped};
use super::replay::{Replay, replay};
use super::scan::scan;
use crate::{
    ANSWER, Answer, Edition, Effect, End, Entry, Fate, Home, Id, Identity, Injected, Item, Json,
    Markers, Operation, Outcome, PROBE, Prediction, Settings, Time, Written,
};

/// What `edition` makes of `operation` on a home with these session files.
pub fn predict(
    edition: &Edition,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> Prediction {
    let Operation::Resume { thread, entry } = operation;
    let untouched = || home.keys().map(|path| (path.clone(), Effect::Untouched)).collect();
    let refused = |code, message: String| Prediction {
        outcome: Outcome {
            answer: Some(Answer::Refused { code, message }),
            disk: Some(untouched()),
            ..Outcome::default()
        },
        fates: Vec::new(),
    };
    let Some(path) = find(home, thread, entry) else {
        return refused(-32600, format!("no rollout found for thread id {thread}"));
    };
    let choices = &edition.codex;
    let rollout = match load(&home[path].content.0, choices) {
        Ok(rollout) => rollout,
        Err(refusal) => return refused(-32603, message(&refusal, path)),
    };
    let mode = rollout.mode();
    let scan = scan(&rollout.records, mode, choices, markers);
    let replay = replay(&rollout.records, scan, choices, markers);
    let meta = rollout.meta();
    let settings = Settings {
        model: model(&rollout).unwrap_or("mock-model").to_owned(),
        provider: meta.model_provider.as_deref().unwrap_or("mock").to_owned(),
        cwd: meta.cwd.clone().into_owned(),
    };
    let injects = choices.injection == Injection::Always || !replay.baseline();
    let turn = Turn {
        rollout: &rollout,
        injects,
        repeats: !scan.settings || replay.plain_compaction,
        settings: &settings,
    };
    let mut disk: BTreeMap<String, Effect> = untouched();
    disk.insert(path.clone(), turn.effect(edition));
    let outcome = Outcome {
        answer: Some(Answer::Ok),
        context: Some(context(&rollout, &replay, &settings, injects, edition)),
        turns: Some(project(&rollout.records, mode, choices)),
        identity: Some(Identity {
            thread: Id::Known(meta.id.clone().into_owned()),
            forked_from: meta.forked_from_id.clone().map(|id| Id::Known(id.into_owned())),
            mode: match mode {
                Mode::Legacy => "legacy",
                Mode::Paginated => "paginated",
            }
            .to_owned(),
            file: path.clone(),
            preview: preview(&rollout),
        }),
        settings: Some(settings.clone()),
        disk: Some(disk),
    };
    let fates = fates(&rollout, &replay, scan.base);
    Prediction { outcome: canonical(outcome, home, thread, markers), fates }
}

/// Every id that the session files hold: of threads, of turns.
pub(super) fn ids(home: &Home) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for line in home.values().flat_map(|file| file.content.0.split(|byte| *byte == b'\n')) {
        let Some(json) = std::str::from_utf8(line).ok().and_then(Json::parse) else { continue };
        let payload = json.get("payload");
        for key in ["id", "turn_id", "thread_id", "forked_from_id"] {
            let id = payload.and_then(|payload| payload.get(key)).and_then(Json::as_str);
            ids.extend(id.map(str::to_owned));
        }
    }
    ids
}

/// The base instructions that the thread's file records.
pub fn base_instructions(home: &Home, thread: &str) -> Option<String> {
    let path = find(home, thread, &Entry::Id)?;
    home[path].content.0.split(|byte| *byte == b'\n').find_map(|line| {
        let json = Json::parse(std::str::from_utf8(line).ok()?)?;
        let meta = json
            .get("payload")
            .filter(|_| json.get("type").and_then(Json::as_str) == Some("session_meta"))?;
        Some(meta.get("base_instructions")?.get("text")?.as_str()?.to_owned())
    })
}

/// The file of a thread: the newest active one whose name carries its id (CX-FMT-01, CX-LIST-04).
fn find<'h>(home: &'h Home, thread: &str, entry: &Entry) -> Option<&'h String> {
    match entry {
        Entry::Path(path) => home.get_key_value(path).map(|(path, _)| path),
        Entry::Id => {
            let end = format!("-{thread}.jsonl");
            home.keys().rfind(|path| path.starts_with("sessions/") && path.ends_with(&end))
        }
    }
}

fn message(refusal: &Refusal, path: &str) -> String {
    let text = match refusal {
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

/// The model of the newest turn (CX-FMT-08).
fn model<'r>(rollout: &'r Rollout<'_>) -> Option<&'r str> {
    rollout.records.iter().rev().find_map(|record| match &record.body {
        Body::TurnContext { model, .. } => Some(&**model),
        _ => None,
    })
}

/// The first thing that a user said.
fn preview(rollout: &Rollout<'_>) -> String {
    let said = rollout.records.iter().find_map(|record| match &record.body {
        Body::UserMessage { text } => Some(text.clone().into_owned()),
        Body::ItemCompleted { item, .. } if item.kind == "UserMessage" => Some(item.text()),
        _ => None,
    });
    said.unwrap_or_default()
}

fn message_item(role: &str, part: &str, text: &str) -> Item {
    Item::Recorded(Json::object([
        ("type", Json::string("message")),
        ("role", Json::string(role)),
        (
            "content",
            Json::Array(vec![Json::object([
                ("type", Json::string(part)),
                ("text", Json::string(text)),
            ])]),
        ),
    ]))
}

/// The context of the turn that follows the resume (CX-REC-12, CX-REC-13, CX-REC-15).
fn context(
    rollout: &Rollout<'_>,
    replay: &Replay<'_>,
    settings: &Settings,
    injects: bool,
    edition: &Edition,
) -> Vec<Item> {
    let mut context = Vec::new();
    if edition.codex.instructions == Instructions::Message {
        context.push(Item::Injected(Injected::Instructions));
    }
    context.extend(replay.history.iter().map(|entry| Item::Recorded(entry.shaped())));
    if edition.codex.unfinished == Unfinished::Marker && ends_in_turn(rollout) {
        context.push(message_item("user", "input_text", "<turn_aborted>"));
    }
    if injects {
        context.extend(injected(settings));
    }
    context.push(Item::Prompt);
    context
}

fn injected(settings: &Settings) -> [Item; 2] {
    [
        Item::Injected(Injected::Permissions),
        Item::Injected(Injected::Environment { cwd: settings.cwd.clone() }),
    ]
}

fn ends_in_turn(rollout: &Rollout<'_>) -> bool {
    let bound = rollout.records.iter().rev().find_map(|record| match record.body {
        Body::TaskStarted { .. } => Some(true),
        Body::TaskComplete { .. } | Body::TurnAborted { .. } => Some(false),
        _ => None,
    });
    bound.unwrap_or(false)
}

/// The records that the resume and its turn append.
struct Turn<'a> {
    rollout: &'a Rollout<'a>,
    injects: bool,
    repeats: bool,
    settings: &'a Settings,
}

impl Turn<'_> {
    fn effect(&self, edition: &Edition) -> Effect {
        let choices = &edition.codex;
        let rollout = self.rollout;
        let records = &rollout.records;
        let mut next = (rollout.mode() == Mode::Paginated).then(|| match choices.ordinals {
            Ordinals::AfterLast => {
                records.last().and_then(|record| record.ordinal).map_or(0, |last| last + 1)
            }
            Ordinals::Count => records.len() as u64,
        });
        let mut written: Vec<Written> = self
            .kinds(edition)
            .into_iter()
            .map(|(kind, in_turn, item)| {
                let ordinal = next;
                next = next.map(|ordinal| ordinal + 1);
                // A new id; which one, canonicalisation decides.
                let turn = in_turn.then(|| Id::Known("new turn".to_owned()));
                Written { kind: kind.to_owned(), ordinal, time: Time::New, turn, item }
            })
            .collect();
        let glued = !rollout.ends_with_newline && choices.tail == Tail::Glued;
        if glued {
            written[0].kind = "damaged".to_owned();
        }
        let newline_first = !rollout.ends_with_newline && choices.tail == Tail::NewlineFirst;
        Effect::Appended { newline_first, records: written }
    }

    /// Kind, whether the record names the turn, and its item (CX-FMT-09, CX-API-04, CX-REC-16).
    fn kinds(&self, edition: &Edition) -> Vec<(&'static str, bool, Option<Item>)> {
        let choices = &edition.codex;
        let legacy = self.rollout.mode() == Mode::Legacy;
        let said = |event| if legacy { event } else { "event_msg/item_completed" };
        let recorded =
            self.rollout.records.iter().any(|record| matches!(record.body, Body::SettingsApplied));
        let mut out = Vec::new();
        if choices.resume_writes == ResumeWrites::Settings && !recorded {
            out.push(("event_msg/thread_settings_applied", false, None));
        }
        out.push(("event_msg/task_started", true, None));
        if self.injects {
            let [permissions, environment] = injected(self.settings);
            out.push(("response_item/message/developer", false, Some(permissions)));
            out.push(("response_item/message/user", false, Some(environment)));
            out.push(("world_state", false, None));
        }
        out.push(("turn_context", true, None));
        if choices.repeated_settings == RepeatedSettings::WithoutBaseline && self.repeats {
            out.push(("event_msg/thread_settings_applied", false, None));
        }
        let prompt = message_item("user", "input_text", PROBE);
        let answer = message_item("assistant", "output_text", ANSWER);
        out.push(("response_item/message/user", false, Some(prompt)));
        out.push((said("event_msg/user_message"), !legacy, None));
        out.push((said("event_msg/agent_message"), !legacy, None));
        out.push(("response_item/message/assistant", false, Some(answer)));
        out.push(("token_usage_record", true, None));
        out.push(("event_msg/token_count", false, None));
        out.push(("event_msg/task_complete", true, None));
        out
    }
}

/// The fate of each line, in file order.
fn fates(rollout: &Rollout<'_>, replay: &Replay<'_>, base: Option<usize>) -> Vec<Fate> {
    let line = |index: usize| rollout.records[index].line;
    let alive: BTreeSet<usize> =
        replay.history.iter().map(|entry| entry.origin).chain(base).collect();
    let mut losses = BTreeMap::new();
    for (index, end, rule, cause) in &replay.losses {
        if !alive.contains(index) {
            losses.entry(*index).or_insert((*end, *rule, *cause));
        }
    }
    let mut fates: Vec<Fate> = (0..rollout.records.len())
        .map(|index| match losses.get(&index) {
            Some((end, rule, cause)) => Fate {
                line: line(index),
                end: *end,
                rule: (*rule).to_owned(),
                cause: (cause != &index).then(|| line(*cause)),
            },
            None => Fate {
                line: line(index),
                end: End::Kept,
                rule: "CX-REC-06".to_owned(),
                cause: None,
            },
        })
        .collect();
    fates.extend(rollout.skipped.iter().map(|(line, why)| {
        Fate {
            line: *line,
            end: End::Dropped,
            rule: match why {
                Skipped::NotJson => "CX-LOAD-03",
                Skipped::Unknown => "CX-LOAD-05",
                Skipped::Ghost => "CX-LOAD-06",
            }
            .to_owned(),
            cause: None,
        }
    }));
    fates.sort_by_key(|fate| fate.line);
    fates
}
