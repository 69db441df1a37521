//! The operation language.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How one session came to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The persistence contract of the thread.
    pub mode: Mode,
    /// What happened, in order.
    pub ops: Vec<Op>,
    /// How often the session is resumed after that, each time in a new process; at least once.
    pub resumes: u8,
}

/// The two persistence contracts of Codex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Records without ordinals.
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
    /// The settings of the turn are recorded.
    Settings,
    /// A user speaks.
    User,
    /// A user message that is context and not talk.
    Context,
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
    },
    /// The turn ends.
    End {
        /// How.
        end: End,
    },
    /// The context is compacted.
    Compact {
        /// With what.
        with: Compaction,
    },
    /// Turns are taken back.
    Rollback {
        /// How many; may be more than exist.
        turns: u8,
    },
    /// A record that nobody knows.
    Unknown,
}

/// How a turn ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Properly.
    Complete,
    /// By interruption.
    Abort,
    /// Not at all.
    Open,
}

/// Kinds of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tool {
    /// With JSON arguments.
    Function,
    /// With free text.
    Custom,
}

/// What a compaction leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compaction {
    /// A summary only.
    Summary,
    /// A complete base of this many user messages and the summary; nothing at all if 0.
    Base {
        /// User messages in it.
        users: u8,
        /// Whether it numbers its context window.
        numbered: bool,
    },
}

impl Op {
    /// The operation's name, for counts.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Turn { .. } => "turn",
            Op::Start => "start",
            Op::Settings => "settings",
            Op::User => "user",
            Op::Context => "context",
            Op::Agent => "agent",
            Op::Reasoning => "reasoning",
            Op::Call { .. } => "call",
            Op::Output { .. } => "output",
            Op::End { .. } => "end",
            Op::Compact { .. } => "compact",
            Op::Rollback { .. } => "rollback",
            Op::Unknown => "unknown",
        }
    }
}

impl Program {
    /// Adds how often each operation occurs to `counts`.
    pub fn count(&self, counts: &mut BTreeMap<&'static str, usize>) {
        for op in &self.ops {
            *counts.entry(op.name()).or_default() += 1;
        }
    }
}
