//! The file as it grows.

use forkproof_oracle::Json;

use super::line::{Entry, Line};
use super::time::{MINUTE, time};
use crate::Spelling;
use crate::claude::Program;
use crate::json::{object, text};

/// A call and the entry that it stands in.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) entry: Json,
}

pub(super) struct Transcript<'a> {
    pub(super) session: &'a str,
    pub(super) lines: Vec<Line>,
    /// What the next entry hangs on.
    pub(super) tip: Json,
    /// Entries so far; the n-th is called after its number.
    pub(super) entries: usize,
    /// Messages of the assistant so far; the n-th has the id `msg_<n>`.
    pub(super) messages: usize,
    pub(super) calls: Vec<Call>,
    pub(super) clock: i64,
    pub(super) pace: i64,
    pub(super) padded: bool,
    spelling: Spelling,
}

impl<'a> Transcript<'a> {
    pub(super) fn new(program: &Program, session: &'a str) -> Transcript<'a> {
        Transcript {
            session,
            lines: Vec::new(),
            tip: Json::Null,
            entries: 0,
            messages: 0,
            calls: Vec::new(),
            clock: 0,
            pace: MINUTE,
            padded: false,
            spelling: program.spelling,
        }
    }

    /// The id of entry number `number`, written or not.
    pub(super) fn uuid(&self, number: usize) -> Json {
        text(&format!("e{number:07x}-0000-4000-8000-{}", &self.session[24..]))
    }

    /// The id of an entry that nobody writes.
    pub(super) fn unknown(&self) -> Json {
        self.uuid(0)
    }

    /// Text of the next entry: what it is and its number, in the spelling of the session.
    pub(super) fn said(&self, what: &str) -> String {
        self.spelled(what, self.entries + 1)
    }

    pub(super) fn spelled(&self, what: &str, number: usize) -> String {
        let end = match self.spelling {
            Spelling::Plain => "",
            Spelling::Wide => " é€😀",
            Spelling::Quoted => " \"q\" \\ 'x' \\\"",
            Spelling::Lines => "\n\tone\n\n\ttwo",
            Spelling::Nul => " \0.",
        };
        format!("{what}{number}{end}")
    }

    /// An entry on the tip, which becomes the tip.
    pub(super) fn entry(&mut self, kind: &str, body: Vec<(&str, Json)>) -> &mut Entry {
        let (number, at) = (self.entries + 1, self.tick());
        let parent = self.tip.clone();
        self.tip = self.uuid(number);
        self.put(number, at, parent, kind, body)
    }

    /// The time of the next entry.
    pub(super) fn tick(&mut self) -> i64 {
        let at = self.clock;
        self.clock += self.pace;
        at
    }

    /// An entry with this number, time and parent, at the end of the file.
    pub(super) fn put(
        &mut self,
        number: usize,
        at: i64,
        parent: Json,
        kind: &str,
        body: Vec<(&str, Json)>,
    ) -> &mut Entry {
        self.entries = self.entries.max(number);
        let mut members =
            vec![("parentUuid", parent), ("isSidechain", Json::Bool(false)), ("type", text(kind))];
        members.extend(body);
        members.extend([
            ("uuid", self.uuid(number)),
            ("timestamp", text(&time(at))),
            ("userType", text("external")),
            ("entrypoint", text("cli")),
            ("cwd", text("/w")),
            ("sessionId", text(self.session)),
            ("version", text("2.1.197")),
            ("gitBranch", text("main")),
        ]);
        let Json::Object(members) = object(members) else { unreachable!("it is an object") };
        let entry = Entry { at, members, style: None, before: "", glued: false };
        self.lines.push(Line::Entry(entry));
        let Some(Line::Entry(entry)) = self.lines.last_mut() else { unreachable!("just pushed") };
        entry
    }

    /// A line that is no entry.
    pub(super) fn note(&mut self, kind: &str, members: Vec<(&str, Json)>) {
        let mut all = vec![("type", text(kind))];
        all.extend(members);
        all.push(("sessionId", text(self.session)));
        self.lines.push(Line::Text(object(all).to_string()));
    }

    /// Where the entries stand among the lines.
    pub(super) fn places(&self) -> Vec<usize> {
        let is_entry = |line: &Line| matches!(line, Line::Entry(_));
        (0..self.lines.len()).filter(|line| is_entry(&self.lines[*line])).collect()
    }

    /// Where the entry stands that `back` entries came after.
    pub(super) fn place(&self, back: u8) -> Option<usize> {
        let places = self.places();
        let back = usize::from(back).checked_rem(places.len())?;
        Some(places[places.len() - 1 - back])
    }

    /// The entry that `back` entries came after.
    pub(super) fn nth(&mut self, back: u8) -> Option<&mut Entry> {
        let place = self.place(back)?;
        let Line::Entry(entry) = &mut self.lines[place] else { return None };
        Some(entry)
    }

    /// The id of the entry that `back` entries came after.
    pub(super) fn id(&self, back: u8) -> Option<Json> {
        let Line::Entry(entry) = &self.lines[self.place(back)?] else { return None };
        Some(entry.uuid())
    }

    /// Ids from the tip up, at most `most`.
    pub(super) fn chain(&self, most: usize) -> Vec<Json> {
        let mut chain = Vec::new();
        let mut next = self.tip.clone();
        while chain.len() < most {
            let found = self.lines.iter().rev().find_map(|line| match line {
                Line::Entry(entry) if entry.uuid() == next => Some(entry),
                _ => None,
            });
            let Some(entry) = found.filter(|_| next != Json::Null) else { break };
            chain.push(next);
            next = entry.get("parentUuid").cloned().unwrap_or(Json::Null);
        }
        chain
    }
}
