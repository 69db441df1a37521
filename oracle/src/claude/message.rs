//! Messages of a request, and what makes a row of them one that the model accepts.

use std::collections::HashSet;

use super::choices::{BlankTexts, CallOrder, Choices, Mispaired, NoBlocks, OrphanStart};
use super::said::{self, result, text};
use crate::{Item, Json};

const NO_CONTENT: &str = "(no content)";
const NO_RESULT: &str = "[Tool result missing due to internal error]";
const INTERRUPTED: &str = "[Tool use interrupted]";
const ORPHAN: &str = "[Orphaned tool result removed due to conversation resume]";

/// Who says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
    System,
    /// The user, for an attachment.
    Note,
    /// Nobody: an answer that is not sent.
    Hidden,
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Message<'g> {
    pub(super) role: Role,
    pub(super) parts: Vec<Item>,
    /// Its id, or that of the request that it answers.
    pub(super) id: Option<&'g str>,
    /// Whether it is one text that stood in place of blocks.
    pub(super) spelled: bool,
}

impl Message<'_> {
    pub(super) fn new(role: Role, parts: Vec<Item>) -> Message<'static> {
        Message { role, parts, id: None, spelled: false }
    }

    pub(super) fn has_results(&self) -> bool {
        self.parts.iter().any(|part| is(part, "tool_result"))
    }

    /// Adds what a user says next: results first, and with a line break at a seam of texts
    /// (CC-API-03).
    pub(super) fn join(&mut self, next: Message<'_>) {
        if let (Some(Item::Recorded(end)), Some(start)) =
            (self.parts.last_mut(), next.parts.first())
            && said::is(end, "text")
            && is(start, "text")
        {
            let broken = |text: Json| match text {
                Json::String(text) => Json::String(format!("{text}\n")),
                // Text with a lone surrogate, as it is spelled.
                Json::Opaque(text) => match text.strip_suffix('"') {
                    Some(text) => Json::Opaque(format!("{text}\\n\"")),
                    None => Json::Opaque(text),
                },
                other => other,
            };
            *end = std::mem::replace(end, Json::Null).map_member("text", broken);
        }
        self.spelled = false;
        self.parts.extend(next.parts);
        self.parts.sort_by_key(|part| !is(part, "tool_result"));
    }

    /// Adds what an attachment says: to a result at the end, else as a part of its own.
    pub(super) fn annotate(&mut self, note: Item) {
        let said = json(&note).and_then(|note| note.get("text")?.as_str()).map(str::to_owned);
        if let (Some(said), Some(Item::Recorded(end))) = (said, self.parts.last_mut())
            && said::is(end, "tool_result")
            && let Some(Json::String(content)) = end.get("content")
        {
            let both = match content.is_empty() {
                true => said,
                false => format!("{content}\n\n{said}"),
            };
            let told = |_| Json::String(both.clone());
            *end = std::mem::replace(end, Json::Null).map_member("content", told);
            return;
        }
        self.spelled = false;
        self.parts.push(note);
    }

    /// Fills and empties a message that says nothing; whether it stays (CC-API-06).
    fn keep(&mut self, choices: &Choices) -> bool {
        match self.role {
            Role::Assistant => {
                if self.parts.is_empty() {
                    self.parts.push(cited(NO_CONTENT));
                }
                if choices.call_order == CallOrder::Last {
                    self.parts.sort_by_key(|part| is(part, "tool_use"));
                }
                true
            }
            Role::User if self.parts.is_empty() => choices.no_blocks == NoBlocks::Sent,
            Role::User if choices.blank_texts == BlankTexts::Dropped && !self.spelled => {
                self.parts.retain(|part| !json(part).is_some_and(said::is_blank));
                if self.parts.is_empty() {
                    self.parts.push(text_part(NO_CONTENT));
                }
                true
            }
            _ => !self.parts.is_empty(),
        }
    }

    /// The `member` of its parts that are of a kind.
    fn ids(&self, kind: &str, member: &str) -> Vec<String> {
        let parts = self.parts.iter().filter(|part| is(part, kind));
        parts.map(|part| id(part, member)).collect()
    }
}

