//! One line of a rollout as a record.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::item::{Item, Unusable};

/// A record that the history loader understood.
#[derive(Debug)]
pub(super) struct Record<'a> {
    /// Line number, from 1.
    pub(super) line: usize,
    /// Place in a paginated file.
    pub(super) ordinal: Option<u64>,
    pub(super) body: Body<'a>,
}

/// What a record says (CX-FMT-04; the events among them, CX-FMT-06).
#[derive(Debug)]
pub(super) enum Body<'a> {
    Meta(Box<Meta<'a>>),
    Item(Item<'a>),
    Compacted(Compaction<'a>),
    TurnContext {
        turn: Option<Cow<'a, str>>,
        model: Cow<'a, str>,
    },
    WorldState,
    TaskStarted {
        turn: Cow<'a, str>,
    },
    TaskComplete {
        turn: Cow<'a, str>,
    },
    TurnAborted {
        turn: Option<Cow<'a, str>>,
    },
    UserMessage {
        text: Cow<'a, str>,
    },
    AgentMessage {
        text: Cow<'a, str>,
    },
    ItemCompleted {
        turn: Cow<'a, str>,
        item: ShownItem<'a>,
    },
    RolledBack {
        turns: u32,
    },
    ContextCompacted,
    SettingsApplied,
    /// Known, and without meaning for a resume.
    Inert,
}

/// `session_meta`.
#[derive(Debug, Deserialize)]
pub(super) struct Meta<'a> {
    #[serde(borrow)]
    pub(super) id: Cow<'a, str>,
    #[serde(rename = "timestamp")]
    _timestamp: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) cwd: Cow<'a, str>,
    #[serde(rename = "originator")]
    _originator: Cow<'a, str>,
    #[serde(rename = "cli_version")]
    _cli_version: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) model_provider: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) history_mode: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) forked_from_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) history_base: Option<HistoryBase<'a>>,
}

/// Where the history before a thread's own lies.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct HistoryBase<'a> {
    #[serde(borrow)]
    pub(super) thread_id: Cow<'a, str>,
    pub(super) end_ordinal_exclusive: u64,
    pub(super) end_byte_offset: u64,
}

/// `compacted` (CX-FMT-07).
#[derive(Debug)]
pub(super) struct Compaction<'a> {
    pub(super) message: Cow<'a, str>,
    /// The complete base that it holds, if it is a checkpoint; `Err` for each unusable element.
    pub(super) replacement: Option<Vec<Result<Item<'a>, Unusable>>>,
    /// Whether it numbers its context window.
    pub(super) numbered: bool,
}

/// The item of an `item_completed` event.
#[derive(Debug, Deserialize)]
pub(super) struct ShownItem<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) id: Cow<'a, str>,
    #[serde(borrow, default)]
    content: Vec<ShownPart<'a>>,
}

#[derive(Debug, Deserialize)]
struct ShownPart<'a> {
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
}

impl ShownItem<'_> {
    /// Its text parts, one after the other.
    pub(super) fn text(&self) -> String {
        self.content.iter().filter_map(|part| part.text.as_deref()).collect()
    }
}

/// Why a line is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Skipped {
    /// Not JSON (CX-LOAD-03).
    NotJson,
    /// JSON of another shape (CX-LOAD-05).
    Unknown,
    /// A ghost snapshot (CX-LOAD-06).
    Ghost,
}

/// Whether a turn is open after these records.
pub(super) fn in_turn(records: &[Record<'_>]) -> bool {
    let bound = records.iter().rev().find_map(|record| match record.body {
        Body::TaskStarted { .. } => Some(true),
        Body::TaskComplete { .. } | Body::TurnAborted { .. } => Some(false),
        _ => None,
    });
    bound.unwrap_or(false)
}

impl<'a> Record<'a> {
    /// The metadata, if it is a `session_meta`.
    pub(super) fn meta(&self) -> Option<&Meta<'a>> {
        match &self.body {
            Body::Meta(meta) => Some(meta),
            _ => None,
        }
    }

    /// Reads line number `line`.
    pub(super) fn read(line: usize, text: &'a str) -> Result<Record<'a>, Skipped> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|_| Skipped::NotJson)?;
        let envelope: Envelope<'a> = parse(raw)?;
        let payload = envelope.payload;
        let body = match &*envelope.kind {
            "session_meta" => Body::Meta(Box::new(parse(payload)?)),
            "response_item" => {
                Body::Item(Item::read(payload).map_err(|unusable| match unusable {
                    Unusable::Ghost => Skipped::Ghost,
                    Unusable::Unknown => Skipped::Unknown,
                })?)
            }
            "compacted" => Body::Compacted(compaction(payload)?),
            "turn_context" => turn_context(payload)?,
            "event_msg" => event(payload)?,
            "world_state" => Body::WorldState,
            "token_usage_record" => Body::Inert,
            _ => return Err(Skipped::Unknown),
        };
        Ok(Record { line, ordinal: envelope.ordinal, body })
    }
}

fn parse<'a, T: Deserialize<'a>>(raw: &'a RawValue) -> Result<T, Skipped> {
    serde_json::from_str(raw.get()).map_err(|_| Skipped::Unknown)
}

