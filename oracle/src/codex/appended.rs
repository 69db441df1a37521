//! The records that a resume and its turn append (CX-FMT-09, CX-API-04, CX-REC-16).

use super::choices::{Choices, Ordinals, RepeatedSettings, ResumeWrites, UsageRecord};
use super::load::{Lines, Mode};
use super::record::Record;
use crate::{Effect, Id, Injected, Item, Time, Written};

/// What decides which records are appended.
pub(super) struct Appended<'a> {
    pub(super) lines: &'a Lines<'a>,
    /// The records of the thread's own file.
    pub(super) records: &'a [Record],
    pub(super) mode: Mode,
    /// Whether the file records the settings in force.
    pub(super) settled: bool,
    /// Messages that the program adds by itself.
    pub(super) injected: &'a [Item],
    /// Whether the program notes what it has injected.
    pub(super) world_state: bool,
    /// Whether the turn repeats the settings.
    pub(super) repeats: bool,
}

/// Kind of a record, whether it names the turn, and its item.
type Kind = (&'static str, bool, Option<Item>);

impl Appended<'_> {
    /// What becomes of the file.
    pub(super) fn effect(&self, choices: &Choices) -> Effect {
        let first = match choices.ordinals {
            Ordinals::AfterLast | Ordinals::AfterLastIfAny => {
                self.lines.last_ordinal.flatten().map_or(0, |last| last.wrapping_add(1))
            }
            Ordinals::Count => self.records.len() as u64,
        };
        let paginated = self.mode == Mode::Paginated;
        // There is no ordinal after the last one.
        let full = paginated && self.lines.last_ordinal == Some(Some(u64::MAX));
        let records: Vec<Written> = (0..)
            .zip(self.kinds(choices).into_iter().filter(|_| !full))
            .map(|(index, (kind, in_turn, item))| Written {
                kind: kind.to_owned(),
                ordinal: paginated.then(|| first.wrapping_add(index)),
                time: Time::New,
                // A new id; which one, canonicalisation decides.
                turn: in_turn.then(|| Id::Known("new turn".to_owned())),
                item,
                ..Written::default()
            })
            .collect();
        let newline_first = self.lines.tail_is_repaired(choices);
        if records.is_empty() && !newline_first {
            return Effect::Untouched;
        }
        Effect::Appended { newline_first, records }
    }

    fn kinds(&self, choices: &Choices) -> Vec<Kind> {
        let legacy = self.mode == Mode::Legacy;
        let said = |event| if legacy { event } else { "event_msg/item_completed" };
        let mut out = Vec::new();
        if choices.resume_writes == ResumeWrites::Settings && !self.settled {
            out.push(("event_msg/thread_settings_applied", false, None));
        }
        out.push(("event_msg/task_started", true, None));
        out.extend(self.injected.iter().map(|item| {
            let kind = match item {
                Item::Injected(Injected::Environment { .. } | Injected::AgentsRevoked) => {
                    "response_item/message/user"
                }
                _ => "response_item/message/developer",
            };
            (kind, false, Some(item.clone()))
        }));
        if self.world_state {
            out.push(("world_state", false, None));
        }
        out.push(("turn_context", true, None));
        if choices.repeated_settings == RepeatedSettings::WithoutBaseline && self.repeats {
            out.push(("event_msg/thread_settings_applied", false, None));
        }
        out.push(("response_item/message/user", false, Some(Item::Prompt)));
        out.push((said("event_msg/user_message"), !legacy, None));
        out.push((said("event_msg/agent_message"), !legacy, None));
        out.push(("response_item/message/assistant", false, Some(Item::Answer)));
        if choices.usage == UsageRecord::Written {
            out.push(("token_usage_record", true, None));
        }
        out.push(("event_msg/token_count", false, None));
        out.push(("event_msg/task_complete", true, None));
        out
    }
}
