//! The operation language.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    Attachment, Content, Flag, Form, Ids, Interrupt, Keep, Leaf, Next, Note, Order, Pace, Reply,
    Spoil, Stray, Style, System, To, Uuid, When, Wiring,
};
use crate::{Damage, Spelling};

/// How one transcript came to be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// What happened, in order.
    pub ops: Vec<Op>,
    /// How often the session is resumed after that, each time in a new process; at least once.
    pub resumes: u8,
    /// Whether it is named by its file and not by its id.
    #[serde(default, skip_serializing_if = "is_default")]
    pub by_path: bool,
    /// How its texts are spelled.
    #[serde(default, skip_serializing_if = "is_default")]
    pub spelling: Spelling,
    /// What happened to the bytes of the file after that, in order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damage: Vec<Damage>,
}

/// One thing that happens in a session.
///
/// A new entry hangs on the tip and becomes it. Entries and lines are named by how many came after
/// them, modulo those that there are; without any, nothing happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Op {
    /// A whole turn as the program writes it: prompt, attachments, thought, calls with their
    /// results, answer.
    Turn {
        /// Tool calls; taken modulo four.
        calls: u8,
        /// Attachments behind the prompt; taken modulo three.
        attached: u8,
        /// Whether the assistant thinks first.
        thinks: bool,
        /// Whether the lines stand around it that say that it began and where it ended.
        noted: bool,
    },
    /// A user speaks.
    User {
        /// What.
        content: Content,
    },
    /// An assistant speaks.
    Assistant {
        /// What.
        reply: Reply,
        /// Whether it is of the same message as the answer before.
        joined: bool,
    },
    /// An assistant calls a tool.
    Call {
        /// Whether with an id that an earlier call has, the newest of them.
        again: bool,
    },
    /// A tool answers.
    Result {
        /// Which call, by how many came after it; without any it answers none.
        call: u8,
        /// In what form.
        form: Form,
        /// Whether it failed.
        error: bool,
    },
    /// A tool answers a call that nobody made.
    Orphan,
    /// Parallel calls.
    Tools {
        /// How many; taken modulo three, and two more.
        calls: u8,
        /// How many of them are without result; taken modulo the calls.
        open: u8,
        /// What hangs on what.
        wiring: Wiring,
        /// In which order the lines stand.
        order: Order,
        /// What the next entry hangs on.
        next: Next,
        /// Ids of the messages.
        ids: Ids,
    },
    /// The context is compacted.
    Compact {
        /// What is preserved.
        keep: Keep,
        /// How many entries; taken modulo four, and one more.
        kept: u8,
        /// Whether the boundary hangs on the tip.
        linked: bool,
        /// Whether a summary follows.
        summary: bool,
    },
    /// A turn is interrupted.
    Interrupt {
        /// What that leaves.
        interrupt: Interrupt,
    },
    /// An earlier entry becomes the tip.
    Rewind {
        /// Which.
        back: u8,
        /// Whether the file says so.
        told: bool,
    },
    /// A side conversation.
    Sidechain {
        /// Whether it begins at nothing and not at the tip.
        rooted: bool,
        /// Whether the conversation goes on behind it.
        joined: bool,
    },
    /// A system entry.
    System {
        /// What it says.
        system: System,
    },
    /// An attachment.
    Attachment {
        /// Of what.
        attachment: Attachment,
    },
    /// A line of progress, as older releases wrote it.
    Progress {
        /// Whether the next entry hangs on it.
        inside: bool,
    },
    /// A line that is no entry.
    Note {
        /// What it says.
        note: Note,
    },
    /// A line that names a leaf.
    LastPrompt {
        /// Which.
        leaf: Leaf,
        /// How many entries before the newest.
        back: u8,
    },
    /// An entry gets another parent.
    Parent {
        /// Which entry.
        entry: u8,
        /// Of what kind.
        to: To,
        /// How many entries before the newest, or after it.
        by: u8,
    },
    /// An entry gets another id.
    Uuid {
        /// Which entry.
        entry: u8,
        /// Of what kind.
        uuid: Uuid,
        /// How many entries before it.
        by: u8,
    },
    /// An entry gets another time.
    Time {
        /// Which entry.
        entry: u8,
        /// When.
        when: When,
    },
    /// Something is said of an entry.
    Flag {
        /// Which entry.
        entry: u8,
        /// What.
        flag: Flag,
    },
    /// The message of an entry gets broken.
    Spoil {
        /// Which entry.
        entry: u8,
        /// How.
        spoil: Spoil,
    },
    /// An entry is written once more, with another text.
    Again {
        /// Which entry.
        entry: u8,
        /// Whether it hangs on the tip now.
        moved: bool,
    },
    /// A line is lost.
    Lose {
        /// Which line.
        line: u8,
    },
    /// A line moves towards the start.
    Move {
        /// Which line.
        line: u8,
        /// By how many lines.
        by: u8,
    },
    /// The lines are in reverse.
    Reverse,
    /// The lines are in another order.
    Shuffle {
        /// In which.
        seed: u8,
    },
    /// An entry is written in another way.
    Write {
        /// Which entry.
        entry: u8,
        /// How.
        style: Style,
    },
    /// A line that is no entry and no metadata.
    Stray {
        /// What.
        stray: Stray,
        /// Whether the next entry hangs on it, if it has an id.
        inside: bool,
    },
    /// Entries come at another pace.
    Pace {
        /// Which.
        pace: Pace,
    },
    /// A user line that makes the file larger than five mebibytes; a second one does nothing.
    Pad,
}

impl Op {
    /// The operation's name, for counts.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Turn { .. } => "turn",
            Op::User { .. } => "user",
            Op::Assistant { .. } => "assistant",
            Op::Call { .. } => "call",
            Op::Result { .. } => "result",
            Op::Orphan => "orphan",
            Op::Tools { .. } => "tools",
            Op::Compact { .. } => "compact",
            Op::Interrupt { .. } => "interrupt",
            Op::Rewind { .. } => "rewind",
            Op::Sidechain { .. } => "sidechain",
            Op::System { .. } => "system",
            Op::Attachment { .. } => "attachment",
            Op::Progress { .. } => "progress",
            Op::Note { .. } => "note",
            Op::LastPrompt { .. } => "last prompt",
            Op::Parent { .. } => "parent",
            Op::Uuid { .. } => "uuid",
            Op::Time { .. } => "time",
            Op::Flag { .. } => "flag",
            Op::Spoil { .. } => "spoil",
            Op::Again { .. } => "again",
            Op::Lose { .. } => "lose",
            Op::Move { .. } => "move",
            Op::Reverse => "reverse",
            Op::Shuffle { .. } => "shuffle",
            Op::Write { .. } => "write",
            Op::Stray { .. } => "stray",
            Op::Pace { .. } => "pace",
            Op::Pad => "pad",
        }
    }
}

impl Program {
    /// A program that resumes an undamaged session once by its id.
    pub fn new(ops: Vec<Op>) -> Program {
        Program { ops, resumes: 1, ..Program::default() }
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
