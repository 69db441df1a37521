//! The records that a resume and its turn append (CX-FMT-09, CX-API-04, CX-REC-16).

use super::choices::{Choices, Ordinals, RepeatedSettings, ResumeWrites, Tail};
use super::load::{Lines, Mode};
use super::record::Body;
use crate::{Effect, Id, Item, Time, Written};

/// What decides which records are appended.
pub(super) struct Appended<'a> {
    pub(super) lines: &'a Lines<'a>,
    pub(super) mode: Mode,
    /// Messages that the program adds by itself.
    pub(super) injected: &'a [Item],
    /// Whether the turn repeats the settings.
    pub(super) repeats: bool,
}

/// Kind of a record, whether it names the turn, and its item.
type Kind = (&'static str, bool, Option<Item>);

impl Appended<'_> {
    /// What becomes of the file.
    pub(super) fn effect(&self, choices: &Choices) -> Effect {
        let records = self.lines.own();
        let first = match choices.ordinals {
            Ordinals::AfterLast => records
                .last()
                .and_then(|record| record.ordinal)
                .map_or(0, |last| last.wrapping_add(1)),
            Ordinals::Count => records.len() as u64,
        };
        let paginated = self.mode == Mode::Paginated;
        let mut written: Vec<Written> = (0..)
            .zip(self.kinds(choices))
            .map(|(index, (kind, in_turn, item))| Written {
                kind: kind.to_owned(),
                ordinal: paginated.then(|| first.wrapping_add(index)),
                time: Time::New,
                // A new id; which one, canonicalisation decides.
                turn: in_turn.then(|| Id::Known("new turn".to_owned())),
                item,
            })
            .collect();
        let open = !self.lines.ends_with_newline;
        if open && choices.tail == Tail::Glued {
            written[0].kind = "damaged".to_owned();
        }
        let newline_first = open && choices.tail == Tail::NewlineFirst;
        Effect::Appended { newline_first, records: written }
    }

    fn kinds(&self, choices: &Choices) -> Vec<Kind> {
        let legacy = self.mode == Mode::Legacy;
        let said = |event| if legacy { event } else { "event_msg/item_completed" };
        let is_settings = |body: &Body<'_>| matches!(body, Body::SettingsApplied);
        let recorded = self.lines.own().iter().any(|record| is_settings(&record.body));
        let mut out = Vec::new();
        if choices.resume_writes == ResumeWrites::Settings && !recorded {
            out.push(("event_msg/thread_settings_applied", false, None));
        }
        out.push(("event_msg/task_started", true, None));
        if let [permissions, environment] = self.injected {
            out.push(("response_item/message/developer", false, Some(permissions.clone())));
            out.push(("response_item/message/user", false, Some(environment.clone())));
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
        out.push(("token_usage_record", true, None));
        out.push(("event_msg/token_count", false, None));
        out.push(("event_msg/task_complete", true, None));
        out
    }
}
