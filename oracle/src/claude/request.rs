//! From a conversation to the messages of a request (CC-API).

use std::collections::HashSet;

use super::choices::{BlankTexts, CallOrder, Choices, Injection, OrphanStart, Thoughts, Virtual};
use super::load::Kind;
use super::recover::of_kind;
use super::said::{Content, Conversation, Said, is, is_blank, result, text};
use super::spelling::respelled;
use crate::{CONFIGURED_MODEL, Injected, Item, Json, PROBE};

const NO_CONTENT: &str = "(no content)";
const NO_RESULT: &str = "[Tool result missing due to internal error]";
const INTERRUPTED: &str = "[Tool use interrupted]";
const ORPHAN: &str = "[Orphaned tool result removed due to conversation resume]";

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Message<'g> {
    user: bool,
    blocks: Vec<Json>,
    id: Option<&'g str>,
    /// Whether it is one text that stood in place of blocks.
    spelled: bool,
}

/// The messages that the model is sent, the prompt last.
pub(super) fn messages(conversation: &Conversation<'_>, choices: &Choices) -> Vec<Item> {
    let mut merged = merged(conversation, choices);
    merged.retain_mut(|message| keep(message, choices));
    let mut items: Vec<Item> =
        paired(merged, choices).into_iter().map(|message| item(message, choices)).collect();
    let reminder = |kind: &str| Item::Injected(Injected::Reminder(kind.to_owned()));
    match choices.injection {
        Injection::Prompt => {
            if let Some(Item::Message { parts, .. }) = items.last_mut() {
                parts.insert(0, reminder("attribution"));
            }
            let parts = ["environment", "model", "date"].map(reminder).into();
            items.push(Item::Message { role: "system".to_owned(), parts });
        }
        Injection::Start => {
            if let Some(Item::Message { role, parts }) = items.first_mut()
                && role == "user"
            {
                parts.insert(0, reminder("user context"));
            }
        }
    }
    items
}

fn item(message: Message<'_>, choices: &Choices) -> Item {
    let role = if message.user { "user" } else { "assistant" };
    let blocks = message.blocks.iter().map(|block| respelled(block, choices.surrogates));
    let parts = blocks.map(Item::Recorded).collect();
    Item::Message { role: role.to_owned(), parts }
}

/// What users say in a row becomes one message, and so does what the model says under one id
/// (CC-API-03, CC-API-04).
fn merged<'g>(conversation: &Conversation<'g>, choices: &Choices) -> Vec<Message<'g>> {
    let mut out: Vec<Message<'g>> = Vec::new();
    for said in &conversation.said {
        let hidden = said.flag("isVirtual") && choices.hidden == Virtual::Hidden;
        let Some((user, blocks)) = (!hidden).then(|| sent(said, choices)).flatten() else {
            continue;
        };
        if user {
            say(&mut out, blocks, matches!(said.content, Content::Text(_)));
        } else if let Some(at) = same_answer(&out, said.id) {
            out[at].blocks.extend(blocks);
        } else {
            out.push(Message { user, blocks, id: said.id, spelled: false });
        }
    }
    say(&mut out, vec![text(PROBE)], true);
    out
}

/// Whether a user says it, and its blocks; none if it is not sent (CC-API-01, CC-API-02).
fn sent(said: &Said<'_>, choices: &Choices) -> Option<(bool, Vec<Json>)> {
    let entry = said.entry.map(|entry| &entry.json);
    let blocks = |content: &Content| match content {
        Content::Blocks(blocks) => blocks.clone(),
        Content::Text(text) => vec![block(text.clone())],
    };
    match said.kind {
        Kind::User => Some((true, blocks(&said.content))),
        Kind::Assistant => {
            let model = entry.and_then(|entry| entry.get("message")?.get("model")?.as_str());
            let error = said.flag("isApiErrorMessage") && model == Some("<synthetic>");
            let mut blocks = blocks(&said.content);
            // Tools of the server are not answered by a session (CC-API-08).
            blocks.retain(|block| !is(block, "server_tool_use"));
            if choices.thoughts == Thoughts::Dropped && model != Some(CONFIGURED_MODEL) {
                blocks.retain(|block| !is_signed(block));
                if blocks.is_empty() && !said.blocks().is_empty() {
                    return None;
                }
            }
            (!error).then_some((false, blocks))
        }
        Kind::System if said.entry?.subtype() == Some("local_command") => {
            Some((true, vec![block(entry?.get("content")?.clone())]))
        }
        Kind::System | Kind::Attachment => None,
    }
}

