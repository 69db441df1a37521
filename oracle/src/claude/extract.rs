//! From a raw exchange to an outcome.

use super::canonical::{canonical, ids};
use super::session::{NEW_ID, is_uuid};
use crate::disk::disk;
use crate::{
    Answer, Entry, Id, Identity, Item, Json, Observed, Operation, Outcome, Reply, Time, Written,
};

/// Members that lines of metadata say something in.
const SAID: &[&str] = &[
    "lastPrompt",
    "content",
    "customTitle",
    "aiTitle",
    "tag",
    "agentName",
    "agentColor",
    "agentSetting",
    "mode",
    "permissionMode",
    "atis",
    "tools",
    "worktreeSession",
    "prNumber",
];

/// The canonical outcome that was observed.
pub(crate) fn extract(observed: &Observed, operation: &Operation) -> Outcome {
    let Operation::Resume { entry, .. } = operation;
    let mut outcome = Outcome { disk: Some(disk(observed, written)), ..Outcome::default() };
    match &observed.reply {
        Reply::Error { code, message } => {
            let message = message.replace(&observed.root, "<CLAUDE_CONFIG_DIR>");
            // A file that is not there has an id that the program draws.
            let message = match message.rsplit_once(' ') {
                Some((told, id)) if matches!(entry, Entry::Path(_)) && is_uuid(id) => {
                    format!("{told} {NEW_ID}")
                }
                _ => message,
            };
            outcome.answer = Some(Answer::Refused { code: *code, message });
        }
        Reply::Result(result) => {
            outcome.answer = Some(Answer::Ok);
            outcome.identity = identity(result);
            outcome.context = observed.request.as_ref().and_then(context);
        }
    }
    canonical(outcome, &observed.before, &ids(&observed.before).collect())
}

fn context(request: &Json) -> Option<Vec<Item>> {
    let Json::Array(messages) = request.get("messages")? else { return None };
    messages.iter().map(message).collect()
}

/// One message; text in place of blocks is one block of text.
pub(super) fn message(message: &Json) -> Option<Item> {
    let role = message.get("role")?.as_str()?.to_owned();
    let blocks = match message.get("content")? {
        Json::Array(blocks) => blocks.iter().map(plain).collect(),
        text => vec![Json::object([("type", Json::string("text")), ("text", text.clone())])],
    };
    Some(Item::Message { role, parts: blocks.into_iter().map(Item::Recorded).collect() })
}

/// A block without the hint of what to cache.
fn plain(block: &Json) -> Json {
    match block {
        Json::Object(members) => {
            let keep = |(name, _): &&(String, Json)| name != "cache_control";
            Json::Object(members.iter().filter(keep).cloned().collect())
        }
        other => other.clone(),
    }
}

fn identity(result: &Json) -> Option<Identity> {
    let thread = result.get("session_id")?.as_str()?.to_owned();
    Some(Identity {
        file: None,
        thread: Id::Known(thread),
        forked_from: None,
        mode: None,
        preview: None,
    })
}

fn written(bytes: &[u8]) -> Vec<Written> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let mut records: Vec<Written> = bytes.split(|byte| *byte == b'\n').map(record).collect();
    // How many lines account for a request depends on what it shares with earlier ones.
    records.iter_mut().filter(|it| it.kind.starts_with("api-request")).for_each(|record| {
        *record = Written {
            kind: "api-request".to_owned(),
            thread: record.thread.take(),
            ..Written::default()
        };
    });
    records.dedup_by(|a, b| a.kind == "api-request" && a == b);
    records
}

fn record(line: &[u8]) -> Written {
    let json = std::str::from_utf8(line).ok().and_then(Json::parse);
    json.and_then(|json| read_record(&json)).unwrap_or_else(|| Written {
        kind: "damaged".to_owned(),
        time: Time::Other(String::from_utf8_lossy(line).into_owned()),
        ..Written::default()
    })
}

pub(super) fn read_record(json: &Json) -> Option<Written> {
    let text = |json: &Json, key: &str| Some(json.get(key)?.as_str()?.to_owned());
    let mut kind = text(json, "type")?;
    let attachment = json.get("attachment").and_then(|it| text(it, "type"));
    let of = [text(json, "subtype"), text(json, "operation"), attachment];
    for part in of.into_iter().flatten() {
        kind = format!("{kind}/{part}");
    }
    if json.get("isMeta") == Some(&Json::Bool(true)) {
        kind.push_str("/meta");
    }
    // What a line of metadata says.
    let said = SAID.iter().filter(|_| json.get("message").is_none());
    let said = said.filter_map(|member| json.get(member)).next();
    let parent = text(json, "parentUuid").or_else(|| text(json, "leafUuid"));
    Some(Written {
        kind,
        id: text(json, "uuid").map(Id::Known),
        parent: parent.map(Id::Known),
        thread: text(json, "sessionId").map(Id::Known),
        time: text(json, "timestamp").map_or(Time::Absent, Time::Other),
        item: json.get("message").and_then(message).or_else(|| said.cloned().map(Item::Recorded)),
        ..Written::default()
    })
}
