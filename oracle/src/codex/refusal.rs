//! The words in which a program refuses a file.

use serde_json::Value;

use super::choices::Schema;
use super::names::{EVENTS, RECORDS, unknown};

/// Why a thread cannot be resumed; the texts are the program's own, with `<file>` for its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Refused by every reader, when it looks for the metadata.
    Metadata(String),
    /// Refused by the history loader.
    History(String),
    /// Refused by the writer, before it appends.
    Append(String),
    /// Refused before any reader looks at the file, or for what it says.
    Request(String),
}

impl Refusal {
    /// JSON-RPC code and text.
    pub(super) fn answer(&self, path: &str) -> (i64, String) {
        let store = "thread-store internal error:";
        let (code, text) = match self {
            Refusal::Request(why) => (-32600, why.clone()),
            Refusal::Metadata(why) => {
                (-32603, format!("failed to read thread: {store} {METADATA}<file>: {why}"))
            }
            Refusal::History(why) => (-32603, format!("failed to read thread: {store} {why}")),
            Refusal::Append(why) => (
                -32603,
                format!(
                    "error resuming thread: Fatal error: Failed to initialize session: {store} \
                     failed to resume local thread recorder: {why}"
                ),
            ),
        };
        (code, text.replace("<file>", &format!("<CODEX_HOME>/{path}")))
    }
}

const METADATA: &str = "failed to read session metadata ";

/// A refusal as it is compared: whether the program says where it was once or twice depends on what
/// its index holds at that moment, which no scenario decides.
pub(super) fn said_once(message: &str) -> String {
    let Some((start, rest)) = message.split_once(METADATA) else { return message.to_owned() };
    match rest.split_once(METADATA) {
        Some((_, rest)) => format!("{start}{METADATA}{rest}"),
        None => message.to_owned(),
    }
}

/// What is wrong with the history mode that a line names, if it is a `session_meta` and something is.
pub(super) fn bad_mode(value: &Value) -> Option<String> {
    if value.get("type")?.as_str()? != "session_meta" {
        return None;
    }
    let mode = value.get("payload")?.get("history_mode")?;
    match mode {
        Value::String(mode) if mode == "legacy" || mode == "paginated" => None,
        Value::String(mode) => {
            Some(format!("unknown variant `{mode}`, expected `legacy` or `paginated`"))
        }
        Value::Object(members) if members.len() == 1 => None,
        Value::Object(_) => Some("invalid value: map, expected map with a single key".to_owned()),
        _ => Some(format!("invalid type: {}, expected string or map", kind_of(mode))),
    }
}

/// What the program's parser calls a value.
fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("boolean `{value}`"),
        Value::Number(_) => "number".to_owned(),
        Value::String(text) => format!("string {text:?}"),
        Value::Array(_) => "sequence".to_owned(),
        Value::Object(_) => "map".to_owned(),
    }
}

/// Why a line is no record. The parser is the program's own; of JSON of another shape only what its
/// envelope lacks is told in its words.
pub(super) fn not_a_record(line: &str, schema: Schema) -> String {
    let value: Value = match serde_json::from_str(line) {
        Ok(value) => value,
        Err(error) => return error.to_string(),
    };
    let Value::Object(members) = &value else {
        return "rollout line must be a JSON object".to_owned();
    };
    let missing =
        ["timestamp", "type", "payload"].into_iter().find(|it| !members.contains_key(*it));
    let why = match (missing, value["type"].as_str(), value["payload"]["type"].as_str()) {
        (Some(member), ..) => format!("missing field `{member}`"),
        (None, Some("event_msg"), Some(event)) => unknown(event, EVENTS, schema),
        (None, Some(kind), _) => unknown(kind, RECORDS, schema),
        (None, None, _) => {
            format!("invalid type: {}, expected variant identifier", kind_of(&value["type"]))
        }
    };
    // An older parser knows the place, which is the end of what it has read.
    if schema < Schema::Release0171 {
        format!("{why} at line 1 column {}", line.len())
    } else {
        why
    }
}
