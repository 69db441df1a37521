//! What a message of the wrong shape ends, in releases that do not pass it over (CC-FILE-13).

use super::choices::{Choices, Shapes};
use super::key::truthy;
use super::load::{Entry, Graph, Kind, is_text};
use super::said::{Content, Conversation, Said, is};
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

/// Whether an entry, wherever it stands, ends the search for what parallel calls have left: there is
/// one if the chain has an answer.
pub(super) fn ends_search(graph: &Graph, chain: &[usize], choices: &Choices) -> bool {
    let is_bad = |entry: &Entry| {
        entry.speaks()
            && (matches!(entry.json.get("message"), None | Some(Json::Null))
                || entry.kind == Kind::User && holds_null(entry))
    };
    let has_answer = || chain.iter().any(|at| graph.entries[*at].kind == Kind::Assistant);
    choices.shapes != Shapes::Skipped && graph.entries.iter().any(is_bad) && has_answer()
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
    let is_bare =
        |entry: &Entry| entry.kind == Kind::Attachment && entry.json.get("attachment").is_none();
    if choices.shapes != Shapes::Skipped && chain.clone().any(is_bare) {
        return true;
    }
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
    let said = &conversation.said;
    // The tokens of what follows the last answer that tells its own are counted before anything
    // else is done.
    let tells = |said: &Said<'_>| {
        said.kind == Kind::Assistant && message(said).is_some_and(|it| truthy(it.get("usage")))
    };
    let told = said.iter().rposition(tells);
    // Whether no other answer stands between it and that one.
    let is_next = |at: usize| {
        let between = said[at + 1..told.unwrap_or(at).max(at + 1)].iter();
        !between.clone().any(|said| said.kind == Kind::Assistant)
    };
    let failures = said.iter().enumerate().filter_map(|(at, said)| {
        let failure = fails(said, choices)?;
        let is_word = said.kind == Kind::Assistant && !matches!(message(said)?, Json::Object(_));
        let is_nothing = said.content == Content::Text(Json::Null);
        Some(match told {
            _ if is_word && is_next(at) => Failure::Mute,
            Some(told) if at < told => Failure::Told,
            Some(told) if at == told && is_nothing => Failure::Mute,
            Some(told) if at == told => Failure::Told,
            _ => failure,
        })
    });
    failures.max()
}

/// How something that was said fails when its tokens are counted, or later.
fn fails(said: &Said<'_>, choices: &Choices) -> Option<Failure> {
    match (&said.content, said.kind) {
        (Content::Text(Json::Null), Kind::User | Kind::Assistant) => Some(Failure::Told),
        (Content::Text(Json::String(_) | Json::Opaque(_)), kind) => {
            (kind == Kind::Assistant).then_some(Failure::Told)
        }
        (Content::Text(_), Kind::User | Kind::Assistant) => Some(Failure::Mute),
        (Content::Blocks(blocks), Kind::Assistant) => {
            let is_bare = |block: &Json| !matches!(block, Json::Object(_) | Json::Array(_));
            blocks.iter().any(is_bare).then_some(Failure::Told)
        }
        (Content::Blocks(blocks), Kind::User) if choices.shapes == Shapes::EndsResume => blocks
            .iter()
            .filter(|block| is(block, "text"))
            .find_map(|block| match block.get("text") {
                Some(text) if is_text(text) => None,
                Some(text) if truthy(Some(text)) => Some(Failure::Told),
                _ => Some(Failure::Mute),
            }),
        _ => None,
    }
}

fn message<'g>(said: &Said<'g>) -> Option<&'g Json> {
    said.entry?.json.get("message")
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
            Some(text) => return !is_text(text),
        }
    }
    false
}
