//! The lines that a resume appends, with the turn that follows it.

use std::collections::HashMap;

use memchr::memmem;

use super::attachment::{Added, notes_tools};
use super::choices::{Accounting, Choices, LostAgents, Pointer, Tail};
use super::extract::read_record;
use super::flaw::{Failure, INTERNAL_ERROR};
use super::key::truthy;
use super::load::Graph;
use super::metadata::{again, is_open};
use super::read::Value;
use super::said::{Conversation, New, Origin, text};
use super::session::{Destination, NEW_ID};
use super::spelling::respelled;
use crate::{ANSWER, Effect, Id, Injected, Item, Json, PROBE, Time, Written};

/// A session as it was read.
pub(super) struct Read<'g> {
    pub(super) bytes: &'g [u8],
    pub(super) values: &'g [Value],
    pub(super) graph: &'g Graph,
    pub(super) conversation: &'g Conversation<'g>,
}

/// What happens to the file of a session, which was named by it or not; `sent` are the messages of
/// the request.
pub(super) fn appended(
    read: &Read<'_>,
    added: &[Added],
    sent: &[Item],
    destination: &Destination,
    by_path: bool,
    failure: Option<Failure>,
    choices: &Choices,
) -> Effect {
    let Read { bytes, values, graph, conversation } = read;
    let Destination { thread, copies, .. } = destination;
    let is_new = *copies || values.is_empty() || thread == NEW_ID;
    let bytes = if is_new { b"" } else { *bytes };
    let accounts = choices.accounting == Accounting::Noted;
    let notes_tools = accounts && notes_tools(conversation);
    let turn = size(read, bytes, added, sent, notes_tools);
    let again = again(bytes, values, conversation, destination, turn, by_path, choices);
    let mut lines = Lines { graph, thread, out: again.start, last: None };
    lines.said("queue-operation/enqueue", Some(Json::string(PROBE)), Time::New);
    lines.said("queue-operation/dequeue", None, Time::New);
    if *copies {
        lines.copy(conversation, choices);
    } else {
        conversation.new.iter().for_each(|new| lines.closing(new));
    }
    if lost_agent(values, thread) && choices.lost_agents == LostAgents::Told {
        let end = conversation.end(choices).map_or(Link::Root, Link::Origin);
        let told = Item::Injected(Injected::Reminder("lost agent".to_owned()));
        lines.link(end, "system/informational", Some(told));
        lines.next("user", Some(said("user", vec![text(PROBE)])));
    } else {
        let end = conversation.end(choices).map_or(Link::Root, Link::Origin);
        lines.link(end, "user", Some(said("user", vec![text(PROBE)])));
    }
    for Added { kind, .. } in added {
        lines.next(&format!("attachment/{kind}"), None);
        if *kind == "model" {
            lines.out.extend(again.latch.clone());
        }
    }
    if accounts {
        lines.note("api-request");
    }
    let answer = match failure {
        None => Some(ANSWER),
        Some(Failure::Told) => Some(INTERNAL_ERROR),
        Some(Failure::Mute) => None,
    };
    if let Some(answer) = answer {
        lines.next("assistant", Some(said("assistant", vec![text(answer)])));
    }
    if notes_tools {
        lines.next("attachment/prompt_snapshot", None);
    }
    let leaf = lines.last.clone();
    let prompt = if *copies { conversation.first_prompt() } else { None };
    lines.said("last-prompt", Some(prompt.unwrap_or(Json::string(PROBE))), Time::Absent);
    if let Some(record) = lines.out.last_mut().filter(|_| choices.pointer != Pointer::Ignored) {
        record.parent = leaf;
    }
    lines.out.extend(again.end);
    if accounts {
        lines.note("cost-state");
    }
    let records = lines.out;
    match is_new {
        true => Effect::Created { records },
        false => {
            let newline_first = is_open(bytes) && choices.tail == Tail::NewlineFirst;
            Effect::Appended { newline_first, records }
        }
    }
}

/// Whether the session was running an agent that the program does not come with (CC-ID-13).
fn lost_agent(values: &[Value], thread: &str) -> bool {
    let text =
        |value: &Value, name: &str| value.json.get(name).and_then(Json::as_str).map(str::to_owned);
    let last = values.iter().rfind(|value| {
        text(value, "type").as_deref() == Some("agent-setting")
            && text(value, "sessionId").as_deref() == Some(thread)
    });
    let agent = last.and_then(|value| value.json.get("agentSetting"));
    let is_known = |name: &str| AGENTS.contains(&name);
    truthy(agent) && !agent.and_then(Json::as_str).is_some_and(is_known)
}

