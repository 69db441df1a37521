//! From a raw exchange to an outcome.

use super::archive::unpacked;
use super::canonical::{INSTRUCTIONS, canonical};
use super::known::Known;
use super::refusal::said_once;
use crate::disk::disk;
use crate::{
    Answer, Id, Identity, Item, Json, Markers, Observed, Operation, Outcome, Reply, Settings, Time,
    Turn, TurnItem, Written,
};

/// The canonical outcome that was observed.
pub(crate) fn extract(observed: &Observed, operation: &Operation, markers: &Markers) -> Outcome {
    let Operation::Resume { thread, .. } = operation;
    let mut outcome = Outcome { disk: Some(disk(observed, written)), ..Outcome::default() };
    match &observed.reply {
        Reply::Error { code, message } => {
            let message = said_once(&message.replace(&observed.root, "<CODEX_HOME>"));
            outcome.answer = Some(Answer::Refused { code: *code, message });
        }
        Reply::Result(result) => {
            outcome.answer = Some(Answer::Ok);
            outcome.turns = result.get("thread").and_then(turns);
            outcome.identity = result.get("thread").and_then(|thread| identity(thread, observed));
            outcome.settings = settings(result);
            outcome.context = observed.request.as_ref().and_then(context);
        }
    }
    canonical(outcome, &Known::of(&unpacked(&observed.before), thread), markers)
}

fn context(request: &Json) -> Option<Vec<Item>> {
    let Json::Array(input) = request.get("input")? else { return None };
    // Some releases send the base instructions beside the messages.
    let field = request.get("instructions").and_then(Json::as_str).filter(|text| !text.is_empty());
    let field = field.map(|text| Json::message(INSTRUCTIONS, "input_text", text));
    Some(field.into_iter().chain(input.iter().cloned()).map(Item::Recorded).collect())
}

fn turns(thread: &Json) -> Option<Vec<Turn>> {
    let Json::Array(turns) = thread.get("turns")? else { return None };
    turns.iter().map(turn).collect()
}

fn turn(turn: &Json) -> Option<Turn> {
    Some(Turn {
        id: Id::Known(turn.get("id")?.as_str()?.to_owned()),
        status: turn.get("status")?.as_str()?.to_owned(),
        items: turn.get("items")?.elements().iter().map(turn_item).collect::<Option<_>>()?,
    })
}

fn turn_item(item: &Json) -> Option<TurnItem> {
    let kind = item.get("type")?.as_str()?.to_owned();
    let parts = item.get("content").map_or(&[][..], Json::elements);
    let text_of = |json: &Json| json.get("text").and_then(Json::as_str).map(str::to_owned);
    let text = text_of(item)
        .or_else(|| (!parts.is_empty()).then(|| parts.iter().filter_map(text_of).collect()));
    Some(TurnItem { kind, text })
}

fn identity(thread: &Json, observed: &Observed) -> Option<Identity> {
    let text = |key: &str| Some(thread.get(key)?.as_str()?.to_owned());
    let file = text("path")?;
    let inside = file.strip_prefix(&observed.root).map(|rest| rest.trim_start_matches('/'));
    Some(Identity {
        thread: Id::Known(text("id")?),
        forked_from: text("forkedFromId").map(Id::Known),
        mode: text("historyMode"),
        file: Some(inside.unwrap_or(&file).to_owned()),
        preview: text("preview"),
    })
}

fn settings(result: &Json) -> Option<Settings> {
    let text = |key: &str| Some(result.get(key)?.as_str()?.to_owned());
    Some(Settings { model: text("model")?, provider: text("modelProvider")?, cwd: text("cwd")? })
}

pub(super) fn written(bytes: &[u8]) -> Vec<Written> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.split(|byte| *byte == b'\n').map(record).collect()
}

fn record(line: &[u8]) -> Written {
    let damaged = || Written {
        kind: "damaged".to_owned(),
        time: Time::Other(String::from_utf8_lossy(line).into_owned()),
        item: None,
        ..Written::default()
    };
    let json = std::str::from_utf8(line).ok().and_then(Json::parse);
    json.and_then(|json| read_record(&json)).unwrap_or_else(damaged)
}

fn read_record(json: &Json) -> Option<Written> {
    let payload = json.get("payload")?;
    let text = |json: &Json, key: &str| Some(json.get(key)?.as_str()?.to_owned());
    let mut kind = text(json, "type")?;
    for part in [text(payload, "type"), text(payload, "role")].into_iter().flatten() {
        kind = format!("{kind}/{part}");
    }
    let item = kind.starts_with("response_item/").then(|| Item::Recorded(payload.clone()));
    Some(Written {
        kind,
        ordinal: json.get("ordinal").and_then(Json::as_i64).and_then(|n| u64::try_from(n).ok()),
        time: Time::Other(text(json, "timestamp")?),
        turn: text(payload, "turn_id").map(Id::Known),
        item,
        ..Written::default()
    })
}