fn compaction(payload: &RawValue) -> Result<Compaction<'_>, Skipped> {
    #[derive(Deserialize)]
    struct Payload<'a> {
        #[serde(borrow)]
        message: Cow<'a, str>,
        #[serde(borrow, default)]
        replacement_history: Option<Vec<&'a RawValue>>,
        #[serde(default)]
        window_number: Option<u64>,
    }
    let payload: Payload<'_> = parse(payload)?;
    let read = |raws: Vec<_>| raws.into_iter().map(Item::read).collect();
    Ok(Compaction {
        message: payload.message,
        replacement: payload.replacement_history.map(read),
        numbered: payload.window_number.is_some(),
    })
}

fn turn_context(payload: &RawValue) -> Result<Body<'_>, Skipped> {
    #[derive(Deserialize)]
    struct Payload<'a> {
        #[serde(borrow, default)]
        turn_id: Option<Cow<'a, str>>,
        #[serde(rename = "cwd")]
        _cwd: Cow<'a, str>,
        #[serde(borrow)]
        model: Cow<'a, str>,
        #[serde(borrow, rename = "approval_policy")]
        _approval_policy: &'a RawValue,
        #[serde(borrow, rename = "sandbox_policy")]
        _sandbox_policy: &'a RawValue,
    }
    let payload: Payload<'_> = parse(payload)?;
    Ok(Body::TurnContext { turn: payload.turn_id, model: payload.model })
}

fn event(payload: &RawValue) -> Result<Body<'_>, Skipped> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow, rename = "type")]
        kind: Cow<'a, str>,
    }
    #[derive(Deserialize)]
    struct InTurn<'a> {
        #[serde(borrow)]
        turn_id: Cow<'a, str>,
    }
    #[derive(Deserialize)]
    struct Aborted<'a> {
        #[serde(borrow, default)]
        turn_id: Option<Cow<'a, str>>,
        #[serde(rename = "reason")]
        _reason: Cow<'a, str>,
    }
    #[derive(Deserialize)]
    struct Said<'a> {
        #[serde(borrow)]
        message: Cow<'a, str>,
    }
    #[derive(Deserialize)]
    struct Completed<'a> {
        #[serde(borrow)]
        turn_id: Cow<'a, str>,
        #[serde(borrow)]
        item: ShownItem<'a>,
    }
    #[derive(Deserialize)]
    struct RolledBack {
        num_turns: u32,
    }
    let kind: Kind<'_> = parse(payload)?;
    Ok(match &*kind.kind {
        "task_started" => Body::TaskStarted { turn: parse::<InTurn<'_>>(payload)?.turn_id },
        "task_complete" => Body::TaskComplete { turn: parse::<InTurn<'_>>(payload)?.turn_id },
        "turn_aborted" => Body::TurnAborted { turn: parse::<Aborted<'_>>(payload)?.turn_id },
        "user_message" => Body::UserMessage { text: parse::<Said<'_>>(payload)?.message },
        "agent_message" => Body::AgentMessage { text: parse::<Said<'_>>(payload)?.message },
        "item_completed" => {
            let Completed { turn_id, item } = parse(payload)?;
            Body::ItemCompleted { turn: turn_id, item }
        }
        "thread_rolled_back" => Body::RolledBack { turns: parse::<RolledBack>(payload)?.num_turns },
        "context_compacted" => Body::ContextCompacted,
        "thread_settings_applied" => Body::SettingsApplied,
        "token_count" => Body::Inert,
        _ => return Err(Skipped::Unknown),
    })
}

/// The shape of every record (CX-FMT-02).
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(rename = "timestamp")]
    _timestamp: Cow<'a, str>,
    #[serde(default)]
    ordinal: Option<u64>,
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    payload: &'a RawValue,
}

#[cfg(test)]
mod tests {
    use super::{Record, Skipped};

    #[track_caller]
    fn skipped(text: &str, why: Skipped) {
        assert_eq!(Record::read(1, text).expect_err("no record"), why, "{text}");
    }

    #[test]
    fn a_line_that_is_no_record_says_why() {
        skipped("{\"timestamp\"", Skipped::NotJson);
        skipped("[]", Skipped::Unknown);
        skipped(r#"{"timestamp":"t","type":"future","payload":{}}"#, Skipped::Unknown);
        skipped(
            r#"{"timestamp":"t","type":"response_item","payload":{"type":"ghost_snapshot"}}"#,
            Skipped::Ghost,
        );
    }

    #[test]
    fn a_record_needs_a_time_of_any_form() {
        let with = r#"{"timestamp":"yesterday","type":"world_state","payload":{}}"#;
        assert!(Record::read(1, with).is_ok());
        skipped(r#"{"type":"world_state","payload":{}}"#, Skipped::Unknown);
    }

    #[test]
    fn a_rollback_counts_from_zero_to_32_bits() {
        let event = |turns: &str| {
            format!(
                r#"{{"timestamp":"t","type":"event_msg","payload":{{"type":"thread_rolled_back","num_turns":{turns}}}}}"#
            )
        };
        assert!(Record::read(1, &event("4294967295")).is_ok());
        skipped(&event("-1"), Skipped::Unknown);
        skipped(&event("4294967296"), Skipped::Unknown);
    }
}