/// Whether a block is a thought that only its own model can read (CC-API-07).
fn is_signed(block: &Json) -> bool {
    let signature = block.get("signature").and_then(Json::as_str);
    is(block, "redacted_thinking")
        || is(block, "thinking") && signature.is_some_and(|signature| !signature.is_empty())
}

fn block(text: Json) -> Json {
    Json::object([("type", Json::string("text")), ("text", text)])
}

/// Adds what a user says: to the last message if that is a user's, results first, and with a line
/// break at a seam of texts.
fn say(out: &mut Vec<Message<'_>>, blocks: Vec<Json>, spelled: bool) {
    let Some(last) = out.last_mut().filter(|last| last.user) else {
        out.push(Message { user: true, blocks, id: None, spelled });
        return;
    };
    if let (Some(end), Some(start)) = (last.blocks.last_mut(), blocks.first())
        && is(end, "text")
        && is(start, "text")
    {
        let broken = |text: Json| match text {
            Json::String(text) => Json::String(format!("{text}\n")),
            other => other,
        };
        *end = std::mem::replace(end, Json::Null).map_member("text", broken);
    }
    last.spelled = false;
    last.blocks.extend(blocks);
    last.blocks.sort_by_key(|block| !is(block, "tool_result"));
}

/// The message of the same answer, if only results stand behind it.
fn same_answer(out: &[Message<'_>], id: Option<&str>) -> Option<usize> {
    let id = id?;
    for (at, message) in out.iter().enumerate().rev() {
        if !message.user && message.id == Some(id) {
            return Some(at);
        }
        if message.user && !message.blocks.iter().any(|block| is(block, "tool_result")) {
            return None;
        }
    }
    None
}

/// Fills and empties messages that say nothing; whether one stays (CC-API-06).
fn keep(message: &mut Message<'_>, choices: &Choices) -> bool {
    if !message.user {
        if message.blocks.is_empty() {
            message.blocks.push(cited(NO_CONTENT));
        }
        if choices.call_order == CallOrder::Last {
            message.blocks.sort_by_key(|block| is(block, "tool_use"));
        }
        return true;
    }
    if choices.blank_texts == BlankTexts::Sent || message.spelled {
        return !message.blocks.is_empty();
    }
    let empty = message.blocks.is_empty();
    message.blocks.retain(|block| !is_blank(block));
    if !empty && message.blocks.is_empty() {
        message.blocks.push(text(NO_CONTENT));
    }
    !empty
}

/// A text that stands for something the model has said.
fn cited(said: &str) -> Json {
    let Json::Object(mut members) = text(said) else { return Json::Null };
    members.push(("citations".to_owned(), Json::Array(Vec::new())));
    Json::Object(members)
}

/// Calls and results in pairs: each call once, and behind the message of calls one result of each
/// and of nothing else (CC-API-10, CC-API-12, CC-API-13).
fn paired<'g>(messages: Vec<Message<'g>>, choices: &Choices) -> Vec<Message<'g>> {
    let mut called: HashSet<String> = HashSet::new();
    let mut out: Vec<Message<'g>> = Vec::new();
    for mut message in messages {
        let open: Vec<String> = match out.last() {
            Some(last) if !last.user => {
                of_kind(&last.blocks, "tool_use", "id").map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        if !message.user {
            if !open.is_empty() {
                let blocks = open.iter().map(|call| result(call, NO_RESULT)).collect();
                out.push(Message { user: true, blocks, id: None, spelled: false });
            }
            message.blocks.retain(|block| {
                let call = block.get("id").and_then(Json::as_str).unwrap_or_default();
                !is(block, "tool_use") || called.insert(call.to_owned())
            });
            if message.blocks.is_empty() {
                message.blocks.push(cited(INTERRUPTED));
            }
            out.push(message);
            continue;
        }
        let mut got: HashSet<String> = HashSet::new();
        message.blocks.retain(|block| {
            let call = block.get("tool_use_id").and_then(Json::as_str).unwrap_or_default();
            let call = call.to_owned();
            !is(block, "tool_result") || (open.contains(&call) && got.insert(call))
        });
        let missing = open.iter().filter(|call| !got.contains(*call));
        let missing: Vec<Json> = missing.map(|call| result(call, NO_RESULT)).collect();
        message.blocks.splice(0..0, missing);
        if message.blocks.is_empty() {
            match (out.is_empty(), choices.orphan_start) {
                (false, _) => message.blocks.push(text(NO_CONTENT)),
                (true, OrphanStart::Named) => message.blocks.push(text(ORPHAN)),
                (true, OrphanStart::Gone) => continue,
            }
        }
        out.push(message);
    }
    out
}
