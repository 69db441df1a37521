//! One line of a rollout as a record.

use serde_json::Value;

use super::choices::Schema;
use super::item::{Item, Unusable};
use super::schema::{Form, META, RECORDS, unsigned, uuid};

/// A record that the history loader keeps.
#[derive(Debug)]
pub(super) struct Record {
    /// Line number, from 1.
    pub(super) line: usize,
    /// Place in a paginated file.
    pub(super) ordinal: Option<u64>,
    /// Whether its time is one.
    pub(super) dated: bool,
    pub(super) body: Body,
}

/// What a record says (CX-FMT-04; the events among them, CX-FMT-06).
#[derive(Debug)]
pub(super) enum Body {
    Meta(Box<Meta>),
    Item(Item),
    Compacted(Compaction),
    TurnContext(TurnContext),
    WorldState(World),
    TaskStarted {
        turn: String,
    },
    TaskComplete {
        turn: String,
    },
    TurnAborted {
        turn: Option<String>,
    },
    UserMessage {
        text: String,
    },
    AgentMessage {
        text: String,
    },
    ItemCompleted {
        turn: String,
        item: ShownItem,
    },
    /// Something that happened in a turn and is shown there, by its kind and with this text.
    Happened(&'static str, Option<&'static str>),
    RolledBack {
        turns: u32,
    },
    ContextCompacted,
    SettingsApplied(Applied),
    /// Known, and without meaning for a resume.
    Inert,
}

/// `session_meta`.
#[derive(Debug)]
pub(super) struct Meta {
    pub(super) id: String,
    pub(super) cwd: String,
    pub(super) model_provider: Option<String>,
    /// Whether the thread is paginated.
    pub(super) paginated: bool,
    pub(super) forked_from: Option<String>,
    pub(super) history_base: Option<HistoryBase>,
    /// Whether instructions are recorded, and are empty.
    pub(super) no_instructions: bool,
}

/// Where the history before a thread's own lies.
#[derive(Debug, Clone)]
pub(super) struct HistoryBase {
    pub(super) thread: String,
    pub(super) end_ordinal_exclusive: u64,
    pub(super) end_byte_offset: u64,
}

/// `compacted` (CX-FMT-07).
#[derive(Debug)]
pub(super) struct Compaction {
    pub(super) message: String,
    /// The complete base that it holds, if it is a checkpoint; `Err` for each entry that is left out.
    pub(super) replacement: Option<Vec<Result<Item, Unusable>>>,
    /// Whether it numbers its context window.
    pub(super) numbered: bool,
}

/// `turn_context` (CX-FMT-08).
#[derive(Debug)]
pub(super) struct TurnContext {
    pub(super) turn: Option<String>,
    pub(super) model: String,
    /// All that the release knows of it.
    pub(super) all: Value,
}

/// How much a `world_state` knows of what was injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// All of it.
    Whole,
    /// Where the model works, and nothing else.
    Part,
    /// Nothing.
    Nothing,
}

/// `thread_settings_applied` (CX-API-04).
#[derive(Debug)]
pub(super) struct Applied {
    pub(super) thread: Option<String>,
    pub(super) model: String,
    pub(super) cwd: String,
}

/// The item of an `item_completed` event.
#[derive(Debug)]
pub(super) struct ShownItem {
    pub(super) kind: String,
    pub(super) id: String,
    /// Its texts, one after the other; none if it has no place for one.
    pub(super) text: Option<String>,
    /// Whether the time of its beginning is known, from the event or from its line.
    pub(super) dated: bool,
}

/// Why a line is no record that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Skipped {
    /// Not JSON (CX-LOAD-03).
    NotJson,
    /// JSON of another shape (CX-LOAD-05).
    Unknown,
    /// An item of an unknown type: a record, but one that is not kept (CX-LOAD-05).
    UnknownItem,
    /// A ghost snapshot, which is one too (CX-LOAD-06).
    Ghost,
}

impl Skipped {
    /// Whether it is a record all the same, which some readers count.
    pub(super) fn is_record(self) -> bool {
        matches!(self, Skipped::UnknownItem | Skipped::Ghost)
    }
}

/// Whether a turn is open after these records.
pub(super) fn in_turn(records: &[Record]) -> bool {
    let bound = records.iter().rev().find_map(|record| match record.body {
        Body::TaskStarted { .. } => Some(true),
        Body::TaskComplete { .. } | Body::TurnAborted { .. } => Some(false),
        _ => None,
    });
    bound.unwrap_or(false)
}

