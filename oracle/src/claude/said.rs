//! The entries of a chain as they are on their way into a request: what is taken away from them,
//! and what is added (CC-API).

use std::collections::HashSet;

use super::choices::{
    BareAttachments, Choices, Compaction, Ends, Resumption, Shapes, UnansweredEnd,
};
use super::key::truthy;
use super::load::{Entry, Graph, Kind, is_block};
use super::recover::{Recovered, message_id, of_kind};
use crate::Json;

/// What stands for a call whose outcome nobody knows, in place of its text (CC-API-11).
pub(super) const TOOL_INTERRUPTED: &str = "{{TOOL_INTERRUPTED}}";
/// Who asked for something gets this answer when the session is resumed (CC-API-14).
const NO_RESPONSE: &str = "No response requested.";
/// What says that a turn was interrupted (CC-INT-01).
const MARKERS: [&str; 2] =
    ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];
const CONTINUE: &str = "Continue from where you left off.";

/// Where something that is said stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// An entry of the graph.
    Entry(usize),
    /// The n-th new line.
    New(usize),
}

/// Something that is said.
#[derive(Debug, Clone)]
pub(super) struct Said<'g> {
    pub(super) origin: Origin,
    pub(super) kind: Kind,
    pub(super) content: Content,
    /// The id of its message.
    pub(super) id: Option<&'g str>,
    /// The entry itself, if it is one.
    pub(super) entry: Option<&'g Entry>,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Text(Json),
    Blocks(Vec<Json>),
}

/// A new line that is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct New {
    pub(super) kind: &'static str,
    pub(super) parent: Option<Origin>,
    pub(super) content: Vec<Json>,
}

/// A chain, changed for a request, and the lines that are written because of it.
#[derive(Debug)]
pub(super) struct Conversation<'g> {
    pub(super) said: Vec<Said<'g>>,
    pub(super) new: Vec<New>,
    /// Names of the tools that were called, each once, before a compaction too.
    pub(super) tools: Vec<String>,
    /// The name of the agent of a team that its first entry is of.
    pub(super) team: Option<Json>,
    /// The answer that closes a turn.
    closing: Option<Origin>,
}

