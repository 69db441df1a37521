//! What is done to entries that are there.

use forkproof_oracle::Json;

use super::line::Entry;
use super::time::{short, time, zoned};
use super::transcript::Transcript;
use crate::claude::{Flag, Leaf, Spoil, To, Uuid, When};
use crate::json::{number, object, text};

/// A session that is not there.
pub(super) const FOREIGN: &str = "c1a0de00-0000-4000-8000-0000000000ff";

/// What an entry cannot do without.
const NEEDED: [&str; 8] = [
    "parentUuid",
    "type",
    "message",
    "uuid",
    "timestamp",
    "attachment",
    "subtype",
    "compactMetadata",
];

impl Transcript<'_> {
    pub(super) fn parent(&mut self, entry: u8, to: To, by: u8) {
        let parent = match to {
            To::Entry => self.id(by),
            To::Upper => self.id(by).as_ref().map(capitals),
            To::Unknown => Some(self.unknown()),
            To::Null => Some(Json::Null),
            To::Itself => self.id(entry),
            To::Ahead => Some(self.uuid(self.entries + 1 + usize::from(by % 4))),
            To::Empty => Some(text("")),
            To::Number => Some(number(7)),
            To::Zero => Some(number(0)),
            To::Object => Some(Json::object([("x", number(7))])),
            To::Absent => None,
        };
        let Some(entry) = self.nth(entry) else { return };
        match parent {
            Some(parent) => entry.set("parentUuid", parent),
            None => entry.remove("parentUuid"),
        }
    }

    /// The tip stays the same entry, whatever it is called.
    pub(super) fn rename(&mut self, entry: u8, uuid: Uuid, by: u8) {
        let used = self.id(entry.saturating_add(by % 4).saturating_add(1));
        let mut number_ = self.entries;
        let Some(found) = self.nth(entry) else { return };
        let old = found.uuid();
        let new = match uuid {
            Uuid::Used => used,
            Uuid::Word => Some(text(&format!("word-{number_}"))),
            Uuid::Number => {
                number_ += 1000;
                Some(number(number_))
            }
            Uuid::Null => Some(Json::Null),
            Uuid::Empty => Some(text("")),
            Uuid::Upper => Some(capitals(&old)),
            Uuid::Absent => None,
        };
        match &new {
            Some(new) => found.set("uuid", new.clone()),
            None => found.remove("uuid"),
        }
        if let (true, Some(new)) = (self.tip == old, new) {
            self.tip = new;
        }
    }

    pub(super) fn date(&mut self, entry: u8, when: When) {
        let Some(place) = self.place(entry) else { return };
        let before = self.places().iter().rev().find(|before| **before < place).copied();
        let at = |place: Option<usize>| match place.and_then(|place| self.lines.get(place)) {
            Some(super::line::Line::Entry(entry)) => Some(entry.at),
            _ => None,
        };
        let own = at(Some(place)).unwrap_or_default();
        let before = at(before).unwrap_or(own);
        let moved = match when {
            When::Same => before,
            When::Near => before + 1000,
            When::Edge => before + 5000,
            When::Beyond => before + 5001,
            When::Before => before - 1000,
            _ => own,
        };
        let written = match when {
            When::Past => Some(text("2020-01-01T00:00:00.000Z")),
            When::Future => Some(text("2026-01-01T23:59:59.999Z")),
            When::Zone => Some(text(&zoned(own))),
            When::Short => Some(text(&short(own))),
            When::Day => Some(text("2026-01-01")),
            When::Broken => Some(text("some time")),
            When::Null => Some(Json::Null),
            When::Absent => None,
            _ => Some(text(&time(moved))),
        };
        let Some(entry) = self.nth(entry) else { return };
        entry.at = moved;
        match written {
            Some(written) => entry.set("timestamp", written),
            None => entry.remove("timestamp"),
        }
    }

    pub(super) fn name_leaf(&mut self, leaf: Leaf, back: u8) {
        match leaf {
            Leaf::Newest => {
                let newest = self.id(0).unwrap_or(Json::Null);
                self.last_prompt(Some(newest));
            }
            Leaf::Older => {
                let older = self.id(back.saturating_add(1)).unwrap_or(Json::Null);
                self.last_prompt(Some(older));
            }
            Leaf::Unknown => self.last_prompt(Some(self.unknown())),
            Leaf::Null => self.last_prompt(Some(Json::Null)),
            Leaf::Absent => self.last_prompt(None),
        }
    }
}

pub(super) fn flag(entry: &mut Entry, flag: Flag) {
    let key = match flag {
        Flag::SidechainNumber => return entry.set("isSidechain", number(1)),
        Flag::SidechainNull => return entry.set("isSidechain", Json::Null),
        Flag::Sidechain => "isSidechain",
        Flag::Meta => "isMeta",
        Flag::Virtual => "isVirtual",
        Flag::Summary => "isCompactSummary",
        Flag::ApiError => "isApiErrorMessage",
        Flag::Transcript => "isVisibleInTranscriptOnly",
        Flag::Team => {
            entry.set("agentName", text("mate"));
            return entry.set("teamName", text("team"));
        }
        Flag::Agent => return entry.set("agentId", text("agent")),
        Flag::Foreign => return entry.set("sessionId", text(FOREIGN)),
        Flag::Homeless => return entry.remove("sessionId"),
        Flag::Bare => return entry.members.retain(|(key, _)| NEEDED.contains(&key.as_str())),
        Flag::Forked => {
            let from = [("sessionId", text(FOREIGN)), ("messageUuid", entry.uuid())];
            return entry.set("forkedFrom", Json::object(from));
        }
    };
    entry.set(key, Json::Bool(true));
}

pub(super) fn spoil(entry: &mut Entry, spoil: Spoil) {
    let content = |entry: &mut Entry, content: Json| {
        entry.message(|members| {
            for (key, value) in members {
                if key == "content" {
                    *value = content.clone();
                }
            }
        });
    };
    match spoil {
        Spoil::Role => entry.message(|members| {
            for (key, value) in members {
                if key == "role" {
                    *value = text("system");
                }
            }
        }),
        Spoil::Little => entry.message(|members| members.retain(|(key, _)| key == "content")),
        Spoil::BadBlocks => content(entry, Json::Array(vec![super::message::bad_block()])),
        Spoil::NullContent => content(entry, Json::Null),
        Spoil::NumberContent => content(entry, number(7)),
        Spoil::NoContent => entry.message(|members| members.retain(|(key, _)| key != "content")),
        Spoil::Word => entry.set("message", text("word")),
        Spoil::Null => entry.set("message", Json::Null),
        Spoil::Absent => entry.remove("message"),
    }
}

/// The text of an entry, changed.
pub(super) fn retell(entry: &mut Entry, said: &str) {
    let told = Json::Array(vec![super::message::block(said)]);
    entry.message(|members| {
        for (key, value) in members {
            if key == "content" {
                *value = told.clone();
            }
        }
    });
    if entry.get("content").is_some() {
        entry.set("content", text(said));
    }
    if entry.get("attachment").is_some() {
        entry.set("attachment", object(vec![("type", text("future_attachment"))]));
    }
}

fn capitals(uuid: &Json) -> Json {
    uuid.as_str().map_or(uuid.clone(), |uuid| text(&uuid.to_uppercase()))
}
