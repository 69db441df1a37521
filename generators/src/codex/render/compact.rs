//! Compactions.

use forkproof_oracle::Json;

use super::rollout::Rollout;
use super::value::message;
use crate::codex::{Compaction, Context, Developer, End, Extra, Form, Mode, Op, Place, Tool};
use crate::json::{number, object, tagged, text};

impl Rollout<'_> {
    pub(super) fn compact(&mut self, with: Compaction, place: Place) {
        if place == Place::Turn {
            self.play(&Op::Start);
        }
        let summary = match with {
            Compaction::Empty => String::new(),
            Compaction::Summary | Compaction::Base { .. } => self.summary(),
        };
        if place == Place::Turn {
            self.message("assistant", &summary);
        }
        let mut payload = vec![("message", text(&summary))];
        if let Compaction::Base { users, numbered, extra } = with {
            payload.push(("replacement_history", self.base(users, extra, &summary)));
            if numbered {
                payload.push(("window_number", number(1)));
            }
        }
        self.record("compacted", object(payload));
        if place != Place::Here {
            match self.mode {
                Mode::Legacy => self.event("context_compacted", []),
                Mode::Paginated => self.completed("ContextCompaction", Vec::new()),
            }
        }
        if place == Place::Turn {
            self.end(End::Complete, 0);
        }
    }

    /// Users and their summary; what else there is stands before the last user.
    fn base(&mut self, users: u8, extra: Extra, summary: &str) -> Json {
        let mut base: Vec<Json> =
            (0..users).map(|_| message("user", &self.unique("kept"))).collect();
        let at = base.len().saturating_sub(1);
        base.splice(at..at, self.extra(extra));
        if users > 0 {
            base.push(message("user", summary));
        }
        Json::Array(base)
    }

    fn extra(&mut self, extra: Extra) -> Vec<Json> {
        match extra {
            Extra::None => Vec::new(),
            Extra::Ghost => vec![ghost()],
            Extra::Tools => {
                let id = format!("call-{}", self.calls.len());
                let call = self.next_call(Tool::Function);
                vec![call, self.answer_item(&id, Tool::Function, Form::Text)]
            }
            Extra::Context => vec![
                message("developer", &self.developer(Developer::Permissions)),
                message("user", &self.context(Context::Environment)),
            ],
        }
    }
}

/// A snapshot of a folder.
pub(super) fn ghost() -> Json {
    tagged("ghost_snapshot", [("ghost_commit", Json::object([("id", text("abc"))]))])
}
