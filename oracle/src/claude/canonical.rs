//! One canonical form for predictions and observations.

use std::collections::{BTreeMap, HashSet};

use base16ct::lower::encode_string;
use memchr::memmem;
use sha2::{Digest as _, Sha256};

use super::flaw::INTERNAL_ERROR;
use super::said::{self, TOOL_INTERRUPTED};
use crate::{
    ANSWER, Answer, Effect, Home, Id, Injected, Item, Json, Outcome, PROBE, Time, Written,
};

/// SHA-256 of the text that [`TOOL_INTERRUPTED`] stands for, in hex.
const TOOL_INTERRUPTED_SHA256: &str =
    "de08a1a2b42fd587decbf797282f5e72eb92e827b98ec32d0cc18207d525a423";

/// How the texts begin that the program adds by itself, and what they are called (CC-API-17).
const REMINDERS: &[(&str, &str)] = &[
    ("<system-reminder>\nAttribution for git commits", "attribution"),
    ("<system-reminder>\nAs you answer the user's questions", "user context"),
    ("# Environment\n", "environment"),
    ("You are powered by the model ", "model"),
    ("Today's date is ", "date"),
    ("<system-reminder>\nToday's date is ", "date"),
    ("This session was running agent '", "lost agent"),
    ("The date has changed. Today's date is now ", "new date"),
];

/// What the engines say of a fault in the program (CC-FILE-13).
const INTERNALS: &[&str] = &[
    "undefined is not ",
    "null is not ",
    " is not a function",
    " is not an Object",
    "Cannot read properties of ",
    "Cannot use 'in' operator ",
    "Spread syntax requires ",
];

/// How the text of a reminder begins.
pub fn reminder_start(name: &str) -> Option<&'static str> {
    REMINDERS.iter().find(|(_, known)| *known == name).map(|(start, _)| *start)
}

/// Brings an outcome into the form in which outcomes are compared; `before` are the session files
/// before the operation, and what they hold, `known` ids among it, is not new.
pub(super) fn canonical(mut outcome: Outcome, before: &Home, known: &HashSet<String>) -> Outcome {
    let mut symbols = Symbols { known, fresh: BTreeMap::new() };
    if let Some(identity) = &mut outcome.identity {
        symbols.bind(&mut identity.thread);
    }
    if let Some(Answer::Refused { message, .. }) = &mut outcome.answer {
        *message = without_internals(std::mem::take(message));
    }
    let held = |text: &str| holds(before, text);
    for item in outcome.context.iter_mut().flatten() {
        name_injected(item, &held);
        tidy(item);
    }
    if let Some(Item::Message { parts, .. }) = outcome.context.iter_mut().flatten().rfind(is_user) {
        name_last(parts, PROBE, Item::Prompt);
    }
    if let Some(disk) = outcome.disk.take() {
        let mut renamed = |(path, effect): (String, Effect)| match effect {
            Effect::Created { .. } => (symbols.path(path), effect),
            effect => (path, effect),
        };
        outcome.disk = Some(disk.into_iter().map(&mut renamed).collect());
    }
    for effect in outcome.disk.iter_mut().flat_map(BTreeMap::values_mut) {
        let (Effect::Appended { records, .. } | Effect::Created { records }) = effect else {
            continue;
        };
        records.iter_mut().for_each(|record| name_record(record, &mut symbols));
    }
    outcome
}

/// Names what earlier operations of a scenario made: it stands in the files `before` this one and
/// not in those that were `planted` before the first.
pub(crate) fn name_earlier(outcome: &mut Outcome, planted: &Home, before: &Home) {
    let mut seen: HashSet<String> = ids(planted).collect();
    let drawn: Vec<String> = ids(before).filter(|id| seen.insert(id.clone())).collect();
    outcome.name_drawn(&drawn);
    for item in outcome.context.iter_mut().flatten() {
        name_injected(item, &|text| holds(planted, text));
    }
}

fn is_user(item: &&mut Item) -> bool {
    matches!(item, Item::Message { role, .. } if role == "user")
}

/// Texts that the program adds become symbols, unless the session holds them.
fn name_injected(item: &mut Item, held: &dyn Fn(&str) -> bool) {
    let Item::Message { role, parts } = item else { return };
    if role == "system" {
        // One text of the system stands for several: each blank line parts them.
        *parts = parts.drain(..).flat_map(paragraphs).collect();
    }
    for part in parts {
        let known = text_of(part).filter(|text| !held(text)).and_then(reminder);
        if let Some(known) = known {
            *part = known;
        }
    }
}

fn paragraphs(part: Item) -> Vec<Item> {
    match text_of(&part) {
        Some(text) => text.split("\n\n").map(|text| Item::Recorded(said::text(text))).collect(),
        None => vec![part],
    }
}

/// The reminder that a text of the program is.
fn reminder(text: &str) -> Option<Item> {
    let (_, name) = REMINDERS.iter().find(|(start, _)| text.starts_with(start))?;
    Some(Item::Injected(Injected::Reminder((*name).to_owned())))
}

/// The last part, if it is this text.
fn name_last(parts: &mut [Item], text: &str, symbol: Item) {
    if let Some(last) = parts.last_mut()
        && text_of(last) == Some(text)
    {
        *last = symbol;
    }
}

