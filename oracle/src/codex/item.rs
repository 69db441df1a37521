//! Response items: what a request to the model is made of.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::choices::{Choices, Contextual, Summary};
use crate::{Json, Markers};

/// A response item of a record or of a checkpoint.
#[derive(Debug, Clone)]
pub(super) struct Item<'a> {
    raw: &'a RawValue,
    pub(super) kind: Kind<'a>,
}

/// What the rules ask about an item.
#[derive(Debug, Clone)]
pub(super) enum Kind<'a> {
    Message { role: Cow<'a, str>, parts: Vec<Cow<'a, str>> },
    Call { id: Cow<'a, str>, tool: Tool },
    Output { id: Cow<'a, str>, tool: Tool },
    Other,
}

/// Which outputs answer which calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tool {
    Function,
    Custom,
}

/// An item that cannot be used, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unusable {
    /// `ghost_snapshot`, which older releases wrote (CX-LOAD-06).
    Ghost,
    /// A type that the release does not know, or one without its required members (CX-LOAD-05).
    Unknown,
}

/// The members that a release knows of each type of item, part and action; all others are lost when
/// it reads one (CX-LOAD-05).
const MEMBERS: &[(&str, &[&str])] = &[
    ("message", &["status", "role", "content", "phase"]),
    ("reasoning", &["summary", "content", "encrypted_content"]),
    ("function_call", &["status", "name", "namespace", "arguments", "call_id"]),
    ("function_call_output", &["call_id", "name", "namespace", "output"]),
    ("custom_tool_call", &["status", "call_id", "name", "namespace", "input"]),
    ("custom_tool_call_output", &["call_id", "name", "output"]),
    ("local_shell_call", &["call_id", "status", "action"]),
    ("web_search_call", &["status", "action"]),
    ("input_text", &["text"]),
    ("output_text", &["text", "annotations", "logprobs"]),
    ("input_image", &["image_url", "detail"]),
    ("summary_text", &["text"]),
    ("reasoning_text", &["text"]),
    ("exec", &["command", "timeout_ms", "working_directory", "env", "user"]),
    ("search", &["query", "queries"]),
    ("open_page", &["url"]),
    ("find_in_page", &["url", "pattern"]),
];

/// Members that hold values of such a type; what others hold is not looked into.
const TYPED: &[&str] = &["content", "summary", "output", "action"];

/// The tag pairs that make a user message context (CX-REC-01).
const FRAGMENTS: &[(&str, &str)] = &[
    ("<environment_context>", "</environment_context>"),
    ("# agents.md instructions", "</instructions>"),
    ("<turn_aborted>", "</turn_aborted>"),
    ("<skill>", "</skill>"),
    ("<user_shell_command>", "</user_shell_command>"),
    ("<subagent_notification>", "</subagent_notification>"),
    ("<goal_context>", "</goal_context>"),
    ("<hook_prompt ", "</hook_prompt>"),
];

/// How developer messages that are context begin, in lower case (CX-REC-06).
const DEVELOPER_FRAGMENTS: &[&str] = &[
    "<permissions instructions>",
    "<model_switch>",
    "<collaboration_mode>",
    "<skills_instructions>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<personality_spec>",
    "<realtime_conversation>",
];

