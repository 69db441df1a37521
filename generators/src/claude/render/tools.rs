//! Calls and results.

use forkproof_oracle::{CONFIGURED_MODEL, Json};

use super::line::Entry;
use super::message::{block, from_assistant, from_user, image};
use super::transcript::{Call, Transcript};
use crate::claude::{Form, Ids, Next, Op, Order, Wiring};
use crate::json::{object, text};

/// Parallel calls, with their numbers and places resolved.
pub(super) struct Tools {
    pub(super) calls: usize,
    pub(super) answered: usize,
    pub(super) wiring: Wiring,
    pub(super) order: Order,
    pub(super) next: Next,
    pub(super) ids: Ids,
}

/// One line of parallel calls.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Call(usize),
    Result(usize),
}

impl Tools {
    /// What an operation says, if it is of parallel calls.
    pub(super) fn of(op: &Op) -> Option<Tools> {
        let Op::Tools { calls, open, wiring, order, next, ids } = *op else { return None };
        let calls = 2 + usize::from(calls % 3);
        let answered = calls - usize::from(open) % (calls + 1);
        Some(Tools { calls, answered, wiring, order, next, ids })
    }

    /// As the program writes them, in the message of the answer before or in one of their own.
    pub(super) fn proper(calls: usize, joined: bool) -> Tools {
        Tools {
            calls,
            answered: calls,
            wiring: Wiring::Comb,
            order: Order::Calls,
            next: Next::Last,
            ids: if joined { Ids::Reused } else { Ids::Shared },
        }
    }

    /// Its lines in the order of the file.
    fn parts(&self) -> Vec<Part> {
        let lines = if self.wiring == Wiring::OneLine { 1 } else { self.calls };
        let calls = (0..lines).map(Part::Call);
        let mut results: Vec<Part> = (0..self.answered).map(Part::Result).collect();
        match self.order {
            Order::Reversed => results.reverse(),
            Order::Rotated if !results.is_empty() => results.rotate_left(1),
            Order::Early => return results.into_iter().chain(calls).collect(),
            Order::Woven if lines > 1 => {
                let pair = |call| {
                    let result = (call < self.answered).then_some(Part::Result(call));
                    [Some(Part::Call(call)), result].into_iter().flatten()
                };
                return (0..lines).flat_map(pair).collect();
            }
            _ => {}
        }
        calls.chain(results).collect()
    }

    /// The part that a part hangs on; nothing if on what came before.
    fn above(&self, part: Part) -> Option<Part> {
        let before = |index: usize| index.checked_sub(1);
        match (part, self.wiring) {
            (Part::Call(_), Wiring::Siblings | Wiring::OneLine) => None,
            (Part::Call(call), Wiring::Through) => before(call).map(|call| {
                if call < self.answered { Part::Result(call) } else { Part::Call(call) }
            }),
            (Part::Call(call), _) => before(call).map(Part::Call),
            (Part::Result(_), Wiring::Prompt) => None,
            (Part::Result(_), Wiring::First | Wiring::OneLine) => Some(Part::Call(0)),
            (Part::Result(_), Wiring::Last) => Some(Part::Call(self.calls - 1)),
            (Part::Result(result), Wiring::Chain) => {
                Some(before(result).map_or(Part::Call(self.calls - 1), Part::Result))
            }
            (Part::Result(result), _) => Some(Part::Call(result)),
        }
    }
}

