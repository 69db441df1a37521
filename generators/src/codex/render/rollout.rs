//! The file as it grows.

use forkproof_oracle::Json;

use super::value::{message, part};
use crate::Spelling;
use crate::codex::{Mode, Program, Step, Tool};
use crate::json::{object, tagged, text};

pub(super) struct Rollout<'a> {
    pub(super) mode: Mode,
    pub(super) thread: &'a str,
    pub(super) lines: String,
    /// Turns begun so far; the newest is `turn-<turns>`.
    pub(super) turns: usize,
    /// Tools of the calls so far; the n-th has the id `call-<n>`.
    pub(super) calls: Vec<Tool>,
    spelling: Spelling,
    texts: usize,
    pub(super) records: u64,
    ordinal: u64,
    /// Whether the next record goes without ordinal.
    unnumbered: bool,
}

impl<'a> Rollout<'a> {
    /// A file with its metadata.
    pub(super) fn new(program: &Program, thread: &'a str) -> Rollout<'a> {
        let mut rollout = Rollout {
            mode: program.mode,
            thread,
            lines: String::new(),
            turns: 0,
            calls: Vec::new(),
            spelling: program.spelling,
            texts: 0,
            records: 0,
            ordinal: program.first_ordinal.into(),
            unnumbered: false,
        };
        rollout.meta(thread, "/proj/demo");
        rollout
    }

    /// The metadata of a thread.
    pub(super) fn meta(&mut self, thread: &str, folder: &str) {
        let mut meta = vec![
            ("id", text(thread)),
            ("timestamp", text("2026-11-29T10:00:00.000Z")),
            ("cwd", text(folder)),
            ("originator", text("forkproof")),
            ("cli_version", text("0.0.0")),
            ("source", text("vscode")),
            ("model_provider", text("mock")),
            ("base_instructions", Json::object([("text", text("BASE"))])),
        ];
        if self.mode == Mode::Paginated {
            meta.push(("history_mode", text("paginated")));
        }
        self.record("session_meta", object(meta));
    }

    pub(super) fn message(&mut self, role: &str, said: &str) {
        self.record("response_item", message(role, said));
    }

    pub(super) fn item<const N: usize>(&mut self, kind: &str, members: [(&str, Json); N]) {
        self.record("response_item", tagged(kind, members));
    }

    pub(super) fn event<const N: usize>(&mut self, kind: &str, members: [(&str, Json); N]) {
        self.record("event_msg", tagged(kind, members));
    }

    /// The event by which a user interface learns of a message, in the form of the mode.
    pub(super) fn shown(&mut self, user: bool, said: &str) {
        let (event, kind, part_kind) = match user {
            true => ("user_message", "UserMessage", "text"),
            false => ("agent_message", "AgentMessage", "Text"),
        };
        match self.mode {
            Mode::Legacy => self.event(event, [("message", text(said))]),
            Mode::Paginated => {
                let content = Json::Array(vec![part(part_kind, said)]);
                self.completed(kind, vec![("content", content)]);
            }
        }
    }

    /// The event that an item of the newest turn is complete.
    pub(super) fn completed(&mut self, kind: &str, members: Vec<(&str, Json)>) {
        let id = format!("item-{}", self.records);
        let mut item = vec![("type", text(kind)), ("id", text(&id))];
        item.extend(members);
        let time = || Json::Number("1796000000000".to_owned());
        let completed = [
            ("thread_id", text(self.thread)),
            ("turn_id", self.turn()),
            ("item", object(item)),
            ("started_at_ms", time()),
            ("completed_at_ms", time()),
        ];
        self.event("item_completed", completed);
    }

    pub(super) fn record(&mut self, kind: &str, payload: Json) {
        let minutes = self.records / 60;
        let time = format!("2026-11-29T10:{:02}:{:02}.000Z", minutes % 60, self.records % 60);
        self.write(vec![("timestamp", text(&time))], kind, payload);
    }

    /// A record without time.
    pub(super) fn timeless(&mut self, kind: &str, payload: Json) {
        self.write(Vec::new(), kind, payload);
    }

    /// What happens to the ordinals of the records to come.
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Gap => self.ordinal += 7,
            Step::Repeat => self.ordinal = self.ordinal.saturating_sub(1),
            Step::Missing => self.unnumbered = true,
        }
    }

    fn write(&mut self, mut record: Vec<(&str, Json)>, kind: &str, payload: Json) {
        let unnumbered = std::mem::take(&mut self.unnumbered);
        if self.mode == Mode::Paginated && !unnumbered {
            record.push(("ordinal", Json::Number(self.ordinal.to_string())));
            self.ordinal += 1;
        }
        record.extend([("type", text(kind)), ("payload", payload)]);
        self.lines.push_str(&object(record).to_string());
        self.lines.push('\n');
        self.records += 1;
    }

    /// The id of the newest turn.
    pub(super) fn turn(&self) -> Json {
        text(&format!("turn-{}", self.turns))
    }

    /// A text that no other one begins with: what it is and a number, in the spelling of the
    /// session.
    pub(super) fn unique(&mut self, what: &str) -> String {
        let end = match self.spelling {
            Spelling::Plain => "",
            Spelling::Wide => " é€😀",
            Spelling::Quoted => " \"q\" \\ 'x' \\\"",
            Spelling::Lines => "\n\tone\n\n\ttwo",
            Spelling::Nul => " \0.",
        };
        format!("{}{end}", self.name(what))
    }

    /// A name that no other thing has.
    pub(super) fn name(&mut self, what: &str) -> String {
        self.texts += 1;
        format!("{what}-{}", self.texts)
    }
}