/// The line as JSON, if the program can read it as such.
pub(super) fn json(text: &str, schema: Schema) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    (schema == Schema::Release0138 || numbers_fit(&value)).then_some(value)
}

/// Integers that need more than 64 and less than 128 bits make a line unreadable, wherever they
/// stand; longer ones do not. Before 0.145 none does.
fn numbers_fit(value: &Value) -> bool {
    // The parser bounds the depth.
    match value {
        Value::Number(number) => {
            let text = number.as_str();
            let small = text.parse::<u64>().is_ok() || text.parse::<i64>().is_ok();
            small || (text.parse::<u128>().is_err() && text.parse::<i128>().is_err())
        }
        Value::Array(values) => values.iter().all(numbers_fit),
        Value::Object(members) => members.values().all(numbers_fit),
        _ => true,
    }
}

impl Record {
    /// The metadata, if it is a `session_meta`.
    pub(super) fn meta(&self) -> Option<&Meta> {
        match &self.body {
            Body::Meta(meta) => Some(meta),
            _ => None,
        }
    }

    /// Reads line number `line` (CX-FMT-02). With the reason why it is no record comes its ordinal.
    pub(super) fn read(
        line: usize,
        value: &Value,
        schema: Schema,
    ) -> Result<Record, (Skipped, Option<u64>)> {
        let ordinal = match schema {
            Schema::Release0138 => None,
            _ => ordinal(value).ok_or((Skipped::Unknown, None))?,
        };
        let body = body(value, schema).map_err(|why| (why, ordinal))?;
        Ok(Record { line, ordinal, dated: is_dated(value), body })
    }
}

/// Whether the time of a line is RFC 3339.
pub(super) fn is_dated(value: &Value) -> bool {
    text(value, "timestamp").is_some_and(|time| time.parse::<jiff::Timestamp>().is_ok())
}

/// The ordinal of a line; `None` if it is of another kind.
fn ordinal(value: &Value) -> Option<Option<u64>> {
    match value.get("ordinal") {
        None | Some(Value::Null) => Some(None),
        Some(Value::Number(number)) => unsigned(number.as_str()).map(Some),
        Some(_) => None,
    }
}

fn body(value: &Value, schema: Schema) -> Result<Body, Skipped> {
    let unknown = Skipped::Unknown;
    let (Some(_), Some(kind)) = (text(value, "timestamp"), text(value, "type")) else {
        return Err(unknown);
    };
    let payload = value.get("payload").ok_or(unknown)?;
    match kind.as_str() {
        "session_meta" => {
            let known = META.read(payload, schema).ok_or(unknown)?;
            return Ok(Body::Meta(Box::new(meta(&known))));
        }
        "response_item" => {
            if schema == Schema::Release0171 && !is_item_metadata(value.get("metadata")) {
                return Err(unknown);
            }
            let item = Item::read(payload, schema).map_err(|unusable| match unusable {
                Unusable::Ghost => Skipped::Ghost,
                Unusable::Unknown => Skipped::UnknownItem,
                Unusable::Malformed => unknown,
            })?;
            return Ok(Body::Item(item));
        }
        _ => {}
    }
    let form = Form::of(RECORDS, &kind, schema).ok_or(unknown)?;
    let known = form.read(value, schema).ok_or(unknown)?;
    let payload = &known["payload"];
    Ok(match kind.as_str() {
        "compacted" => Body::Compacted(compaction(payload, schema).ok_or(unknown)?),
        "turn_context" => Body::TurnContext(TurnContext {
            turn: text(payload, "turn_id"),
            model: text(payload, "model").unwrap_or_default(),
            all: payload.clone(),
        }),
        "event_msg" => event(payload, is_dated(value)),
        "world_state" => {
            let state = payload["state"].as_object();
            let named = state.is_some_and(|state| state.contains_key("environments"));
            Body::WorldState(match state {
                Some(state) if named && state.len() > 1 => World::Whole,
                _ if named => World::Part,
                _ => World::Nothing,
            })
        }
        _ => Body::Inert,
    })
}

/// Whether what stands beside an item can be read.
fn is_item_metadata(metadata: Option<&Value>) -> bool {
    match metadata {
        None | Some(Value::Null) => true,
        Some(Value::Array(values)) => values.is_empty(),
        Some(Value::Object(members)) => members.iter().all(|(name, value)| match name.as_str() {
            "client_authored" => value.is_boolean(),
            "fallback_token_limit_override" | "user_input_order" => {
                value.is_null() || value.is_u64()
            }
            "guardian_sources" => value.is_array(),
            "compaction_model_hash" => value.is_string() || value.is_null(),
            _ => true,
        }),
        Some(_) => false,
    }
}

