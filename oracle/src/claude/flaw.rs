//! What a message of the wrong shape ends, in releases that do not pass it over (CC-FILE-13).

use super::choices::{Choices, Shapes};
use super::key::truthy;
use super::load::{Entry, Graph, Kind};
use super::said::{Content, Conversation, is};
use crate::Json;

/// What stands for the words of the program's engine on a fault in it.
pub(super) const INTERNAL_ERROR: &str = "{{INTERNAL_ERROR}}";

/// How a turn fails; of several ways the last.
/// Of several the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Failure {
    /// The error stands in place of an answer.
    Told,
    /// Nothing does.
    Mute,
}

/// Whether an entry, wherever it stands, ends the resume.
pub(super) fn ends_load(graph: &Graph, choices: &Choices) -> bool {
    let is_bad = |entry: &Entry| {
        entry.speaks()
            && (matches!(entry.json.get("message"), None | Some(Json::Null))
                || entry.kind == Kind::User && holds_null(entry))
    };
    choices.shapes != Shapes::Skipped && graph.entries.iter().any(is_bad)
}

/// Whether an entry of the chain ends the resume.
pub(super) fn ends_resume(graph: &Graph, chain: &[usize], choices: &Choices) -> bool {
    let mut chain = chain.iter().map(|at| &graph.entries[*at]);
    let is_bad = |entry: &Entry| {
        entry.kind == Kind::Assistant
            && (holds_null(entry)
                || choices.shapes == Shapes::EndsResume
                    && (!matches!(content(entry), Some(Json::Array(_))) || trims_no_text(entry)))
    };
    let spoken = chain.clone().rfind(|entry| entry.speaks());
    let open = spoken.is_some_and(|entry| {
        entry.kind == Kind::User && matches!(content(entry), None | Some(Json::Null))
    });
    match choices.shapes {
        Shapes::Skipped => false,
        Shapes::EndsTurn => open || chain.any(is_bad),
        Shapes::EndsResume => chain.any(is_bad),
    }
}

/// How the turn on a conversation fails, if it does.
pub(super) fn ends_turn(conversation: &Conversation<'_>, choices: &Choices) -> Option<Failure> {
    if choices.shapes == Shapes::Skipped {
        return None;
    }
    let early = choices.shapes == Shapes::EndsResume;
    let failures = conversation.said.iter().filter_map(|said| match (&said.content, said.kind) {
        (Content::Text(Json::Null), Kind::Assistant) if is_counted(said.entry?) => {
            Some(Failure::Mute)
        }
        (Content::Text(Json::Null), Kind::User | Kind::Assistant) => Some(Failure::Told),
        (Content::Text(Json::String(_) | Json::Opaque(_)), Kind::Assistant) => Some(Failure::Told),
        (Content::Text(Json::String(_) | Json::Opaque(_)), _) => None,
        (Content::Text(_), Kind::User | Kind::Assistant) => Some(Failure::Mute),
        (Content::Blocks(blocks), Kind::Assistant) => {
            let is_bare = |block: &Json| !matches!(block, Json::Object(_) | Json::Array(_));
            blocks.iter().any(is_bare).then_some(Failure::Told)
        }
        (Content::Blocks(blocks), Kind::User) if early => blocks
            .iter()
            .filter(|block| is(block, "text"))
            .find_map(|block| match block.get("text") {
                Some(Json::String(_)) => None,
                Some(text) if truthy(Some(text)) => Some(Failure::Told),
                _ => Some(Failure::Mute),
            }),
        _ => None,
    });
    failures.max()
}

/// Whether the tokens of an answer are looked at, or it is no object.
fn is_counted(entry: &Entry) -> bool {
    match entry.json.get("message") {
        Some(message @ Json::Object(_)) => truthy(message.get("usage")),
        _ => true,
    }
}

fn content(entry: &Entry) -> Option<&Json> {
    entry.json.get("message")?.get("content")
}

fn holds_null(entry: &Entry) -> bool {
    content(entry).is_some_and(|content| content.elements().contains(&Json::Null))
}

/// Whether a block stands behind nothing but white space whose text is none.
fn trims_no_text(entry: &Entry) -> bool {
    for block in content(entry).map_or(&[][..], Json::elements) {
        match block.get("text") {
            _ if !is(block, "text") => return false,
            Some(Json::String(text)) if !text.trim().is_empty() => return false,
            None | Some(Json::Null | Json::String(_)) => {}
            Some(_) => return true,
        }
    }
    false
}