impl<'a> Item<'a> {
    /// Reads one item.
    pub(super) fn read(raw: &'a RawValue) -> Result<Item<'a>, Unusable> {
        let head: Head<'a> = serde_json::from_str(raw.get()).map_err(|_| Unusable::Unknown)?;
        let kind = match &*head.kind {
            "ghost_snapshot" => return Err(Unusable::Ghost),
            "message" => {
                let body: Message<'a> = body(raw)?;
                let parts = body.content.into_iter().filter_map(Part::text).collect();
                Kind::Message { role: body.role, parts }
            }
            "function_call" => {
                let call: FunctionCall<'a> = body(raw)?;
                Kind::Call { id: call.call_id, tool: Tool::Function }
            }
            "custom_tool_call" => {
                let call: CustomCall<'a> = body(raw)?;
                Kind::Call { id: call.call_id, tool: Tool::Custom }
            }
            "local_shell_call" => {
                let call: ShellCall<'a> = body(raw)?;
                call.call_id.map_or(Kind::Other, |id| Kind::Call { id, tool: Tool::Function })
            }
            "function_call_output" => output(raw, Tool::Function)?,
            "custom_tool_call_output" => output(raw, Tool::Custom)?,
            "reasoning" => {
                let _: Reasoning<'a> = body(raw)?;
                Kind::Other
            }
            "web_search_call" => Kind::Other,
            _ => return Err(Unusable::Unknown),
        };
        Ok(Item { raw, kind })
    }

    /// The item as a request carries it: known members only.
    pub(super) fn shaped(&self) -> Json {
        known(Json::from_raw(self.raw))
    }

    /// The text of a message: its parts, one after the other.
    pub(super) fn text(&self) -> String {
        match &self.kind {
            Kind::Message { parts, .. } => parts.concat(),
            _ => String::new(),
        }
    }

    /// `system` messages are stored and never sent (CX-REC-06).
    pub(super) fn is_system(&self) -> bool {
        matches!(&self.kind, Kind::Message { role, .. } if role == "system")
    }

    /// What a rollback makes of the item.
    pub(super) fn class(&self, choices: &Choices, markers: &Markers) -> Class {
        match &self.kind {
            Kind::Message { role, parts } if role == "user" => {
                class_of_user(parts, choices, markers)
            }
            Kind::Message { role, parts } if role == "developer" => {
                let fragment = parts.iter().any(|part| {
                    let text = part.trim_start().to_lowercase();
                    DEVELOPER_FRAGMENTS.iter().any(|start| text.starts_with(start))
                });
                if fragment { Class::Context } else { Class::Plain }
            }
            _ => Class::Plain,
        }
    }
}

/// What a rollback makes of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A user message that counts (CX-REC-02).
    Boundary,
    /// A compaction summary.
    Summary { boundary: bool },
    /// A message of the program, which goes with the user message after it.
    Context,
    /// Anything else.
    Plain,
}

impl Class {
    pub(super) fn is_boundary(self) -> bool {
        matches!(self, Class::Boundary | Class::Summary { boundary: true })
    }
}

/// What a rollback makes of a user message with these text parts (CX-REC-01, CX-REC-02; the
/// prefix, CX-REC-14).
pub(super) fn class_of_user(parts: &[Cow<'_, str>], choices: &Choices, markers: &Markers) -> Class {
    if choices.contextual == Contextual::Fragments && parts.iter().any(|part| is_fragment(part)) {
        return Class::Context;
    }
    let text = parts.concat();
    let rest = text.strip_prefix(&markers.summary_prefix);
    if rest.is_some_and(|rest| rest.starts_with('\n')) {
        return Class::Summary { boundary: choices.summary == Summary::Boundary };
    }
    Class::Boundary
}

fn is_fragment(part: &str) -> bool {
    let text = part.trim().to_lowercase();
    FRAGMENTS.iter().any(|(start, end)| text.starts_with(start) && text.ends_with(end))
}

/// A value without the members that a release does not know; no deeper than a [`Json`] is.
fn known(json: Json) -> Json {
    let Some(kind) = json.get("type").and_then(Json::as_str).map(str::to_owned) else {
        return json;
    };
    let members = MEMBERS.iter().find(|(name, _)| *name == kind).map_or(&[][..], |it| it.1);
    let Json::Object(pairs) = json else { return json };
    let kept = pairs.into_iter().filter(|(key, _)| key == "type" || members.contains(&&**key));
    let shaped = kept.map(|(key, value)| {
        let value = match value {
            Json::Array(values) if TYPED.contains(&&*key) => {
                Json::Array(values.into_iter().map(known).collect())
            }
            value @ Json::Object(_) if TYPED.contains(&&*key) => known(value),
            value => value,
        };
        (key, value)
    });
    Json::Object(shaped.collect())
}

fn body<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Result<T, Unusable> {
    serde_json::from_str(raw.get()).map_err(|_| Unusable::Unknown)
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow)]
    content: Vec<Part<'a>>,
    #[serde(rename = "status", default)]
    _status: Option<Cow<'a, str>>,
    #[serde(rename = "phase", default)]
    _phase: Option<Phase>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    Commentary,
    FinalAnswer,
}

/// A part of a message.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Part<'a> {
    InputText {
        text: Cow<'a, str>,
    },
    OutputText {
        text: Cow<'a, str>,
    },
    InputImage {
        #[serde(rename = "image_url")]
        _image_url: Cow<'a, str>,
    },
}

