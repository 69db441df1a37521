//! What occurs in a program.

use std::collections::BTreeSet;

use crate::codex::{Compaction, End, Form, LookAlike, Mode, Op, Place, Program, Step};

/// A program as it is walked through.
#[derive(Default)]
struct Walk {
    kinds: BTreeSet<&'static str>,
    paginated: bool,
    /// Whether a turn has begun and not ended.
    in_turn: bool,
    /// User messages and whether the agent spoke, in the newest turn.
    users: usize,
    spoken: bool,
    /// Turns begun so far.
    turns: usize,
    /// Outputs of each call so far.
    calls: Vec<usize>,
}

impl Program {
    /// Names of everything that occurs in it.
    pub fn kinds(&self) -> BTreeSet<&'static str> {
        let mut walk = Walk { paginated: self.mode == Mode::Paginated, ..Walk::default() };
        walk.see(self.spelling.name());
        if walk.paginated && self.first_ordinal > 0 {
            walk.see("ordinals from another start");
        }
        if self.resumes > 1 {
            walk.see("several resumes");
        }
        for (index, op) in self.ops.iter().enumerate() {
            walk.see(op.name());
            walk.op(op, index == 0);
        }
        if walk.in_turn {
            walk.interrupted("turn unfinished at the end");
        }
        if walk.calls.contains(&0) {
            walk.see("call without output");
        }
        if let [.., Op::Ordinal { step: Step::Missing }, last] = &self.ops[..]
            && walk.paginated
            && matches!(last, Op::Aside { .. } | Op::System | Op::Reasoning)
        {
            walk.see("last record without ordinal");
        }
        for damage in &self.damage {
            walk.see("damage");
            walk.see(damage.name());
        }
        walk.kinds
    }
}

impl Walk {
    fn see(&mut self, kind: &'static str) {
        self.kinds.insert(kind);
    }

    fn interrupted(&mut self, how: &'static str) {
        self.see("interruption");
        self.see(how);
    }

    fn op(&mut self, op: &Op, first: bool) {
        match *op {
            Op::Turn { users, calls, open, end } => {
                self.start();
                (0..users).for_each(|_| self.user());
                let answered = calls - (u16::from(open) % (u16::from(calls) + 1)) as u8;
                self.calls.extend((0..calls).map(|call| usize::from(call < answered)));
                self.spoken = true;
                self.end(end, 0);
            }
            Op::Start => self.start(),
            Op::User | Op::TwoParts => self.user(),
            Op::LongUsers { users } => (0..=users % 4).for_each(|_| self.user()),
            Op::LookAlike { like } => {
                self.see(like.name());
                self.user();
                if like == LookAlike::Prefix {
                    self.see("summary prefix");
                }
            }
            Op::Summary => self.see("summary prefix"),
            Op::Settings { settings } => self.see(settings.name()),
            Op::Half { half } => self.see(half.name()),
            Op::Context { context } => self.see(context.name()),
            Op::Developer { developer } => self.see(developer.name()),
            Op::Agent => self.spoken = true,
            Op::Call { tool } => {
                self.see(tool.name());
                self.calls.push(0);
            }
            Op::Output { call, form, crossed } => self.output(call, form, crossed),
            Op::Early { tool } | Op::Orphan { tool } => self.see(tool.name()),
            Op::End { end, back } => self.end(end, back.into()),
            Op::Compact { with, place } => self.compact(with, place, first),
            Op::Rollback { turns } => {
                self.see(match usize::from(turns) {
                    0 => "rollback of none",
                    1 => "rollback of one",
                    turns if turns > self.turns => "rollback of more than exist",
                    _ => "rollback of several",
                });
            }
            Op::Meta { foreign } => self.see(if foreign { "foreign meta" } else { "same meta" }),
            Op::Aside { aside } => self.see(aside.name()),
            Op::Strange { strange } => self.see(strange.name()),
            Op::Ordinal { step } if self.paginated => self.see(step.name()),
            Op::StartAgain | Op::System | Op::Reasoning | Op::Ordinal { .. } => {}
        }
    }

    fn start(&mut self) {
        if self.in_turn {
            self.interrupted("turn unfinished before another");
        }
        self.turns += 1;
        (self.in_turn, self.users, self.spoken) = (true, 0, false);
    }

    fn user(&mut self) {
        if !self.in_turn {
            self.see("user outside a turn");
        } else if self.spoken {
            self.see("steering");
        } else if self.users > 0 {
            self.see("several users in a turn");
        }
        self.users += 1;
    }

    fn output(&mut self, call: u8, form: Form, crossed: bool) {
        self.see(form.name());
        let Some(call) = usize::from(call).checked_rem(self.calls.len()) else {
            return self.see("orphan");
        };
        if self.calls[call] > 0 {
            self.see("output twice");
        }
        if crossed {
            self.see("output of the other kind");
        }
        self.calls[call] += 1;
    }

    fn end(&mut self, end: End, back: usize) {
        let older = back.checked_rem(self.turns).is_some_and(|back| back > 0);
        match end {
            End::Open => return,
            End::Complete => {}
            End::Abort | End::AbortUnnamed => self.interrupted(end.name()),
        }
        if older && end != End::AbortUnnamed {
            return self.see("end of an older turn");
        }
        if !self.in_turn {
            self.see("end without start");
        }
        self.in_turn = false;
    }

    fn compact(&mut self, with: Compaction, place: Place, first: bool) {
        self.see("compaction");
        match with {
            Compaction::Summary => self.see("compaction to a summary"),
            Compaction::Empty => self.see("compaction to nothing"),
            Compaction::Base { users, numbered, extra } => {
                let users = ["base without users", "base of one user", "base of several users"]
                    [usize::from(users.min(2))];
                self.see(users);
                self.see(if numbered { "numbered base" } else { "base without number" });
                self.see(extra.name());
            }
        }
        if place == Place::Turn {
            self.start();
            self.in_turn = false;
            return self.see(place.name());
        }
        if place == Place::Shown {
            self.see(place.name());
        }
        self.see(match self.in_turn {
            true => "compaction in a turn",
            false if first => "compaction at the start",
            false => "compaction between turns",
        });
    }
}