impl Transcript<'_> {
    pub(super) fn tools(&mut self, tools: &Tools) {
        let (first, prompt) = (self.entries + 1, self.tip.clone());
        let lines = if tools.wiring == Wiring::OneLine { 1 } else { tools.calls };
        let number = |part: Part| match part {
            Part::Call(call) => first + call,
            Part::Result(result) => first + lines + result,
        };
        let earlier = self.calls.len();
        let blocks: Vec<Json> = (0..tools.calls)
            .map(|call| self.next_call(if lines == 1 { first } else { first + call }))
            .collect();
        let calls: Vec<Call> = self.calls[earlier..].to_vec();
        let messages: Vec<Option<String>> =
            (0..tools.calls).map(|call| self.id_of(tools.ids, call)).collect();
        let parts = tools.parts();
        let start = self.clock;
        for (rank, part) in parts.iter().enumerate() {
            let rank = match (tools.order, part) {
                (Order::Early, part) => number(*part) - first,
                (Order::Backdated, Part::Result(result)) => lines + tools.answered - 1 - result,
                _ => rank,
            };
            let at = start + self.pace * rank as i64;
            let above = tools.above(*part);
            let parent = above.map_or(prompt.clone(), |part| self.uuid(number(part)));
            match *part {
                Part::Call(call) => {
                    let content =
                        if lines == 1 { blocks.clone() } else { vec![blocks[call].clone()] };
                    let id = messages[call].as_deref();
                    let message = from_assistant(id, CONFIGURED_MODEL, Json::Array(content));
                    let request = ("requestId", text(&format!("req_{}", self.messages)));
                    let body = vec![("message", message), request];
                    self.put(number(*part), at, parent, "assistant", body);
                }
                Part::Result(result) => {
                    let body = self.result_body(&calls[result], Form::Text, false, number(*part));
                    self.put(number(*part), at, parent, "user", body);
                }
            }
        }
        self.clock += self.pace * parts.len() as i64;
        let mut results = parts.iter().filter(|part| matches!(part, Part::Result(_)));
        let last_call = Part::Call(lines - 1);
        let tip = match tools.next {
            Next::Last => results.next_back().copied().unwrap_or(last_call),
            Next::First => results.next().copied().unwrap_or(last_call),
            Next::Call => last_call,
            Next::FirstCall => Part::Call(0),
        };
        self.tip = self.uuid(number(tip));
    }

    fn id_of(&mut self, ids: Ids, call: usize) -> Option<String> {
        match ids {
            Ids::Absent => None,
            Ids::Shared => Some(self.message_id(call > 0)),
            Ids::Each => Some(self.message_id(false)),
            Ids::Reused => Some(self.message_id(true)),
        }
    }

    /// A call in a line of its own.
    pub(super) fn call(&mut self, again: bool, joined: bool) -> &mut Entry {
        let number = self.entries + 1;
        let used = self.calls.last().filter(|_| again).map(|call| call.id.clone());
        let block = match used {
            Some(id) => self.call_block(id, number),
            None => self.next_call(number),
        };
        let id = self.message_id(joined);
        let message = from_assistant(Some(&id), CONFIGURED_MODEL, Json::Array(vec![block]));
        let request = ("requestId", text(&format!("req_{}", self.messages)));
        self.entry("assistant", vec![("message", message), request])
    }

    /// A result of the call that `back` calls came after, on the tip.
    pub(super) fn result(&mut self, back: u8, form: Form, error: bool) -> &mut Entry {
        let nobody = Call { id: format!("toolu_lone_{}", self.entries + 1), entry: Json::Null };
        let back = usize::from(back).checked_rem(self.calls.len());
        let call = back.map_or(nobody, |back| self.calls[self.calls.len() - 1 - back].clone());
        self.answer(&call, form, error)
    }

    /// A result of a call that nobody made.
    pub(super) fn orphan(&mut self) {
        let id = format!("toolu_lone_{}", self.entries + 1);
        self.answer(&Call { id, entry: Json::Null }, Form::Text, false);
    }

    /// A result of this call, on the tip.
    pub(super) fn answer(&mut self, call: &Call, form: Form, error: bool) -> &mut Entry {
        let body = self.result_body(call, form, error, self.entries + 1);
        self.entry("user", body)
    }

    fn result_body(
        &self,
        call: &Call,
        form: Form,
        error: bool,
        number: usize,
    ) -> Vec<(&'static str, Json)> {
        let said = self.spelled("r", number);
        let result = |id: &str, content: Option<Json>| {
            let mut members = vec![("type", text("tool_result")), ("tool_use_id", text(id))];
            members.extend(content.map(|content| ("content", content)));
            members.push(("is_error", Json::Bool(error)));
            object(members)
        };
        let content = match form {
            Form::Text | Form::AndText | Form::Two => Some(text(&said)),
            Form::List => Some(Json::Array(vec![block(&said), block(&self.spelled("s", number))])),
            Form::Empty => Some(text("")),
            Form::EmptyList => Some(Json::Array(Vec::new())),
            Form::Image => Some(Json::Array(vec![image()])),
            Form::Absent => None,
        };
        let mut blocks = vec![result(&call.id, content)];
        match form {
            Form::AndText => blocks.push(block(&self.spelled("u", number))),
            Form::Two => {
                let other = self.calls.iter().rev().find(|other| other.id != call.id);
                let id = other.map_or("toolu_lone", |other| other.id.as_str());
                blocks.push(result(id, Some(text(&self.spelled("s", number)))));
            }
            _ => {}
        }
        let output =
            [("stdout", text(&said)), ("stderr", text("")), ("interrupted", Json::Bool(false))];
        vec![
            ("message", from_user(Json::Array(blocks))),
            ("toolUseResult", Json::object(output)),
            ("sourceToolAssistantUUID", call.entry.clone()),
        ]
    }

    /// A line that says what stands in place of the result of the newest call.
    pub(super) fn replacement(&mut self) {
        let id = self.calls.last().map_or("toolu_lone", |call| call.id.as_str());
        let replacement = replaced(id);
        self.note("content-replacement", vec![("replacements", Json::Array(vec![replacement]))]);
    }
}

fn replaced(id: &str) -> Json {
    Json::object([
        ("kind", text("tool-result")),
        ("toolUseId", text(id)),
        ("replacement", text("replaced")),
    ])
}
