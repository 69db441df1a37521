//! What each operation writes.

use forkproof_oracle::{File, Home, Json};

use super::rollout::Rollout;
use crate::codex::{End, Half, Op, Program, Settings, Tool};
use crate::damage::CODEX;
use crate::json::{number, text};

/// The session files of `program` as thread `thread`.
///
/// Every text in it is unique, so that a context tells which entry is missing.
pub fn render(program: &Program, thread: &str) -> Home {
    let mut rollout = Rollout::new(program, thread);
    for op in &program.ops {
        rollout.play(op);
    }
    let mut bytes = rollout.lines.into_bytes();
    for damage in &program.damage {
        damage.apply(&mut bytes, &CODEX);
    }
    let path = format!("sessions/2026/11/29/rollout-2026-11-29T10-00-00-{thread}.jsonl");
    Home::from([(path, File::new(bytes))])
}

impl Rollout<'_> {
    pub(super) fn play(&mut self, op: &Op) {
        match *op {
            Op::Turn { users, calls, open, end } => self.whole_turn(users, calls, open, end),
            Op::Start => {
                self.turns += 1;
                self.start();
            }
            Op::StartAgain => self.start(),
            Op::Settings { settings } => self.settings(settings),
            Op::User => {
                let said = self.unique("user");
                self.message("user", &said);
                self.shown(true, &said);
            }
            Op::TwoParts => self.two_parts(),
            Op::LongUsers { users } => (0..=users % 4).for_each(|_| self.long_user()),
            Op::Half { half } => self.half(half),
            Op::Context { context } => {
                let said = self.context(context);
                self.message("user", &said);
            }
            Op::LookAlike { like } => self.look_alike(like),
            Op::Summary => {
                let said = self.summary();
                self.message("user", &said);
            }
            Op::Developer { developer } => {
                let said = self.developer(developer);
                self.message("developer", &said);
            }
            Op::System => {
                let said = self.unique("system");
                self.message("system", &said);
            }
            Op::Agent => {
                let said = self.unique("agent");
                self.shown(false, &said);
                self.message("assistant", &said);
            }
            Op::Reasoning => self.reasoning(),
            Op::Call { tool } => self.call(tool),
            Op::Output { call, form, crossed } => self.output(call.into(), form, crossed),
            Op::Orphan { tool } => {
                let id = self.name("lone");
                self.answer(&id, tool, Default::default());
            }
            Op::Early { tool } => {
                let id = format!("call-{}", self.calls.len());
                self.answer(&id, tool, Default::default());
            }
            Op::End { end, back } => self.end(end, back),
            Op::Compact { with, place } => self.compact(with, place),
            Op::Rollback { turns } => {
                self.event("thread_rolled_back", [("num_turns", number(turns))]);
            }
            Op::Meta { foreign: false } => self.meta(self.thread, "/proj/demo"),
            Op::Meta { foreign: true } => {
                self.meta("01a20000-0000-7000-8000-0000000000ff", "/proj/other");
            }
            Op::Aside { aside } => self.aside(aside),
            Op::Strange { strange } => self.strange(strange),
            Op::Ordinal { step } => self.step(step),
        }
    }

    fn whole_turn(&mut self, users: u8, calls: u8, open: u8, end: End) {
        self.play(&Op::Start);
        self.settings(Settings::Same);
        (0..users).for_each(|_| self.play(&Op::User));
        (0..calls).for_each(|_| self.call(Tool::Function));
        let answered = usize::from(calls) - usize::from(open) % (usize::from(calls) + 1);
        let first = self.calls.len() - usize::from(calls);
        (first..first + answered).for_each(|call| self.output(call, Default::default(), false));
        self.play(&Op::Agent);
        self.end(end, 0);
    }

    fn start(&mut self) {
        let window = ("model_context_window", number(258_400));
        self.event("task_started", [("turn_id", self.turn()), window]);
    }

    pub(super) fn end(&mut self, end: End, back: u8) {
        let back = usize::from(back).checked_rem(self.turns).unwrap_or(0);
        let turn = || ("turn_id", text(&format!("turn-{}", self.turns - back)));
        let reason = || ("reason", text("interrupted"));
        match end {
            End::Complete => {
                let turn = turn();
                self.event("task_complete", [turn, ("last_agent_message", Json::Null)]);
            }
            End::Abort => {
                let turn = turn();
                self.event("turn_aborted", [turn, reason()]);
            }
            End::AbortUnnamed => self.event("turn_aborted", [reason()]),
            End::Open => {}
        }
    }

    fn half(&mut self, half: Half) {
        let user = matches!(half, Half::UserItem | Half::UserEvent);
        let (what, role) = if user { ("user", "user") } else { ("agent", "assistant") };
        let said = self.unique(what);
        match half {
            Half::UserItem | Half::AgentItem => self.message(role, &said),
            Half::UserEvent | Half::AgentEvent => self.shown(user, &said),
        }
    }
}
