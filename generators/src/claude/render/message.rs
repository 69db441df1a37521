//! What users and assistants say.

use forkproof_oracle::{CONFIGURED_MODEL, Json};

use super::line::Entry;
use super::transcript::{Call, Transcript};
use crate::claude::{Content, Reply};
use crate::json::{number, object, tagged, text};

/// A small image.
const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

impl Transcript<'_> {
    pub(super) fn user(&mut self, content: Content) -> &mut Entry {
        let said = self.said("u");
        let list = Json::Array;
        let content = match content {
            Content::Text => text(&said),
            Content::Block => list(vec![block(&said)]),
            Content::Blocks => list(vec![block(&said), block(&self.said("v"))]),
            Content::Empty => text(""),
            Content::EmptyList => list(Vec::new()),
            Content::Blank => text(" \n"),
            Content::EmptyBlock => list(vec![block(""), block(&said)]),
            Content::Image => list(vec![image(), block(&said)]),
            Content::BadBlocks => list(vec![text("word"), bad_block(), block(&said)]),
            Content::Unknown => list(vec![unknown(), block(&said)]),
            Content::Interrupted => list(vec![block("[Request interrupted by user]")]),
            Content::InterruptedTool => {
                list(vec![block("[Request interrupted by user for tool use]")])
            }
            Content::Continue => text("Continue from where you left off."),
            Content::Reminder => text(&format!("<system-reminder>\n{said}\n</system-reminder>")),
            Content::Command => text(&format!(
                "<command-name>/{said}</command-name>\n<command-message>x</command-message>"
            )),
            Content::CommandOutput => {
                text(&format!("<local-command-stdout>{said}</local-command-stdout>"))
            }
            Content::NoContent => text("(no content)"),
        };
        self.entry("user", vec![("message", from_user(content))])
    }

    pub(super) fn assistant(&mut self, reply: Reply, joined: bool) -> &mut Entry {
        let (said, thought) = (self.said("a"), self.said("think "));
        let other = "other-model";
        let mut model = CONFIGURED_MODEL;
        let mut error = false;
        let content = match reply {
            Reply::Text => vec![block(&said)],
            Reply::Plain | Reply::EmptyList => Vec::new(),
            Reply::Blank => vec![block(" \n")],
            Reply::Blocks => vec![block(&said), block(&self.said("b"))],
            Reply::Thinking => vec![thinking(&thought, true)],
            Reply::OtherThinking => {
                model = other;
                vec![thinking(&thought, true)]
            }
            Reply::UnsignedThinking => vec![thinking(&thought, false)],
            Reply::Redacted => vec![redacted()],
            Reply::OtherRedacted => {
                model = other;
                vec![redacted()]
            }
            Reply::ThinkingAndText => {
                model = other;
                vec![thinking(&thought, true), block(&said)]
            }
            Reply::Unknown => vec![unknown(), block(&said)],
            Reply::ServerTool => {
                let id = ("id", text(&format!("srvtoolu_{}", self.entries + 1)));
                let input = ("input", Json::object([("query", text(&said))]));
                vec![tagged("server_tool_use", [id, ("name", text("web_search")), input])]
            }
            Reply::TextAndCall => vec![block(&said), self.next_call(self.entries + 1)],
            Reply::NoResponse => vec![block("No response requested.")],
            Reply::ApiError => {
                (model, error) = ("<synthetic>", true);
                vec![block(&format!("API Error: {said}"))]
            }
        };
        let content = match reply {
            Reply::Plain => text(&said),
            _ => Json::Array(content),
        };
        let id = self.message_id(joined);
        let mut body = vec![("message", from_assistant(Some(&id), model, content))];
        if error {
            body.push(("isApiErrorMessage", Json::Bool(true)));
        } else {
            body.push(("requestId", text(&format!("req_{}", self.messages))));
        }
        self.entry("assistant", body)
    }

    /// The id of the message of the answer before, or a new one.
    pub(super) fn message_id(&mut self, joined: bool) -> String {
        if !joined || self.messages == 0 {
            self.messages += 1;
        }
        format!("msg_{}", self.messages)
    }

    /// The block of a new call in entry number `entry`.
    pub(super) fn next_call(&mut self, entry: usize) -> Json {
        let id = format!("toolu_{}", self.calls.len() + 1);
        self.call_block(id, entry)
    }

    /// The block of a call in entry number `entry`.
    pub(super) fn call_block(&mut self, id: String, entry: usize) -> Json {
        let command = format!("echo {}", self.spelled("c", entry));
        let input = [("command", text(&command)), ("description", text("d"))];
        let block = [("id", text(&id)), ("name", text("Bash")), ("input", Json::object(input))];
        self.calls.push(Call { id, entry: self.uuid(entry) });
        tagged("tool_use", block)
    }
}

pub(super) fn from_user(content: Json) -> Json {
    Json::object([("role", text("user")), ("content", content)])
}

pub(super) fn from_assistant(id: Option<&str>, model: &str, content: Json) -> Json {
    let mut message: Vec<(&str, Json)> = id.map(|id| ("id", text(id))).into_iter().collect();
    let usage = [("input_tokens", number(1)), ("output_tokens", number(1))];
    message.extend([
        ("type", text("message")),
        ("role", text("assistant")),
        ("model", text(model)),
        ("content", content),
        ("stop_reason", text("end_turn")),
        ("stop_sequence", Json::Null),
        ("usage", Json::object(usage)),
    ]);
    object(message)
}

pub(super) fn block(said: &str) -> Json {
    tagged("text", [("text", text(said))])
}

pub(super) fn image() -> Json {
    let source = [("media_type", text("image/png")), ("data", text(PIXEL))];
    tagged("image", [("source", tagged("base64", source))])
}

/// A block that does not say what it is.
pub(super) fn bad_block() -> Json {
    Json::object([("text", text("bad"))])
}

fn unknown() -> Json {
    tagged("future_block", [("x", text("y"))])
}

fn thinking(thought: &str, signed: bool) -> Json {
    let mut members = vec![("type", text("thinking")), ("thinking", text(thought))];
    members.extend(signed.then(|| ("signature", text("c2ln"))));
    object(members)
}

fn redacted() -> Json {
    tagged("redacted_thinking", [("data", text("cmVk"))])
}
