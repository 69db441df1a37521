//! Response items, and what the rules ask about them.

use serde_json::Value;

use super::choices::{Choices, Schema, Summary};
use super::fragment::{is_context, is_developer_context};
use super::schema::{Form, ITEMS, is_ghost};
use crate::{Json, Markers};

/// A response item of a record or of a checkpoint, with the members that the release knows.
#[derive(Debug, Clone)]
pub(super) struct Item {
    value: Value,
}

/// The call or output that an item is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Side {
    Call(Tool, String),
    Output(Tool, String),
}

/// Which outputs answer which calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tool {
    Function,
    Custom,
    Search,
}

/// An item that cannot be used, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    /// `ghost_snapshot`, which older releases wrote (CX-LOAD-06).
    Ghost,
    /// A type that the release does not know (CX-LOAD-05).
    Unknown,
    /// A known type without its required members, or with one of another kind (CX-LOAD-05).
    Malformed,
}

/// What a rollback makes of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A message that counts (CX-REC-02).
    Boundary,
    /// A compaction summary (CX-REC-14), which does not.
    Summary,
    /// A message of the program, which goes with the user message after it.
    Context,
    /// Anything else.
    Plain,
}

impl Item {
    /// Reads one item.
    pub(super) fn read(value: &Value, schema: Schema) -> Result<Item, Unusable> {
        if is_ghost(value) {
            return Err(Unusable::Ghost);
        }
        let kind = value.get("type").and_then(Value::as_str).ok_or(Unusable::Malformed)?;
        // An older name.
        let kind = if kind == "compaction_summary" { "compaction" } else { kind };
        let form = Form::of(ITEMS, kind, schema).ok_or(Unusable::Unknown)?;
        let value = form.read(value, schema).ok_or(Unusable::Malformed)?;
        Ok(Item { value })
    }

    /// What stands for an entry of unknown type in a checkpoint.
    pub(super) fn other() -> Item {
        Item { value: serde_json::json!({"type": "other"}) }
    }

    /// The item as a request carries it.
    pub(super) fn shaped(&self) -> Json {
        let mut value = self.value.clone();
        // Thoughts of the older form are not sent.
        let is_new = |part: &Value| part["type"] == "reasoning_text";
        if self.kind() == "reasoning"
            && let Value::Object(members) = &mut value
            && !members.get("content").is_some_and(|parts| elements(parts).iter().any(is_new))
        {
            members.remove("content");
        }
        Json::from(value)
    }

    /// The role of a message.
    fn role(&self) -> Option<&str> {
        if self.kind() == "message" { self.value["role"].as_str() } else { None }
    }

    fn kind(&self) -> &str {
        self.value["type"].as_str().unwrap_or_default()
    }

    /// The texts of the `input_text` parts.
    fn inputs(&self) -> impl Iterator<Item = &str> + Clone {
        let parts = elements(&self.value["content"]).iter();
        parts.filter(|part| part["type"] == "input_text").filter_map(|part| part["text"].as_str())
    }

    /// `system` messages are stored and never sent (CX-REC-06).
    pub(super) fn is_system(&self) -> bool {
        self.role() == Some("system")
    }

    /// The call or output that it is. Without an id it is neither, nor is the output of a search by
    /// the server.
    pub(super) fn side(&self) -> Option<Side> {
        let id = self.value.get("call_id")?.as_str()?.to_owned();
        Some(match self.kind() {
            "function_call" | "local_shell_call" => Side::Call(Tool::Function, id),
            "custom_tool_call" => Side::Call(Tool::Custom, id),
            "tool_search_call" => Side::Call(Tool::Search, id),
            "function_call_output" => Side::Output(Tool::Function, id),
            "custom_tool_call_output" => Side::Output(Tool::Custom, id),
            "tool_search_output" if self.value["execution"] != "server" => {
                Side::Output(Tool::Search, id)
            }
            _ => return None,
        })
    }

    /// What a rollback makes of the item.
    pub(super) fn class(&self, choices: &Choices, markers: &Markers) -> Class {
        match (self.kind(), self.role()) {
            ("agent_message", _) => Class::Boundary,
            (_, Some("user")) => class_of_user(self.inputs(), choices, markers),
            (_, Some("developer")) => {
                let context = |part| is_developer_context(part, choices.contextual);
                if self.inputs().any(context) { Class::Context } else { Class::Plain }
            }
            (_, Some("assistant")) if self.is_between_agents() => Class::Boundary,
            _ => Class::Plain,
        }
    }

    /// Whether it is a message of `role` with a part that `test` holds for.
    pub(super) fn says(&self, role: &str, test: impl Fn(&str) -> bool) -> bool {
        self.role() == Some(role) && self.inputs().any(test)
    }

    /// Whether an assistant's message is one from agent to agent, as JSON.
    fn is_between_agents(&self) -> bool {
        let [part] = elements(&self.value["content"]) else { return false };
        let text = part["text"].as_str().unwrap_or_default();
        let json: Value = serde_json::from_str(text).unwrap_or_default();
        json["author"].is_string()
            && json["recipient"].is_string()
            && json["other_recipients"].is_array()
            && json["content"].is_string()
            && json["trigger_turn"].is_boolean()
    }

    /// The texts of a user message that a compaction without base keeps (CX-REC-07): all but those
    /// that only frame an image; `None` if it is context or a summary.
    pub(super) fn kept(&self, choices: &Choices, markers: &Markers) -> Option<Vec<String>> {
        if self.role() != Some("user") || self.class(choices, markers) == Class::Context {
            return None;
        }
        let parts = elements(&self.value["content"]);
        let is_image = |part: Option<&Value>| part.is_some_and(|it| it["type"] == "input_image");
        let mut texts = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let Some(text) = part["text"].as_str().filter(|_| part["type"] == "input_text") else {
                continue;
            };
            let opens =
                text == "<image>" || (text.starts_with("<image name=") && text.ends_with('>'));
            let before = index.checked_sub(1).and_then(|index| parts.get(index));
            let frames = (opens && is_image(parts.get(index + 1)))
                || (text == "</image>" && is_image(before));
            if !frames {
                texts.push(text.to_owned());
            }
        }
        let is_summary = markers.is_summary(&texts.concat());
        if texts.is_empty() && !parts.is_empty() {
            texts.push(String::new());
        }
        (!is_summary).then_some(texts)
    }
}

/// What a rollback makes of a user message with these texts (CX-REC-01, CX-REC-02).
pub(super) fn class_of_user<'t>(
    texts: impl Iterator<Item = &'t str> + Clone,
    choices: &Choices,
    markers: &Markers,
) -> Class {
    if texts.clone().any(|text| is_context(text, choices.contextual)) {
        return Class::Context;
    }
    if choices.summary == Summary::NoBoundary && texts.clone().any(|text| markers.is_summary(text))
    {
        return Class::Summary;
    }
    Class::Boundary
}

fn elements(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
