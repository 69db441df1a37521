//! From a program to a Codex rollout.

use forkproof_oracle::{File, Home, Json, Markers};

use crate::{Compaction, End, Mode, Op, Program, Tool};

/// The session files of `program` as thread `thread`.
///
/// Every text in it is unique, so that a context tells which entry is missing.
pub fn render(program: &Program, thread: &str) -> Home {
    let mut rollout = Rollout::new(program.mode, thread);
    for op in &program.ops {
        rollout.play(op);
    }
    let path = format!("sessions/2026/11/29/rollout-2026-11-29T10-00-00-{thread}.jsonl");
    Home::from([(path, File::new(rollout.lines))])
}

struct Rollout<'a> {
    mode: Mode,
    thread: &'a str,
    lines: String,
    records: u64,
    /// Turns begun so far; the newest is `turn-<turns>`.
    turns: usize,
    texts: usize,
    /// Tools of the calls so far; the n-th has the id `call-<n>`.
    calls: Vec<Tool>,
}

impl<'a> Rollout<'a> {
    fn new(mode: Mode, thread: &'a str) -> Rollout<'a> {
        let mut rollout = Rollout {
            mode,
            thread,
            lines: String::new(),
            records: 0,
            turns: 0,
            texts: 0,
            calls: Vec::new(),
        };
        let mut meta = vec![
            ("id", text(thread)),
            ("timestamp", text("2026-11-29T10:00:00.000Z")),
            ("cwd", text("/proj/demo")),
            ("originator", text("forkproof")),
            ("cli_version", text("0.0.0")),
            ("source", text("vscode")),
            ("model_provider", text("mock")),
            ("base_instructions", Json::object([("text", text("BASE"))])),
        ];
        if mode == Mode::Paginated {
            meta.push(("history_mode", text("paginated")));
        }
        rollout.record("session_meta", object(meta));
        rollout
    }

    fn play(&mut self, op: &Op) {
        match op {
            Op::Turn { users, calls, open, end } => {
                self.play(&Op::Start);
                self.play(&Op::Settings);
                (0..*users).for_each(|_| self.play(&Op::User));
                for _ in 0..*calls {
                    self.play(&Op::Call { tool: Tool::Function });
                }
                let answered = calls - open % (calls + 1);
                let first = self.calls.len() - usize::from(*calls);
                (0..usize::from(answered)).for_each(|call| self.output(first + call));
                self.play(&Op::Agent);
                self.play(&Op::End { end: *end });
            }
            Op::Start => {
                self.turns += 1;
                let window = Json::Number("258400".to_owned());
                self.event(
                    "task_started",
                    [("turn_id", self.turn()), ("model_context_window", window)],
                );
            }
            Op::Settings => {
                let sandbox = Json::object([("type", text("danger-full-access"))]);
                let settings = [
                    ("turn_id", self.turn()),
                    ("cwd", text("/proj/demo")),
                    ("approval_policy", text("never")),
                    ("sandbox_policy", sandbox),
                    ("model", text("mock-model")),
                    ("summary", text("none")),
                ];
                self.record("turn_context", Json::object(settings));
            }
            Op::User => {
                let said = self.unique("user");
                self.message("user", "input_text", &said);
                self.shown("user_message", "UserMessage", "text", &said);
            }
            Op::Context => {
                let inner = self.unique("context");
                let said = format!("<environment_context>{inner}</environment_context>");
                self.message("user", "input_text", &said);
            }
            Op::Agent => {
                let said = self.unique("agent");
                self.shown("agent_message", "AgentMessage", "Text", &said);
                self.message("assistant", "output_text", &said);
            }
            Op::Reasoning => {
                let thought = text(&self.unique("thought"));
                let part = Json::object([("type", text("summary_text")), ("text", thought)]);
                self.item("reasoning", [("summary", Json::Array(vec![part]))]);
            }
            Op::Call { tool } => self.call(*tool),
            Op::Output { call } => {
                let call = match self.calls.len() {
                    0 => usize::from(*call),
                    calls => usize::from(*call) % calls,
                };
                self.output(call);
            }
            Op::End { end } => self.end(*end),
            Op::Compact { with } => self.compact(*with),
            Op::Rollback { turns } => {
                let turns = Json::Number(turns.to_string());
                self.event("thread_rolled_back", [("num_turns", turns)]);
            }
            Op::Unknown => self.record("future_record", Json::object([("x", text("y"))])),
        }
    }

    fn call(&mut self, tool: Tool) {
        let id = text(&format!("call-{}", self.calls.len()));
        self.calls.push(tool);
        let input = self.unique("input");
        match tool {
            Tool::Function => {
                let arguments = Json::object([("x", text(&input))]).to_string();
                let call =
                    [("name", text("tool")), ("arguments", text(&arguments)), ("call_id", id)];
                self.item("function_call", call);
            }
            Tool::Custom => {
                let call = [("call_id", id), ("name", text("patch")), ("input", text(&input))];
                self.item("custom_tool_call", call);
            }
        }
    }

    fn output(&mut self, call: usize) {
        let kind = match self.calls.get(call) {
            Some(Tool::Custom) => "custom_tool_call_output",
            _ => "function_call_output",
        };
        let output = text(&self.unique("output"));
        self.item(kind, [("call_id", text(&format!("call-{call}"))), ("output", output)]);
    }

    fn end(&mut self, end: End) {
        match end {
            End::Complete => {
                let end = [("turn_id", self.turn()), ("last_agent_message", Json::Null)];
                self.event("task_complete", end);
            }
            End::Abort => {
                let end = [("turn_id", self.turn()), ("reason", text("interrupted"))];
                self.event("turn_aborted", end);
            }
            End::Open => {}
        }
    }

    fn compact(&mut self, with: Compaction) {
        let summary = format!("{}\n{}", Markers::SUMMARY_PREFIX, self.unique("summary"));
        let mut payload = vec![("message", text(&summary))];
        if let Compaction::Base { users, numbered } = with {
            let mut base: Vec<Json> =
                (0..users).map(|_| message("user", "input_text", &self.unique("kept"))).collect();
            if users > 0 {
                base.push(message("user", "input_text", &summary));
            }
            payload.push(("replacement_history", Json::Array(base)));
            if numbered {
                payload.push(("window_number", Json::Number("1".to_owned())));
            }
        }
        self.record("compacted", object(payload));
    }

    /// The event by which a user interface learns of a message, in the form of the mode.
    fn shown(&mut self, event: &str, kind: &str, part: &str, said: &str) {
        if self.mode == Mode::Legacy {
            return self.event(event, [("message", text(said))]);
        }
        let content = Json::object([("type", text(part)), ("text", text(said))]);
        let item = Json::object([
            ("type", text(kind)),
            ("id", text(&format!("item-of-{said}"))),
            ("content", Json::Array(vec![content])),
        ]);
        let time = || Json::Number("1796000000000".to_owned());
        let completed = [
            ("thread_id", text(self.thread)),
            ("turn_id", self.turn()),
            ("item", item),
            ("started_at_ms", time()),
            ("completed_at_ms", time()),
        ];
        self.event("item_completed", completed);
    }

    fn message(&mut self, role: &str, part: &str, said: &str) {
        self.record("response_item", message(role, part, said));
    }

    fn item<const N: usize>(&mut self, kind: &str, members: [(&str, Json); N]) {
        self.record("response_item", tagged(kind, members));
    }

    fn event<const N: usize>(&mut self, kind: &str, members: [(&str, Json); N]) {
        self.record("event_msg", tagged(kind, members));
    }

    fn record(&mut self, kind: &str, payload: Json) {
        let minutes = self.records / 60;
        let time = format!("2026-11-29T10:{:02}:{:02}.000Z", minutes % 60, self.records % 60);
        let mut record = vec![("timestamp", text(&time))];
        if self.mode == Mode::Paginated {
            record.push(("ordinal", Json::Number(self.records.to_string())));
        }
        record.extend([("type", text(kind)), ("payload", payload)]);
        self.lines.push_str(&object(record).to_string());
        self.lines.push('\n');
        self.records += 1;
    }

    fn turn(&self) -> Json {
        text(&format!("turn-{}", self.turns))
    }

    fn unique(&mut self, what: &str) -> String {
        self.texts += 1;
        format!("{what}-{}", self.texts)
    }
}

fn message(role: &str, part: &str, said: &str) -> Json {
    let content = Json::object([("type", text(part)), ("text", text(said))]);
    tagged("message", [("role", text(role)), ("content", Json::Array(vec![content]))])
}

fn tagged<const N: usize>(kind: &str, members: [(&str, Json); N]) -> Json {
    let mut all = vec![("type", text(kind))];
    all.extend(members);
    object(all)
}

fn object(members: Vec<(&str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn text(text: &str) -> Json {
    Json::string(text)
}
