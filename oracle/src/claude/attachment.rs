//! What attachments say to the model (CC-API-19).

use super::choices::{Attachments, Choices};
use super::load::{Entry, Graph, Kind};
use super::said::Conversation;
use super::spelling::respelled;
use crate::{CONFIGURED_MODEL, Home, Injected, Item, Json};

/// Types that say nothing, whatever they hold.
const SILENT: &[&str] = &[
    "deferred_tools_record",
    "companion_intro",
    "verify_plan_reminder",
    "compaction_reminder",
    "prompt_snapshot",
];

/// Types that the program knows and whose texts it gives the system to say.
const OF_THE_SYSTEM: &[&str] = &["environment", "model", "date"];

/// Who says what an attachment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    /// The system, in a message of its own.
    System,
    /// The user, beside what the user says.
    User,
}

/// Who says what for an attachment of the history; none if nobody says anything.
pub(super) fn spoken(entry: &Entry, choices: &Choices) -> Option<(Speaker, Vec<Item>)> {
    if choices.attachments == Attachments::Silent {
        return None;
    }
    let attachment = entry.json.get("attachment")?;
    let kind = attachment.get("type")?.as_str()?;
    if SILENT.contains(&kind) {
        return None;
    }
    let speaker = match entry.json.get("renderedRole").and_then(Json::as_str) {
        Some("user") => Speaker::User,
        Some("system") => Speaker::System,
        _ if OF_THE_SYSTEM.contains(&kind) => Speaker::System,
        _ => Speaker::User,
    };
    let rendered = entry.json.get("rendered").map_or(&[][..], Json::elements);
    let texts = rendered.iter().filter_map(|text| text.get("content"));
    let mut texts: Vec<Json> = texts.map(|it| respelled(it, choices.surrogates)).collect();
    if texts.is_empty() {
        return Some((speaker, vec![computed(kind, attachment, speaker)?]));
    }
    if speaker == Speaker::System {
        let bare = texts.iter().filter_map(Json::as_str).map(unwrapped);
        texts = vec![Json::string(bare.collect::<Vec<_>>().join("\n"))];
    }
    Some((speaker, texts.into_iter().map(said).collect()))
}

/// What the program says for an attachment that does not hold it.
fn computed(kind: &str, attachment: &Json, speaker: Speaker) -> Option<Item> {
    match kind {
        "model" => attachment.get("text").cloned().map(said),
        "environment" => Some(reminder(kind)),
        "date" => Some(match attachment.get("date").and_then(Json::as_str) {
            // Told to a user it can become a part of a result.
            Some(date) if speaker == Speaker::User => {
                let told =
                    format!("<system-reminder>\nToday's date is {date}.\n</system-reminder>");
                said(Json::string(told))
            }
            _ => reminder(kind),
        }),
        "remote_session_change" => Some(reminder("attribution")),
        _ => None,
    }
}

/// One attachment that the program adds behind the prompt.
pub(super) struct Added {
    pub(super) kind: &'static str,
    pub(super) said: Option<(Speaker, Item)>,
}

impl Added {
    /// About how many bytes its line has.
    pub(super) fn size(&self) -> usize {
        match self.kind {
            "environment" => 1487,
            "model" => 651,
            "session_context" => 413,
            "date" => 527,
            "remote_session_change" => 1278,
            _ => 503,
        }
    }
}

/// What the program says of itself behind the prompt, as far as the history does not say it
/// already (CC-API-17).
pub(super) fn added(graph: &Graph, conversation: &Conversation<'_>, planted: &Home) -> Vec<Added> {
    let entries = conversation.said.iter().filter_map(|said| said.entry);
    let last = |kind: &str| entries.clone().rfind(|entry| is(entry, kind));
    // What a run of the program has said is true still.
    let own = |entry: &Entry| graph.is_drawn(entry, planted);
    let member = |kind: &str, name: &str| last(kind)?.json.get("attachment")?.get(name).cloned();
    let identity = Json::object([
        ("modelId", Json::string(CONFIGURED_MODEL)),
        ("marketingName", Json::Null),
        ("knowledgeCutoff", Json::Null),
    ]);
    let mut out = Vec::new();
    let mut add = |kind, speaker: Speaker, name: Option<&str>| {
        let said = name.map(|name| (speaker, reminder(name)));
        out.push(Added { kind, said });
    };
    if !last("environment").is_some_and(own) {
        add("environment", Speaker::System, Some("environment"));
    }
    if member("model", "identity") != Some(identity) {
        add("model", Speaker::System, Some("model"));
    }
    if member("session_context", "context") != Some(Json::Object(Vec::new())) {
        add("session_context", Speaker::System, None);
    }
    match last("date") {
        Some(date) if own(date) => {}
        Some(_) => add("date", Speaker::System, Some("new date")),
        None => add("date", Speaker::System, Some("date")),
    }
    if !last("remote_session_change").is_some_and(own) {
        add("remote_session_change", Speaker::User, Some("attribution"));
    }
    if last("prompt_snapshot").is_none() {
        add("prompt_snapshot", Speaker::System, None);
    }
    out
}

/// Whether the tools are noted down behind the answer: the last note does not hold any.
pub(super) fn notes_tools(conversation: &Conversation<'_>) -> bool {
    let entries = conversation.said.iter().filter_map(|said| said.entry);
    let last = entries.rev().find(|entry| is(entry, "prompt_snapshot"));
    let tools = last.and_then(|entry| entry.json.get("attachment")?.get("tools"));
    !super::key::truthy(tools)
}

fn is(entry: &Entry, kind: &str) -> bool {
    let of = entry.json.get("attachment").and_then(|attachment| attachment.get("type"));
    entry.kind == Kind::Attachment && of.and_then(Json::as_str) == Some(kind)
}

fn reminder(kind: &str) -> Item {
    Item::Injected(Injected::Reminder(kind.to_owned()))
}

fn said(text: Json) -> Item {
    Item::Recorded(Json::object([("type", Json::string("text")), ("text", text)]))
}

/// A text without the tags that mark it as a reminder.
fn unwrapped(text: &str) -> &str {
    let inner = text.strip_prefix("<system-reminder>\n");
    inner.and_then(|inner| inner.strip_suffix("\n</system-reminder>")).unwrap_or(text)
}