/// The messages as the model is sent them.
pub(super) fn finished(mut messages: Vec<Message<'_>>, choices: &Choices) -> Vec<Item> {
    messages.retain_mut(|message| message.keep(choices));
    let item = |message: Message<'_>| {
        let role = match message.role {
            Role::User | Role::Note => "user",
            Role::Assistant => "assistant",
            Role::System | Role::Hidden => "system",
        };
        Item::Message { role: role.to_owned(), parts: message.parts }
    };
    paired(messages, choices).into_iter().map(item).collect()
}

/// Calls and results in pairs: each call once, and behind the message of calls one result of each
/// and of nothing else (CC-API-10, CC-API-12, CC-API-13).
fn paired<'g>(messages: Vec<Message<'g>>, choices: &Choices) -> Vec<Message<'g>> {
    let mut called: HashSet<String> = HashSet::new();
    let mut out: Vec<Message<'g>> = Vec::new();
    for mut message in messages {
        let open = match out.last() {
            Some(last) if last.role == Role::Assistant => last.ids("tool_use", "id"),
            _ => Vec::new(),
        };
        let missing = |call: &String| Item::Recorded(result(call, NO_RESULT));
        match message.role {
            Role::Assistant => {
                if !open.is_empty() {
                    out.push(Message::new(Role::User, open.iter().map(missing).collect()));
                }
                // Tools of the server are not answered by a session (CC-API-08).
                message.parts.retain(|part| !is(part, "server_tool_use"));
                message.parts.retain(|part| {
                    !is(part, "tool_use")
                        || called.insert(id(part, "id"))
                        || choices.mispaired == Mispaired::Sent
                });
                if message.parts.is_empty() {
                    message.parts.push(cited(INTERRUPTED));
                }
            }
            Role::User | Role::Note => {
                let sent_empty = message.parts.is_empty();
                let mut got: HashSet<String> = HashSet::new();
                message.parts.retain(|part| {
                    let call = id(part, "tool_use_id");
                    !is(part, "tool_result") || (open.contains(&call) && got.insert(call))
                });
                let missing: Vec<Item> =
                    open.iter().filter(|call| !got.contains(*call)).map(missing).collect();
                message.parts.splice(0..0, missing);
                let had_results = !sent_empty && message.parts.is_empty();
                if had_results {
                    if choices.mispaired == Mispaired::Sent {
                        continue;
                    }
                    match (out.is_empty(), choices.orphan_start) {
                        (false, _) => message.parts.push(text_part(NO_CONTENT)),
                        (true, OrphanStart::Named) => message.parts.push(text_part(ORPHAN)),
                        (true, OrphanStart::Gone) => continue,
                    }
                }
            }
            Role::System | Role::Hidden => {}
        }
        out.push(message);
    }
    out
}

/// A text that stands for something the model has said.
fn cited(said: &str) -> Item {
    let Json::Object(mut members) = text(said) else { return Item::Recorded(Json::Null) };
    members.push(("citations".to_owned(), Json::Array(Vec::new())));
    Item::Recorded(Json::Object(members))
}

pub(super) fn text_part(said: &str) -> Item {
    Item::Recorded(text(said))
}

/// The block of a part that the session holds.
pub(super) fn json(part: &Item) -> Option<&Json> {
    match part {
        Item::Recorded(json) => Some(json),
        _ => None,
    }
}

/// Whether a part is a block of a kind.
pub(super) fn is(part: &Item, kind: &str) -> bool {
    json(part).is_some_and(|json| said::is(json, kind))
}

fn id(part: &Item, member: &str) -> String {
    let id = json(part).and_then(|json| json.get(member)?.as_str());
    id.unwrap_or_default().to_owned()
}
