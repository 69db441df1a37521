//! The lines that a resume appends, with the turn that follows it.

use memchr::memmem;

use super::attachment::{Added, notes_tools};
use super::choices::{Accounting, Choices, Pointer, Tail};
use super::flaw::{Failure, INTERNAL_ERROR};
use super::load::Graph;
use super::metadata::{again, is_open};
use super::read::Value;
use super::said::{Conversation, New, Origin, text};
use crate::{ANSWER, Effect, Id, Item, Json, PROBE, Time, Written};

/// What happens to the file of a session.
pub(super) fn appended(
    bytes: &[u8],
    values: &[Value],
    graph: &Graph,
    conversation: &Conversation<'_>,
    added: &[Added],
    thread: &str,
    by_path: bool,
    failure: Option<Failure>,
    choices: &Choices,
) -> Effect {
    let mut lines = Lines { graph, thread, out: Vec::new(), last: None };
    let accounts = choices.accounting == Accounting::Noted;
    let notes_tools = accounts && notes_tools(conversation);
    let turn = size(bytes, added, notes_tools);
    let again = again(bytes, values, conversation, thread, turn, by_path, choices);
    lines.out.extend(again.start);
    lines.said("queue-operation/enqueue", Some(Json::string(PROBE)), Time::New);
    lines.said("queue-operation/dequeue", None, Time::New);
    for New { kind, parent, content } in &conversation.new {
        let role = if *kind == "assistant" { "assistant" } else { "user" };
        lines.entry(kind, *parent, Some(said(role, content.clone())));
    }
    let end = conversation.end(choices).map_or(Link::Root, Link::Origin);
    lines.link(end, "user", Some(said("user", vec![text(PROBE)])));
    for Added { kind, .. } in added {
        lines.next(&format!("attachment/{kind}"), None);
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
    lines.said("last-prompt", Some(Json::string(PROBE)), Time::Absent);
    if let Some(record) = lines.out.last_mut().filter(|_| choices.pointer != Pointer::Ignored) {
        record.parent = leaf;
    }
    lines.out.extend(again.end);
    if accounts {
        lines.note("cost-state");
    }
    let newline_first = is_open(bytes) && choices.tail == Tail::NewlineFirst;
    Effect::Appended { newline_first, records: lines.out }
}

/// About how many bytes a turn appends, up to what is said again at its end: as many as the last of
/// the program's own in the file with its prompt, or as its first; and the attachments.
fn size(bytes: &[u8], added: &[Added], notes_tools: bool) -> usize {
    let attachments: usize = added.iter().map(|added| added.size()).sum();
    let notes = if notes_tools { 9496 } else { 0 };
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let prompt = lines.iter().rposition(|line| {
        line.starts_with(br#"{"type":"queue-operation","operation":"enqueue""#)
            && memmem::find(line, format!(r#""content":"{PROBE}""#).as_bytes()).is_some()
    });
    let turn = match prompt {
        Some(prompt) => {
            let is_again = |line: &&&[u8]| {
                let starts = |start: &str| line.starts_with(start.as_bytes());
                let has = |text: &str| memmem::find(line, text.as_bytes()).is_some();
                starts(r#"{"type":"queue-operation""#)
                    || starts(r#"{"type":"api-request","#)
                    || starts(r#"{"type":"last-prompt""#)
                    || [PROBE, ANSWER].iter().any(|said| has(&format!(r#""text":"{said}""#)))
            };
            let lines = lines[prompt..].iter().filter(is_again);
            // A request lists two messages more each time.
            lines.map(|line| line.len() + 1).sum::<usize>() + 134
        }
        None => 12_000,
    };
    turn + attachments + notes
}

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
        let entries = self.out.iter().filter(|record| record.id.is_some()).count();
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
