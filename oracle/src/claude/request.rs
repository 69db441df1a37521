//! From a conversation to the messages of a request (CC-API).

use super::attachment::{Added, Speaker, spoken};
use super::choices::{Choices, FailedResults, Injection, NamelessAnswers, Thoughts, Virtual};
use super::key::truthy;
use super::load::Kind;
use super::message::{Message, Role, finished, is, json, text_part};
use super::said::{self, Content, Conversation, Said};
use super::spelling::respelled;
use crate::{CONFIGURED_MODEL, Injected, Item, Json, PROBE};

/// The messages that the model is sent, be the first an answer (CC-API-05); `added` is what the program says behind the prompt.
pub(super) fn messages(
    conversation: &Conversation<'_>,
    added: &[Added],
    choices: &Choices,
) -> Vec<Item> {
    let mut pieces = Vec::new();
    if choices.injection == Injection::Start {
        let context = Item::Injected(Injected::Reminder("user context".to_owned()));
        pieces.push(Message::new(Role::User, vec![context]));
    }
    pieces.extend(conversation.said.iter().filter_map(|said| {
        let is_virtual = said.flag("isVirtual") && choices.hidden == Virtual::Hidden;
        let sent = sent(said, choices).filter(|_| !is_virtual);
        // An answer that is not sent stops attachments all the same.
        let hidden = || Message::new(Role::Hidden, Vec::new());
        sent.or_else(|| (said.kind == Kind::Assistant).then(hidden))
    }));
    pieces.push(Message { spelled: true, ..Message::new(Role::User, vec![text_part(PROBE)]) });
    let said = added.iter().filter_map(|added| added.said.clone());
    pieces.extend(said.map(|(speaker, part)| Message::new(note(speaker), vec![part])));
    finished(merged(risen(pieces)), choices)
}

fn note(speaker: Speaker) -> Role {
    match speaker {
        Speaker::System => Role::System,
        Speaker::User => Role::Note,
    }
}

/// What one thing that was said is sent as; none if it is not (CC-API-01, CC-API-02).
fn sent<'g>(said: &Said<'g>, choices: &Choices) -> Option<Message<'g>> {
    let entry = said.entry.map(|entry| &entry.json);
    let respelled = |json: &Json| Item::Recorded(respelled(json, choices.surrogates));
    let block = |text: &Json| {
        respelled(&Json::object([("type", Json::string("text")), ("text", text.clone())]))
    };
    let mut parts = match &said.content {
        Content::Blocks(blocks) => {
            blocks.iter().map(|block| respelled(&failed(block, choices))).collect()
        }
        Content::Text(text) => vec![block(text)],
    };
    let spelled = matches!(said.content, Content::Text(_));
    match said.kind {
        Kind::User => Some(Message { spelled, ..Message::new(Role::User, parts) }),
        Kind::Assistant => {
            let model = entry.and_then(|entry| entry.get("message")?.get("model")?.as_str());
            if said.flag("isApiErrorMessage") && model == Some("<synthetic>") {
                return None;
            }
            if choices.thoughts == Thoughts::Dropped && model != Some(CONFIGURED_MODEL) {
                parts.retain(|part| !is_signed(part));
            }
            let other = || match choices.nameless_answers {
                NamelessAnswers::ByRequest => entry?.get("requestId")?.as_str(),
                // No message has an empty id.
                NamelessAnswers::One => entry.map(|_| ""),
            };
            let id = said.id.or_else(other);
            let message = Message { id, ..Message::new(Role::Assistant, parts) };
            Some(message)
        }
        Kind::System if said.entry?.subtype() == Some("local_command") => {
            Some(Message::new(Role::User, vec![block(entry?.get("content")?)]))
        }
        Kind::System => None,
        Kind::Attachment => {
            let (speaker, parts) = spoken(said.entry?, choices)?;
            Some(Message::new(note(speaker), parts))
        }
    }
}

/// A block, without what is not sent of the result of a call that failed (CC-API-20).
fn failed(block: &Json, choices: &Choices) -> Json {
    let has_failed = said::is(block, "tool_result") && truthy(block.get("is_error"));
    if choices.failed_results == FailedResults::Whole || !has_failed {
        return block.clone();
    }
    block.clone().map_member("content", |content| match content {
        Json::Array(parts) => {
            Json::Array(parts.into_iter().filter(|part| said::is(part, "text")).collect())
        }
        text => text,
    })
}

/// Whether a part is a thought that only its own model can read (CC-API-07).
fn is_signed(part: &Item) -> bool {
    let signature = json(part).and_then(|json| json.get("signature")?.as_str());
    is(part, "redacted_thinking")
        || is(part, "thinking") && signature.is_some_and(|signature| !signature.is_empty())
}

/// Attachments rise over what users say, up to an answer or a result (CC-API-19).
fn risen(pieces: Vec<Message<'_>>) -> Vec<Message<'_>> {
    let (mut out, mut held) = (Vec::new(), Vec::new());
    for piece in pieces.into_iter().rev() {
        match piece.role {
            Role::Note | Role::System => held.push(piece),
            Role::User if !piece.has_results() => out.push(piece),
            Role::User | Role::Assistant | Role::Hidden => {
                out.append(&mut held);
                out.push(piece);
            }
        }
    }
    out.append(&mut held);
    out.reverse();
    out
}

/// What users say in a row becomes one message, and so does what the model says under one id; what
/// the system says follows the user (CC-API-03, CC-API-04).
fn merged(pieces: Vec<Message<'_>>) -> Vec<Message<'_>> {
    let mut out: Vec<Message<'_>> = Vec::new();
    let mut system = Vec::new();
    for piece in pieces {
        match piece.role {
            Role::Hidden => {}
            Role::System => system.extend(piece.parts),
            Role::Assistant => {
                flush(&mut out, &mut system);
                match same_answer(&out, piece.id) {
                    Some(at) => out[at].parts.extend(piece.parts),
                    None => out.push(piece),
                }
            }
            Role::User | Role::Note => {
                match out.last_mut().filter(|last| last.role == Role::User) {
                    Some(last) if piece.role == Role::User => last.join(piece),
                    Some(last) => piece.parts.into_iter().for_each(|part| last.annotate(part)),
                    None => out.push(Message { role: Role::User, ..piece }),
                }
            }
        }
    }
    flush(&mut out, &mut system);
    out
}

/// What the system has to say is a message of its own behind a user's.
fn flush(out: &mut Vec<Message<'_>>, system: &mut Vec<Item>) {
    if system.is_empty() {
        return;
    }
    let behind_user = out.last().is_some_and(|last| last.role == Role::User);
    let role = if behind_user { Role::System } else { Role::User };
    out.push(Message::new(role, std::mem::take(system)));
}

/// The message of the same answer, if only results stand behind it.
fn same_answer(out: &[Message<'_>], id: Option<&str>) -> Option<usize> {
    let id = id?;
    for (at, message) in out.iter().enumerate().rev() {
        match message.role {
            Role::Assistant if message.id == Some(id) => return Some(at),
            Role::User if !message.has_results() => return None,
            _ => {}
        }
    }
    None
}
