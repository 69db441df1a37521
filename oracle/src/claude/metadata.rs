//! What a session says of itself beside its messages, and when it says it again (CC-ID-09).

use super::choices::{Choices, Restated, Tail};
use super::key::truthy;
use super::read::Value;
use super::said::Conversation;
use super::session::Destination;
use super::spelling::respelled;
use crate::{Id, Item, Json, Time, Written};

/// How many bytes at the end of a file are looked at for what it says already.
const WINDOW: usize = 32 << 10;

/// A kind of line, the member that it is for, and when the program says it again.
struct Kind {
    name: &'static str,
    member: &'static str,
    at: At,
}

#[derive(PartialEq, Eq)]
enum At {
    Both,
    Start,
    /// Both, at the end what is the case now.
    End(&'static str),
    /// Both, at the end what any session says.
    Anyone,
}

/// Kinds in the order in which they are said again.
const KINDS: &[Kind] = &[
    Kind { name: "custom-title", member: "customTitle", at: At::Anyone },
    Kind { name: "ai-title", member: "aiTitle", at: At::Anyone },
    Kind { name: "tag", member: "tag", at: At::Both },
    Kind { name: "agent-name", member: "agentName", at: At::Both },
    Kind { name: "agent-color", member: "agentColor", at: At::Both },
    Kind { name: "agent-setting", member: "agentSetting", at: At::Both },
    Kind { name: "mode", member: "mode", at: At::End("normal") },
    Kind { name: "permission-mode", member: "permissionMode", at: At::Both },
    Kind { name: "atis-latch", member: "atis", at: At::Both },
    Kind { name: "tools-used", member: "tools", at: At::Start },
    Kind { name: "worktree-state", member: "worktreeSession", at: At::Start },
    Kind { name: "pr-link", member: "prNumber", at: At::Start },
];

/// Lines that say again what a session says of itself: at the start of a run, and at its end.
pub(super) struct Again {
    pub(super) start: Vec<Written>,
    pub(super) end: Vec<Written>,
    /// What a session that begins says in its first turn.
    pub(super) latch: Vec<Written>,
}

/// What a run of `thread` says again, on a file of these bytes and values, which named the session
/// or not; `turn` is how many bytes the turn itself appends.
pub(super) fn again(
    bytes: &[u8],
    values: &[Value],
    conversation: &Conversation<'_>,
    destination: &Destination,
    turn: usize,
    by_path: bool,
    choices: &Choices,
) -> Again {
    let Conversation { tools, team, .. } = conversation;
    let thread = destination.thread.as_str();
    let begins = values.is_empty();
    let mut out = Again { start: Vec::new(), end: Vec::new(), latch: Vec::new() };
    let tools = Json::Array(tools.iter().map(Json::string).collect());
    for kind in KINDS.iter().filter(|kind| choices.restated.has(kind.name)) {
        let of = |value: &&Value| text(&value.json, "type") == Some(kind.name);
        let own = |value: &&Value| text(&value.json, "sessionId") == Some(thread);
        let said = values.iter().rfind(|value| of(value) && own(value));
        let said = said.and_then(|value| value.json.get(kind.member));
        let said = said.map(|value| respelled(value, choices.surrogates));
        let said = match kind.name {
            "atis-latch" => {
                Some(said.filter(|value| truthy(Some(value))).unwrap_or(Json::string("")))
            }
            "worktree-state" | "pr-link" => said,
            "agent-setting" if by_path => None,
            "agent-name" => said.filter(|value| truthy(Some(value))).or_else(|| team.clone()),
            "tools-used" => (!tools.elements().is_empty()).then(|| tools.clone()),
            _ => said.filter(|value| truthy(Some(value))),
        };
        let record = |value: &Json| Written {
            kind: kind.name.to_owned(),
            thread: Some(Id::Known(thread.to_owned())),
            time: if kind.name == "pr-link" { Time::New } else { Time::Absent },
            item: Some(Item::Recorded(value.clone())),
            ..Written::default()
        };
        let stands = |value: &Json, room: usize| {
            let line = Json::object([
                ("type", Json::string(kind.name)),
                (kind.member, value.clone()),
                ("sessionId", Json::string(thread)),
            ]);
            let start = bytes.len().saturating_sub(WINDOW.saturating_sub(room));
            last_of(&bytes[start..], kind.name)
                .is_some_and(|last| last == line.to_string().as_bytes())
        };
        // Whoever said it: only the end of the file is looked at.
        let anyone = |window: usize| {
            let last = last_of(&bytes[bytes.len().saturating_sub(window)..], kind.name)?;
            Json::parse(&String::from_utf8_lossy(last))?.get(kind.member).cloned()
        };
        if matches!(choices.restated, Restated::Always | Restated::AlwaysAnyones) {
            let seen = anyone(WINDOW.saturating_sub(turn)).or_else(|| said.clone());
            let seen = seen.filter(|value| truthy(Some(value)));
            let own = said.filter(|_| !by_path);
            let titled = own.clone().filter(|_| conversation.is_of(thread));
            let (start, end) = match (kind.name, choices.restated) {
                ("custom-title", Restated::Always) => (titled, seen),
                ("custom-title" | "tag", _) => (seen.clone(), seen),
                ("agent-name", _) => (team.clone(), team.clone()),
                _ => (own.clone(), own),
            };
            out.start.extend(start.iter().map(record));
            out.end.extend(end.iter().map(record));
            continue;
        }
        if begins {
            // A session that begins has nothing to say again.
            let is_latch = kind.name == "atis-latch";
            out.latch.extend(said.iter().filter(|_| is_latch).map(record));
            continue;
        }
        let before = out.start.len();
        let stands_already = |value: &Json| match kind.name {
            "pr-link" => values.iter().rfind(of).is_some_and(|value| is_own_link(bytes, value)),
            _ => stands(value, 0),
        };
        let said = match kind.at {
            At::End(now) if destination.renamed => Some(Json::string(now)),
            _ => said,
        };
        let again = said.as_ref().filter(|value| !stands_already(value));
        out.start.extend(again.map(record));
        // What is glued to a line without an end is not found again.
        let glued = before == 0 && choices.tail == Tail::Glued && is_open(bytes);
        let written = out.start.len() > before && !glued;
        let last = match kind.at {
            At::Start if glued => again.cloned(),
            At::Start => None,
            At::End(now) => Some(Json::string(now)),
            At::Both if written => None,
            At::Both => said.clone(),
            At::Anyone => anyone(WINDOW.saturating_sub(turn)).or_else(|| said.clone()),
        };
        let last = last.filter(|value| kind.name == "atis-latch" || truthy(Some(value)));
        let stood = |value: &Json| match written {
            true => said.as_ref() == Some(value),
            false => stands(value, turn),
        };
        out.end.extend(last.iter().filter(|value| !stood(value)).map(record));
    }
    out
}

/// Whether the last link stands in the file as the program would write it, which has a time.
fn is_own_link(bytes: &[u8], link: &Value) -> bool {
    const MEMBERS: [&str; 6] =
        ["type", "sessionId", "prNumber", "prUrl", "prRepository", "timestamp"];
    let members = MEMBERS.map(|member| link.json.get(member).map(|value| (member, value.clone())));
    let Some(members) = members.into_iter().collect::<Option<Vec<_>>>() else { return false };
    let members = members.into_iter().map(|(member, value)| (member.to_owned(), value));
    let line = Json::Object(members.collect()).to_string();
    let start = bytes.len().saturating_sub(WINDOW);
    last_of(&bytes[start..], "pr-link").is_some_and(|last| last == line.as_bytes())
}

/// Whether the last line has no end.
pub(super) fn is_open(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|byte| *byte != b'\n')
}

/// The last line of a kind, without white space around it.
fn last_of<'b>(bytes: &'b [u8], kind: &str) -> Option<&'b [u8]> {
    let start = format!("{{\"type\":\"{kind}\"");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.rfind(|line| line.starts_with(start.as_bytes()))
}

fn text<'j>(json: &'j Json, member: &str) -> Option<&'j str> {
    json.get(member)?.as_str()
}

impl Restated {
    /// Whether the release says lines of this kind again.
    fn has(self, kind: &str) -> bool {
        match self {
            Restated::Missing => true,
            Restated::MissingNoLatch => !matches!(kind, "atis-latch" | "tools-used"),
            Restated::Always | Restated::AlwaysAnyones => matches!(
                kind,
                "custom-title" | "tag" | "agent-name" | "agent-setting" | "worktree-state"
            ),
        }
    }
}