fn text_of(part: &Item) -> Option<&str> {
    let Item::Recorded(json) = part else { return None };
    (json.get("type")?.as_str()? == "text").then(|| json.get("text")?.as_str())?
}

fn name_record(record: &mut Written, symbols: &mut Symbols<'_>) {
    let ids = [&mut record.id, &mut record.parent, &mut record.thread];
    ids.into_iter().flatten().for_each(|id| symbols.bind(id));
    // A copy keeps its time.
    let is_copy = matches!(record.id, Some(Id::Known(_)));
    if let Time::Other(text) = &record.time
        && is_time(text)
        && !is_copy
    {
        record.time = Time::New;
    }
    match &mut record.item {
        Some(Item::Message { role, parts }) => {
            let (text, symbol) = match role.as_str() {
                "user" => (PROBE, Item::Prompt),
                _ => (ANSWER, Item::Answer),
            };
            name_last(parts, text, symbol);
            if role == "assistant"
                && let Some(said) = parts.last().and_then(text_of).map(str::to_owned)
                && let Some(last) = parts.last_mut()
            {
                let told = without_internals(said.clone());
                if told != said {
                    *last = Item::Recorded(said::text(&told));
                }
            }
        }
        Some(item) if *item == Item::Recorded(Json::string(PROBE)) => *item = Item::Prompt,
        Some(Item::Recorded(Json::String(said))) => {
            if let Some(known) = reminder(said).filter(|_| !is_copy) {
                record.item = Some(known);
            }
        }
        _ => {}
    }
    if let Some(item) = &mut record.item {
        tidy(item);
    }
}

/// Sorted keys, and tokens in place of texts.
fn tidy(item: &mut Item) {
    match item {
        Item::Message { parts, .. } => parts.iter_mut().for_each(tidy),
        Item::Recorded(json) => *json = sorted(std::mem::replace(json, Json::Null)),
        _ => {}
    }
}

fn sorted(json: Json) -> Json {
    match json {
        Json::Object(members) => {
            let mut members: Vec<_> =
                members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            Json::Object(members)
        }
        Json::Array(elements) => Json::Array(elements.into_iter().map(sorted).collect()),
        Json::String(text) if is_tool_interrupted(&text) => Json::string(TOOL_INTERRUPTED),
        Json::String(text) => Json::String(without_internals(text)),
        other => other,
    }
}

fn is_tool_interrupted(text: &str) -> bool {
    text.starts_with("[Tool call interrupted:")
        && encode_string(&Sha256::digest(text.as_bytes())) == TOOL_INTERRUPTED_SHA256
}

/// A message of the program without what its engine says of a fault in it.
fn without_internals(text: String) -> String {
    if !INTERNALS.iter().any(|words| text.contains(words)) {
        return text;
    }
    let known = "Failed to resume session: ";
    let start = if text.starts_with(known) { known } else { "" };
    format!("{start}{INTERNAL_ERROR}")
}

/// As the program writes it: RFC 3339 in UTC with milliseconds.
fn is_time(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00.000Z"
}

/// Whether a text stands in a session file.
fn holds(home: &Home, text: &str) -> bool {
    let quoted = Json::string(text).to_string();
    let inner = &quoted.as_bytes()[1..quoted.len() - 1];
    home.values().any(|file| memmem::find(&file.content.0, inner).is_some())
}

/// Ids of entries and sessions, in the order in which the files hold them.
pub(super) fn ids(home: &Home) -> impl Iterator<Item = String> {
    let lines = home.values().flat_map(|file| file.content.0.split(|byte| *byte == b'\n'));
    let json = lines.filter_map(|line| Json::parse(&String::from_utf8_lossy(line)));
    let names = home.keys().filter_map(|path| path.rsplit('/').next()?.strip_suffix(".jsonl"));
    names.map(str::to_owned).chain(json.flat_map(|json| {
        let of = |key: &str| json.get(key).and_then(Json::as_str).map(str::to_owned);
        ["uuid", "parentUuid", "leafUuid", "sessionId"]
            .into_iter()
            .filter_map(of)
            .collect::<Vec<_>>()
    }))
}

/// Ids that the session held, and names for the others.
struct Symbols<'k> {
    known: &'k HashSet<String>,
    fresh: BTreeMap<String, usize>,
}

impl Symbols<'_> {
    /// The path of a new file, with a symbol for a new id.
    fn path(&mut self, path: String) -> String {
        let Some((folder, name)) = path.rsplit_once('/') else { return path };
        let Some(stem) = name.strip_suffix(".jsonl") else { return path };
        let mut id = Id::Known(stem.to_owned());
        self.bind(&mut id);
        match id {
            Id::Fresh(n) => format!("{folder}/{{{{FRESH_{n}}}}}.jsonl"),
            _ => path,
        }
    }

    fn bind(&mut self, id: &mut Id) {
        let Id::Known(text) = id else { return };
        if self.known.contains(text) {
            return;
        }
        let next = self.fresh.len();
        *id = Id::Fresh(*self.fresh.entry(text.clone()).or_insert(next));
    }
}