impl<'g> Conversation<'g> {
    /// What a resume makes of `chain`; whether it `closes` a turn that was not answered.
    pub(super) fn of(
        graph: &'g Graph,
        chain: &Recovered,
        closes: bool,
        choices: &Choices,
    ) -> Conversation<'g> {
        let said =
            chain.entries.iter().map(|at| Said::of(*at, &graph.entries[*at], choices)).collect();
        let first = chain.entries.first().map(|at| &graph.entries[*at].json);
        let team = first.filter(|first| truthy(first.get("teamName")));
        let team = team.and_then(|first| first.get("agentName").cloned());
        let mut it = Conversation { said, new: Vec::new(), tools: Vec::new(), team, closing: None };
        if choices.shapes == Shapes::EndsTurn {
            it.said.retain_mut(Said::drop_odd_texts);
        }
        it.close_calls(choices);
        it.drop_thoughts();
        it.said.retain(|said| !said.is_blank());
        if closes {
            it.close_turn(&chain.strays, choices);
        }
        it.tools = it.tools();
        it.cut(choices);
        it
    }

    /// What stands before the last boundary of the chain is gone (CC-REC-30, CC-REC-31).
    fn cut(&mut self, choices: &Choices) {
        let last = self.said.iter().rposition(|said| said.entry.is_some_and(Entry::is_boundary));
        if let Some(last) = last
            && choices.compaction == Compaction::Cut
        {
            self.said.drain(..last);
        }
    }

    /// Whether its last entry is of a session.
    pub(super) fn is_of(&self, thread: &str) -> bool {
        let last = self.said.iter().rev().find_map(|said| said.entry);
        last.is_none_or(|entry| entry.json.get("sessionId").and_then(Json::as_str) == Some(thread))
    }

    /// The text of the first prompt that a user has typed.
    pub(super) fn first_prompt(&self) -> Option<Json> {
        let typed = self
            .said
            .iter()
            .filter(|said| said.kind == Kind::User && said.entry.is_some() && !said.flag("isMeta"));
        typed.filter(|said| said.answers().next().is_none()).find_map(|said| match &said.content {
            Content::Text(text) => Some(text.clone()),
            Content::Blocks(blocks) => {
                blocks.iter().find(|block| is(block, "text"))?.get("text").cloned()
            }
        })
    }

    /// The entry that the prompt follows: the answer that closes a turn, or the last that is not an
    /// empty message.
    pub(super) fn end(&self, choices: &Choices) -> Option<Origin> {
        self.closing.or_else(|| self.last(self.said.len(), &HashSet::new(), choices))
    }

    /// The last before a place that a new entry can hang on (CC-FILE-07); a stray result is none.
    fn last(&self, before: usize, strays: &HashSet<usize>, choices: &Choices) -> Option<Origin> {
        let is_stray =
            |said: &Said<'_>| matches!(said.origin, Origin::Entry(at) if strays.contains(&at));
        let holds = |said: &&Said<'_>| match choices.ends {
            _ if is_stray(said) => false,
            Ends::Filled => {
                !matches!(said.kind, Kind::User | Kind::Assistant)
                    || said.content != Content::Blocks(Vec::new())
            }
            Ends::Spoken => said.kind != Kind::Attachment,
        };
        self.said[..before].iter().rfind(holds).map(|said| said.origin)
    }

    fn tools(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for said in self.said.iter().filter(|said| said.kind == Kind::Assistant) {
            let calls = of_kind(said.blocks(), "tool_use", "name");
            for name in calls.chain(of_kind(said.blocks(), "server_tool_use", "name")) {
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        names.sort();
        names
    }

    fn add(
        &mut self,
        at: usize,
        kind: Kind,
        parent: Option<Origin>,
        content: Vec<Json>,
        meta: bool,
    ) {
        let origin = Origin::New(self.new.len());
        let name = match (kind, meta) {
            (Kind::User, true) => "user/meta",
            (Kind::User, false) => "user",
            _ => "assistant",
        };
        self.new.push(New { kind: name, parent, content: content.clone() });
        let content = Content::Blocks(content);
        self.said.insert(at, Said { origin, kind, content, id: None, entry: None });
    }

    /// Calls without result: those at the end get one, the entries of others go (CC-API-10,
    /// CC-API-11).
    fn close_calls(&mut self, choices: &Choices) {
        let mut answered: HashSet<String> =
            self.said.iter().flat_map(Said::answers).map(str::to_owned).collect();
        if choices.unanswered_end == UnansweredEnd::Persisted {
            for at in self.open_end()..self.said.len() {
                let open: Vec<String> = self.said[at].calls().map(str::to_owned).collect();
                let origin = self.said[at].origin;
                for call in open {
                    if answered.insert(call.clone()) {
                        let result = result(&call, TOOL_INTERRUPTED);
                        let end = self.said.len();
                        self.add(end, Kind::User, Some(origin), vec![result], false);
                    }
                }
            }
        }
        self.said.retain(|said| {
            let mut calls = said.calls().peekable();
            calls.peek().is_none() || calls.any(|call| answered.contains(call))
        });
    }

    /// Where the last answer of the model begins, with what follows it.
    fn open_end(&self) -> usize {
        let mut answer = None;
        let mut start = self.said.len();
        for said in self.said.iter().rev() {
            let ours = match said.kind {
                Kind::Assistant => *answer.get_or_insert(said.id) == said.id,
                Kind::User => said.answers().next().is_some(),
                Kind::System | Kind::Attachment => true,
            };
            if !ours {
                break;
            }
            start -= 1;
        }
        start
    }

    /// Thoughts without anything else in the answer that they belong to go.
    fn drop_thoughts(&mut self) {
        let more: HashSet<&str> = self
            .said
            .iter()
            .filter(|said| {
                said.kind == Kind::Assistant && said.blocks().iter().any(|it| !is_thought(it))
            })
            .filter_map(|said| said.id)
            .collect();
        self.said.retain(|said| {
            let blocks = said.blocks();
            let only = !blocks.is_empty() && blocks.iter().all(is_thought);
            said.kind != Kind::Assistant || !only || said.id.is_some_and(|id| more.contains(id))
        });
    }

    /// A turn that was not answered gets an answer, so that the prompt does not join it
    /// (CC-API-14).
    fn close_turn(&mut self, strays: &HashSet<usize>, choices: &Choices) {
        let speaks = |said: &&Said<'_>| matches!(said.kind, Kind::User | Kind::Assistant);
        let Some(mut last) = self.said.iter().rposition(|said| said.kind != Kind::System) else {
            return;
        };
        let noted = self.said[last].kind == Kind::Attachment;
        // Behind an attachment, a failed request does not count.
        let counts = |said: &&Said<'_>| {
            speaks(said)
                && !(noted && said.kind == Kind::Assistant && said.flag("isApiErrorMessage"))
        };
        let spoken = self.said.iter().rfind(counts);
        let is_open = match spoken {
            _ if noted && choices.bare_attachments == BareAttachments::Continued => true,
            None => true,
            Some(said) => {
                let is_end = said.is_marker() || said.flag("isCompactSummary");
                said.kind == Kind::User && !(noted && is_end)
            }
        };
        if !is_open {
            return;
        }
        let works = noted
            || spoken
                .is_some_and(|said| said.answers().next().is_some() || said.flag("toolUseResult"));
        if works && choices.resumption == Resumption::ContinueFirst {
            let end = self.said.len();
            let parent = self.last(end, strays, choices);
            self.add(end, Kind::User, parent, vec![text(CONTINUE)], true);
            last = end;
        }
        let parent = self.last(last + 1, strays, choices);
        self.closing = Some(Origin::New(self.new.len()));
        self.add(last + 1, Kind::Assistant, parent, vec![text(NO_RESPONSE)], false);
    }
}

