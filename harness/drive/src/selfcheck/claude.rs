//! What Claude Code would show.

use forkproof_oracle::claude::reminder_start;
use forkproof_oracle::{
    ANSWER, Answer, Home, Injected, Item, Json, Observed, Outcome, PROBE, Reply, Time, Written,
};

use super::{after, id_json, object, text};

/// Where the home of a program that does not exist would lie.
const ROOT: &str = "/home/forkproof/.claude";

/// The raw exchange that has this outcome.
pub(super) fn show(outcome: Outcome, before: &Home) -> Observed {
    let request = outcome.context.as_ref().map(|context| {
        object(vec![("messages", Json::Array(context.iter().map(item_json).collect()))])
    });
    let reply = match &outcome.answer {
        Some(Answer::Refused { code, message }) => {
            let message = message.replace("<CLAUDE_CONFIG_DIR>", ROOT);
            Reply::Error { code: *code, message }
        }
        _ => {
            let id = outcome.identity.iter().map(|it| ("session_id", id_json(&it.thread)));
            Reply::Result(object(id.collect()))
        }
    };
    let after = after(&outcome, before, &record_json);
    Observed { root: ROOT.to_owned(), before: before.clone(), after, reply, request }
}

/// A message, or what stands in one or on a line.
fn item_json(item: &Item) -> Json {
    let block = |said: &str| object(vec![("type", text("text")), ("text", text(said))]);
    match item {
        Item::Message { role, parts } => object(vec![
            ("role", text(role)),
            ("content", Json::Array(parts.iter().map(item_json).collect())),
        ]),
        Item::Recorded(json) => json.clone(),
        Item::Prompt => block(PROBE),
        Item::Answer => block(ANSWER),
        Item::Injected(Injected::Reminder(name)) => block(reminder_start(name).unwrap_or_default()),
        Item::Injected(_) => Json::Null,
    }
}

/// A line of this kind: its type, what further parts of the kind are, and who says what.
fn record_json(record: &Written) -> Json {
    let mut parts = record.kind.split('/');
    let kind = parts.next().unwrap_or_default();
    let mut members = vec![("type", text(kind))];
    for part in parts {
        members.push(match (kind, part) {
            (_, "meta") => ("isMeta", Json::Bool(true)),
            ("queue-operation", _) => ("operation", text(part)),
            ("attachment", _) => ("attachment", object(vec![("type", text(part))])),
            _ => ("subtype", text(part)),
        });
    }
    members.extend(record.id.iter().map(|id| ("uuid", id_json(id))));
    let parent = if kind == "last-prompt" { "leafUuid" } else { "parentUuid" };
    members.extend(record.parent.iter().map(|id| (parent, id_json(id))));
    members.extend(record.thread.iter().map(|id| ("sessionId", id_json(id))));
    match &record.time {
        Time::Absent => {}
        Time::New => members.push(("timestamp", text("2026-01-01T00:00:00.000Z"))),
        Time::Other(time) => members.push(("timestamp", text(time))),
    }
    members.extend(record.item.iter().map(|item| match item {
        Item::Message { .. } => ("message", item_json(item)),
        Item::Prompt => ("content", text(PROBE)),
        Item::Injected(Injected::Reminder(name)) => {
            ("content", text(reminder_start(name).unwrap_or_default()))
        }
        item => ("content", item_json(item)),
    }));
    object(members)
}