/// About how many bytes a turn appends, up to what is said again at its end, in a release that
/// notes its requests.
fn size(read: &Read<'_>, bytes: &[u8], added: &[Added], sent: &[Item], notes_tools: bool) -> usize {
    let attachments: usize = added.iter().map(Added::size).sum();
    let closing = read.conversation.new.iter().map(|new| match new.kind {
        "assistant" => 1082,
        _ => 993,
    });
    // A request lists its messages, and what it has in common with others is noted once: the tools,
    // and each message that is not one entry.
    let is_known = memmem::find(bytes, br#"{"type":"api-request-shape""#).is_some();
    let merged = sent.iter().rev().skip(2).map(|message| match message {
        Item::Message { parts, .. } if parts.len() > 1 => {
            let text = |part: &Item| match part {
                Item::Recorded(json) => json.to_string().len(),
                _ => 0,
            };
            190 + parts.iter().map(text).sum::<usize>()
        }
        _ => 0,
    });
    let once = if is_known { 0 } else { 6403 + merged.sum::<usize>() };
    let own = if added.is_empty() { 0 } else { 834 + 1081 };
    let notes = if notes_tools { 9496 } else { 0 };
    let request = 1026 + 67 * sent.len();
    1992 + request + once + own + attachments + closing.sum::<usize>() + notes
}

/// Agents that the program comes with.
const AGENTS: [&str; 4] = ["general-purpose", "Explore", "Plan", "claude"];

enum Link {
    Root,
    Last,
    Origin(Origin),
}

struct Lines<'g> {
    graph: &'g Graph,
    thread: &'g str,
    out: Vec<Written>,
    /// The last entry.
    last: Option<Id>,
}

impl Lines<'_> {
    /// Copies what was said, each behind the one before, but a result behind its call; new lines
    /// stand where they belong (CC-FORK-02, CC-FORK-03).
    fn copy(&mut self, conversation: &Conversation<'_>, choices: &Choices) {
        let mut callers: HashMap<&str, Id> = HashMap::new();
        for said in &conversation.said {
            let entry = match (said.origin, said.entry) {
                (Origin::New(n), _) => {
                    self.closing(&conversation.new[n]);
                    continue;
                }
                (_, Some(entry)) => entry,
                _ => continue,
            };
            let Some(mut record) = read_record(&respelled(&entry.json, choices.surrogates)) else {
                continue;
            };
            let caller = said.answers().find_map(|call| callers.get(call));
            record.parent = caller.cloned().or_else(|| self.last.clone());
            record.thread = Some(Id::Known(self.thread.to_owned()));
            self.last.clone_from(&record.id);
            if let Some(id) = &record.id {
                callers.extend(said.calls().map(|call| (call, id.clone())));
            }
            self.out.push(record);
        }
    }

    /// A line that closes what was left open.
    fn closing(&mut self, New { kind, parent, content }: &New) {
        let role = if *kind == "assistant" { "assistant" } else { "user" };
        self.entry(kind, *parent, Some(said(role, content.clone())));
    }

    fn note(&mut self, kind: &str) {
        self.said(kind, None, Time::Absent);
    }

    fn said(&mut self, kind: &str, said: Option<Json>, time: Time) {
        self.out.push(Written {
            kind: kind.to_owned(),
            thread: Some(Id::Known(self.thread.to_owned())),
            time,
            item: said.map(Item::Recorded),
            ..Written::default()
        });
    }

    fn next(&mut self, kind: &str, item: Option<Item>) {
        self.link(Link::Last, kind, item);
    }

    fn entry(&mut self, kind: &str, parent: Option<Origin>, item: Option<Item>) {
        self.link(parent.map_or(Link::Root, Link::Origin), kind, item);
    }

    fn link(&mut self, link: Link, kind: &str, item: Option<Item>) {
        let parent = match link {
            Link::Root => None,
            Link::Last => self.last.clone(),
            Link::Origin(Origin::New(n)) => Some(Id::Known(format!("new {n}"))),
            Link::Origin(Origin::Entry(at)) => {
                self.graph.entries[at].key.text().map(|id| Id::Known(id.to_owned()))
            }
        };
        let is_new =
            |record: &&Written| matches!(&record.id, Some(Id::Known(id)) if id.starts_with("new "));
        let entries = self.out.iter().filter(is_new).count();
        // A new id; which one, canonicalisation decides.
        let id = Id::Known(format!("new {entries}"));
        self.last = Some(id.clone());
        self.out.push(Written {
            kind: kind.to_owned(),
            id: Some(id),
            parent,
            thread: Some(Id::Known(self.thread.to_owned())),
            time: Time::New,
            item,
            ..Written::default()
        });
    }
}

fn said(role: &str, blocks: Vec<Json>) -> Item {
    Item::Message { role: role.to_owned(), parts: blocks.into_iter().map(Item::Recorded).collect() }
}