impl<'g> Said<'g> {
    fn of(at: usize, entry: &'g Entry, choices: &Choices) -> Said<'g> {
        let sent = |block: &&Json| choices.shapes != Shapes::Skipped || is_block(block);
        let content = match entry.json.get("message").and_then(|message| message.get("content")) {
            Some(Json::Array(blocks)) => {
                Content::Blocks(blocks.iter().filter(sent).cloned().collect())
            }
            Some(text) => Content::Text(text.clone()),
            None => Content::Text(Json::Null),
        };
        let id = message_id(&entry.json);
        Said { origin: Origin::Entry(at), kind: entry.kind, content, id, entry: Some(entry) }
    }

    pub(super) fn blocks(&self) -> &[Json] {
        match &self.content {
            Content::Blocks(blocks) => blocks,
            Content::Text(_) => &[],
        }
    }

    /// Whether the entry has a member of this name that counts as true.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.entry.is_some_and(|entry| truthy(entry.json.get(name)))
    }

    pub(super) fn calls(&self) -> impl Iterator<Item = &str> {
        let blocks = if self.kind == Kind::Assistant { self.blocks() } else { &[] };
        of_kind(blocks, "tool_use", "id")
    }

    pub(super) fn answers(&self) -> impl Iterator<Item = &str> {
        let blocks = if self.kind == Kind::User { self.blocks() } else { &[] };
        of_kind(blocks, "tool_result", "tool_use_id")
    }

    /// Takes out texts that are none; whether something is left (CC-FILE-13).
    fn drop_odd_texts(&mut self) -> bool {
        let Content::Blocks(blocks) = &mut self.content else { return true };
        let had = !blocks.is_empty();
        blocks.retain(|block| !is(block, "text") || is_block(block));
        !had || !blocks.is_empty()
    }

    /// Whether it says that the turn was interrupted (CC-INT-01).
    fn is_marker(&self) -> bool {
        let text = match &self.content {
            Content::Text(text) => Some(text),
            Content::Blocks(blocks) => match &blocks[..] {
                [only] => only.get("text"),
                _ => None,
            },
        };
        text.and_then(Json::as_str).is_some_and(|text| MARKERS.contains(&text))
    }

    /// Whether the model has said nothing but white space (CC-API-06).
    fn is_blank(&self) -> bool {
        let blocks = self.blocks();
        self.kind == Kind::Assistant && !blocks.is_empty() && blocks.iter().all(is_blank)
    }
}

/// Whether a block is text, and white space only or nothing.
pub(super) fn is_blank(block: &Json) -> bool {
    let is_empty = match block.get("text") {
        None | Some(Json::Null) => true,
        Some(text) => text.as_str().is_some_and(|text| text.trim().is_empty()),
    };
    is(block, "text") && is_empty
}

/// Whether a block is of a kind.
pub(super) fn is(block: &Json, kind: &str) -> bool {
    block.get("type").and_then(Json::as_str) == Some(kind)
}

fn is_thought(block: &Json) -> bool {
    is(block, "thinking") || is(block, "redacted_thinking")
}

/// A text block.
pub(super) fn text(text: &str) -> Json {
    Json::object([("type", Json::string("text")), ("text", Json::string(text))])
}

/// The result of a call that has failed.
pub(super) fn result(call: &str, content: &str) -> Json {
    Json::object([
        ("type", Json::string("tool_result")),
        ("tool_use_id", Json::string(call)),
        ("content", Json::string(content)),
        ("is_error", Json::Bool(true)),
    ])
}
