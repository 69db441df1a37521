//! The operation language.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Aside, Context, Developer, End, Extra, Form, Half, LookAlike, Place, Settings, Step, Strange,
    Tool,
};
use crate::{Damage, Spelling};

/// How one session came to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The persistence contract of the thread.
    pub mode: Mode,
    /// What happened, in order.
    pub ops: Vec<Op>,
    /// How often the session is resumed after that, each time in a new process; at least once.
    pub resumes: u8,
    /// How its texts are spelled.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spelling: Spelling,
    /// The first ordinal of a paginated file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub first_ordinal: u8,
    /// What happened to the bytes of the file after that, in order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damage: Vec<Damage>,
}

/// The two persistence contracts of Codex.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Records without ordinals.
    #[default]
    Legacy,
    /// Each record has an ordinal.
    Paginated,
}

/// One thing that happens in a session.
///
/// Operations on a turn act on the newest one, whether or not it has ended; before the first turn
/// they act outside any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// A whole turn: user messages, an answer, tool calls of which the last `open` have no output.
    Turn {
        /// User messages; the first opens the turn, the others steer it.
        users: u8,
        /// Tool calls.
        calls: u8,
        /// How many of them are without output; taken modulo `calls + 1`.
        open: u8,
        /// How it ends.
        end: End,
    },
    /// A turn begins.
    Start,
    /// The newest turn begins once more.
    StartAgain,
    /// The settings of the turn are recorded.
    Settings {
        /// What they say.
        settings: Settings,
    },
    /// A user speaks.
    User,
    /// A user speaks in two parts.
    TwoParts,
    /// A user speaks at length, one or more times: 30 000 bytes each.
    LongUsers {
        /// How often; taken modulo four, and one more.
        users: u8,
    },
    /// A message leaves one of its two records.
    Half {
        /// Which.
        half: Half,
    },
    /// A user message that is context and not talk.
    Context {
        /// Of what.
        context: Context,
    },
    /// A user message that looks like context or summary and is talk.
    LookAlike {
        /// Like what.
        like: LookAlike,
    },
    /// A summary of an earlier compaction stands alone.
    Summary,
    /// A message of the developer.
    Developer {
        /// About what.
        developer: Developer,
    },
    /// A system message.
    System,
    /// The agent speaks.
    Agent,
    /// The agent thinks.
    Reasoning,
    /// The agent calls a tool.
    Call {
        /// Which kind.
        tool: Tool,
    },
    /// A tool answers.
    Output {
        /// Which call, modulo the calls so far; without any it answers none.
        call: u8,
        /// In what form.
        form: Form,
        /// Whether it is an output of the other kind of tool.
        crossed: bool,
    },
    /// A tool answers a call that nobody made.
    Orphan {
        /// Which kind.
        tool: Tool,
    },
    /// A tool answers the next call before it is made.
    Early {
        /// Which kind.
        tool: Tool,
    },
    /// The turn ends.
    End {
        /// How.
        end: End,
        /// How many turns before the newest it names; taken modulo the turns so far.
        back: u8,
    },
    /// The context is compacted.
    Compact {
        /// With what.
        with: Compaction,
        /// Where.
        place: Place,
    },
    /// Turns are taken back.
    Rollback {
        /// How many; may be more than exist.
        turns: u8,
    },
    /// The metadata once more.
    Meta {
        /// Whether it is that of another thread in another folder, as a fork has it.
        foreign: bool,
    },
    /// Something that says nothing to the model.
    Aside {
        /// What.
        aside: Aside,
    },
    /// Something that nobody knows.
    Strange {
        /// What.
        strange: Strange,
    },
    /// Ordinals do not go on by one; nothing in a legacy file.
    Ordinal {
        /// How.
        step: Step,
    },
}

/// What a compaction leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compaction {
    /// A summary only.
    Summary,
    /// A summary without text.
    Empty,
    /// A complete base of this many user messages and the summary; nothing at all if 0.
    Base {
        /// User messages in it.
        users: u8,
        /// Whether it numbers its context window.
        numbered: bool,
        /// What else is in it, even if there are no users.
        extra: Extra,
    },
}

impl Op {
    /// The operation's name, for counts.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Turn { .. } => "turn",
            Op::Start => "start",
            Op::StartAgain => "start again",
            Op::Settings { .. } => "settings",
            Op::User => "user",
            Op::TwoParts => "two parts",
            Op::LongUsers { .. } => "long users",
            Op::Half { .. } => "half",
            Op::Context { .. } => "context",
            Op::LookAlike { .. } => "look-alike",
            Op::Summary => "summary",
            Op::Developer { .. } => "developer",
            Op::System => "system",
            Op::Agent => "agent",
            Op::Reasoning => "reasoning",
            Op::Call { .. } => "call",
            Op::Output { .. } => "output",
            Op::Orphan { .. } => "orphan",
            Op::Early { .. } => "early",
            Op::End { .. } => "end",
            Op::Compact { .. } => "compact",
            Op::Rollback { .. } => "rollback",
            Op::Meta { .. } => "meta",
            Op::Aside { .. } => "aside",
            Op::Strange { .. } => "strange",
            Op::Ordinal { .. } => "ordinal",
        }
    }
}

impl Program {
    /// A program that resumes an undamaged session once.
    pub fn new(mode: Mode, ops: Vec<Op>) -> Program {
        Program {
            mode,
            ops,
            resumes: 1,
            spelling: Spelling::default(),
            first_ordinal: 0,
            damage: Vec::new(),
        }
    }

    /// Adds how often each operation and each damage occurs to `counts`.
    pub fn count(&self, counts: &mut BTreeMap<&'static str, usize>) {
        let ops = self.ops.iter().map(Op::name);
        for name in ops.chain(self.damage.iter().map(Damage::name)) {
            *counts.entry(name).or_default() += 1;
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