fn meta(payload: &Value) -> Meta {
    let id = |key: &str| text(payload, key).and_then(|id| uuid(&id));
    let base = payload.get("history_base").map(|base| HistoryBase {
        thread: text(base, "thread_id").and_then(|id| uuid(&id)).unwrap_or_default(),
        end_ordinal_exclusive: number(base, "end_ordinal_exclusive").unwrap_or_default(),
        end_byte_offset: number(base, "end_byte_offset").unwrap_or_default(),
    });
    let instructions = payload.get("base_instructions").and_then(|it| text(it, "text"));
    Meta {
        id: id("id").unwrap_or_default(),
        cwd: text(payload, "cwd").unwrap_or_default(),
        model_provider: text(payload, "model_provider"),
        paginated: text(payload, "history_mode").as_deref() == Some("paginated"),
        forked_from: id("forked_from_id"),
        history_base: base,
        no_instructions: instructions.is_some_and(|text| text.is_empty()),
    }
}

/// A compaction; one entry that is no item spoils it.
fn compaction(payload: &Value, schema: Schema) -> Option<Compaction> {
    let entries = payload.get("replacement_history").and_then(Value::as_array);
    let read = |entry: &Value| match Item::read(entry, schema) {
        Err(Unusable::Malformed) => None,
        Err(Unusable::Unknown) => Some(Ok(Item::other())),
        read => Some(read),
    };
    let replacement = match entries {
        Some(entries) => Some(entries.iter().map(read).collect::<Option<_>>()?),
        None => None,
    };
    Some(Compaction {
        message: text(payload, "message").unwrap_or_default(),
        replacement,
        numbered: payload.get("window_number").is_some(),
    })
}

fn event(payload: &Value, dated: bool) -> Body {
    let turn = text(payload, "turn_id");
    let message = || text(payload, "message").unwrap_or_default();
    match text(payload, "type").unwrap_or_default().as_str() {
        "task_started" | "turn_started" => Body::TaskStarted { turn: turn.unwrap_or_default() },
        "task_complete" | "turn_complete" => Body::TaskComplete { turn: turn.unwrap_or_default() },
        "turn_aborted" => Body::TurnAborted { turn },
        "user_message" => Body::UserMessage { text: message() },
        "agent_message" => Body::AgentMessage { text: message() },
        "thread_rolled_back" => {
            let turns = number(payload, "num_turns").and_then(|turns| u32::try_from(turns).ok());
            Body::RolledBack { turns: turns.unwrap_or_default() }
        }
        "agent_reasoning" => Body::Happened("reasoning", None),
        // Its content is hidden.
        "agent_reasoning_raw_content" => Body::Happened("reasoning", Some("")),
        "entered_review_mode" => Body::Happened("enteredReviewMode", None),
        "exited_review_mode" => Body::Happened("exitedReviewMode", None),
        "web_search_end" => Body::Happened("webSearch", None),
        "mcp_tool_call_end" => Body::Happened("mcpToolCall", None),
        "image_generation_end" => Body::Happened("imageGeneration", None),
        "context_compacted" => Body::ContextCompacted,
        "thread_settings_applied" => {
            let settings = &payload["thread_settings"];
            Body::SettingsApplied(Applied {
                thread: text(payload, "thread_id").and_then(|id| uuid(&id)),
                model: text(settings, "model").unwrap_or_default(),
                cwd: text(settings, "cwd").unwrap_or_default(),
            })
        }
        "item_completed" => {
            let item = &payload["item"];
            let parts = item.get("content").and_then(Value::as_array).filter(|it| !it.is_empty());
            let said = parts.map(|parts| parts.iter().filter_map(|it| text(it, "text")).collect());
            let dated = payload.get("started_at_ms").is_some() || dated;
            let item = ShownItem {
                kind: text(item, "type").unwrap_or_default(),
                id: text(item, "id").unwrap_or_default(),
                text: text(item, "text").or(said),
                dated,
            };
            Body::ItemCompleted { turn: turn.unwrap_or_default(), item }
        }
        _ => Body::Inert,
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key)?.as_str().map(str::to_owned)
}

fn number(value: &Value, key: &str) -> Option<u64> {
    unsigned(value.get(key)?.as_number()?.as_str())
}