impl<'a> Part<'a> {
    fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Part::InputText { text } | Part::OutputText { text } => Some(text),
            Part::InputImage { .. } => None,
        }
    }
}

#[derive(Deserialize)]
struct FunctionCall<'a> {
    #[serde(borrow)]
    call_id: Cow<'a, str>,
    #[serde(rename = "name")]
    _name: Cow<'a, str>,
    #[serde(rename = "arguments")]
    _arguments: Cow<'a, str>,
}

#[derive(Deserialize)]
struct CustomCall<'a> {
    #[serde(borrow)]
    call_id: Cow<'a, str>,
    #[serde(rename = "name")]
    _name: Cow<'a, str>,
    #[serde(rename = "input")]
    _input: Cow<'a, str>,
}

#[derive(Deserialize)]
struct ShellCall<'a> {
    #[serde(borrow, default)]
    call_id: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Reasoning<'a> {
    #[serde(borrow, rename = "summary")]
    _summary: Vec<&'a RawValue>,
}

/// An output is text or a list of known parts.
fn output(raw: &RawValue, tool: Tool) -> Result<Kind<'_>, Unusable> {
    #[derive(Deserialize)]
    struct Output<'a> {
        #[serde(borrow)]
        call_id: Cow<'a, str>,
        #[serde(borrow)]
        output: &'a RawValue,
    }
    #[derive(Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Part<'a> {
        InputText {
            #[serde(rename = "text")]
            _text: Cow<'a, str>,
        },
        InputImage {
            #[serde(rename = "image_url")]
            _image_url: Cow<'a, str>,
        },
    }
    let Output { call_id, output } = body(raw)?;
    if output.get().starts_with('[') {
        let _: Vec<Part<'_>> = body(output)?;
    } else {
        let _: Cow<'_, str> = body(output)?;
    }
    Ok(Kind::Output { id: call_id, tool })
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;
    use crate::CODEX_0_171;

    #[track_caller]
    fn check(json: &str, class: Class) {
        let raw: &RawValue = serde_json::from_str(json).expect("valid JSON");
        let item = Item::read(raw).expect("a usable item");
        assert_eq!(item.class(&CODEX_0_171.codex, &Markers::stand_in()), class, "{json}");
    }

    fn user(text: &str) -> String {
        let text = Json::string(text);
        format!(
            r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":{text}}}]}}"#
        )
    }

    #[test]
    fn a_user_message_is_a_boundary() {
        check(&user("hello"), Class::Boundary);
        check(&user("<user_instructions>x</user_instructions>"), Class::Boundary);
    }

    #[test]
    fn a_message_that_a_known_pair_of_tags_encloses_is_context_in_any_case() {
        check(&user(" <Environment_Context>x</ENVIRONMENT_CONTEXT>\n"), Class::Context);
        check(&user("# AGENTS.md instructions for /p\n\nx</INSTRUCTIONS>"), Class::Context);
        check(&user("<hook_prompt id=\"1\">x</hook_prompt>"), Class::Context);
    }

    #[test]
    fn text_before_the_tag_or_an_open_tag_is_talk() {
        check(&user("see <environment_context>x</environment_context>"), Class::Boundary);
        check(&user("<environment_context>x"), Class::Boundary);
    }

    #[test]
    fn a_summary_needs_the_newline_after_its_prefix() {
        let prefix = Markers::stand_in().summary_prefix;
        check(&user(&format!("{prefix}\nx")), Class::Summary { boundary: false });
        check(&user(&prefix), Class::Boundary);
    }

    #[test]
    fn unknown_members_are_lost_and_known_ones_keep_their_spelling() {
        let json = r#"{"type":"function_call","name":"x","arguments":"{\"n\":1e400}","call_id":"c","x":1}"#;
        let raw: &RawValue = serde_json::from_str(json).expect("valid JSON");
        let shaped = Item::read(raw).expect("usable").shaped().to_string();
        assert_eq!(shaped, json.replace(r#","x":1"#, ""));
    }

    #[test]
    fn an_output_that_is_an_object_is_unusable() {
        let raw = r#"{"type":"function_call_output","call_id":"c","output":{"content":"x"}}"#;
        let raw: &RawValue = serde_json::from_str(raw).expect("valid JSON");
        assert_eq!(Item::read(raw).expect_err("unusable"), Unusable::Unknown);
    }
}
