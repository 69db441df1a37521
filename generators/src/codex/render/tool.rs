//! Tool calls and their outputs.

use forkproof_oracle::Json;

use super::rollout::Rollout;
use super::value::part;
use crate::codex::{Form, Tool};
use crate::json::{tagged, text};

impl Rollout<'_> {
    pub(super) fn call(&mut self, tool: Tool) {
        let call = self.next_call(tool);
        self.record("response_item", call);
    }

    /// The item of a new call.
    pub(super) fn next_call(&mut self, tool: Tool) -> Json {
        let id = ("call_id", text(&format!("call-{}", self.calls.len())));
        self.calls.push(tool);
        let input = self.unique("input");
        match tool {
            Tool::Function => {
                let arguments = text(&Json::object([("x", text(&input))]).to_string());
                tagged("function_call", [("name", text("tool")), ("arguments", arguments), id])
            }
            Tool::Custom => {
                let input = ("input", text(&input));
                tagged("custom_tool_call", [id, ("name", text("patch")), input])
            }
        }
    }

    /// An output of call number `call`, modulo the calls so far.
    pub(super) fn output(&mut self, call: usize, form: Form, crossed: bool) {
        let call = call.checked_rem(self.calls.len()).unwrap_or(call);
        let tool = match (self.calls.get(call), crossed) {
            (Some(Tool::Custom), false) | (Some(Tool::Function) | None, true) => Tool::Custom,
            _ => Tool::Function,
        };
        self.answer(&format!("call-{call}"), tool, form);
    }

    /// An output of the call with this id.
    pub(super) fn answer(&mut self, id: &str, tool: Tool, form: Form) {
        let answer = self.answer_item(id, tool, form);
        self.record("response_item", answer);
    }

    pub(super) fn answer_item(&mut self, id: &str, tool: Tool, form: Form) -> Json {
        let kind = match tool {
            Tool::Function => "function_call_output",
            Tool::Custom => "custom_tool_call_output",
        };
        let said = self.unique("output");
        let list = |texts: [String; 2]| {
            Json::Array(texts.iter().map(|said| part("input_text", said)).collect())
        };
        let output = match form {
            Form::Text => text(&said),
            Form::Parts => list([said.clone(), format!("{said} again")]),
            Form::Long => text(&format!("{said} {} end", "x".repeat(13_000))),
            Form::LongParts => list([
                format!("{said} {}", "x".repeat(7_000)),
                format!("{said} again {} end", "y".repeat(7_000)),
            ]),
            Form::LongWide => text(&format!("{said} {} end", "€".repeat(4_500))),
        };
        tagged(kind, [("call_id", text(id)), ("output", output)])
    }
}
