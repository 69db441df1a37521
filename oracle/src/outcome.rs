//! What an operation shows, in aspects, over symbols.
//!
//! Predictions and observations are both of this type; after canonicalisation they are compared
//! with plain equality.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Json;

/// One operation's outcome. `None` in an aspect means *unobserved*: never a pass.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// Whether the program did what it was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// What the model is sent, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Vec<Item>>,
    /// What a user interface is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Vec<Turn>>,
    /// Ids, lineage and file names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<Identity>,
    /// Settings restored or overridden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<Settings>,
    /// What became of each session file, by path relative to the home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<BTreeMap<String, Effect>>,
}

/// The parts of an outcome that are compared, reported and listed on their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    /// [`Outcome::answer`].
    Answer,
    /// [`Outcome::context`].
    Context,
    /// [`Outcome::turns`].
    Turns,
    /// [`Outcome::identity`].
    Identity,
    /// [`Outcome::settings`].
    Settings,
    /// [`Outcome::disk`].
    Disk,
}

impl Aspect {
    /// All aspects, in the order of reports.
    pub const ALL: [Aspect; 6] = [
        Aspect::Answer,
        Aspect::Context,
        Aspect::Turns,
        Aspect::Identity,
        Aspect::Settings,
        Aspect::Disk,
    ];

    /// The name used in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Aspect::Answer => "answer",
            Aspect::Context => "context",
            Aspect::Turns => "turns",
            Aspect::Identity => "identity",
            Aspect::Settings => "settings",
            Aspect::Disk => "disk",
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Answer to the operation itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Done.
    Ok,
    /// Refused, with the program's own code and text.
    Refused {
        /// JSON-RPC code.
        code: i64,
        /// Message, with `<CODEX_HOME>` for the home.
        message: String,
    },
}

/// One entry of the context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// An entry that the session holds or that follows from one, without ids and nulls and with
    /// sorted keys.
    Recorded(Json),
    /// A message that the program adds by itself.
    Injected(Injected),
    /// The message of the turn that makes the context visible.
    Prompt,
    /// The model's answer to it.
    Answer,
    /// A message whose parts are not all of one kind.
    Message {
        /// `user`, `assistant` or `system`.
        role: String,
        /// Its parts, none of them a message.
        parts: Vec<Item>,
    },
}

/// Messages that the program adds by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Injected {
    /// The base instructions of the thread, as the first message.
    Instructions,
    /// The base instructions of the thread, in a field of the request beside the messages.
    InstructionsField,
    /// What the model may do and how, as one developer message: the names of its parts, such as
    /// `permissions instructions`.
    Developer(Vec<String>),
    /// That instructions of AGENTS.md no longer apply.
    AgentsRevoked,
    /// A reminder of a kind, such as `environment`, in a message of somebody else or in one of its
    /// own.
    Reminder(String),
    /// Where and when the model works.
    Environment {
        /// The working folder, if the message names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<String>,
    },
}

/// An id.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Id {
    /// An id that the session held before the operation.
    Known(String),
    /// A new one: the n-th by first appearance in the outcome, from 0.
    Fresh(usize),
    /// One that an earlier operation of the scenario made: the n-th by its place in the session
    /// files, from 0.
    Earlier(usize),
}

/// One turn as a user interface is shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The turn's id.
    pub id: Id,
    /// `completed`, `interrupted`, `inProgress` or `failed`.
    pub status: String,
    /// Its entries.
    pub items: Vec<TurnItem>,
}

/// One entry of a shown turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnItem {
    /// The program's name for its kind, such as `userMessage`.
    pub kind: String,
    /// Its text, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Ids, lineage and file of the thread that the operation ended in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Id of the thread.
    pub thread: Id,
    /// Id of the thread that it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<Id>,
    /// The persistence contract: `legacy` or `paginated`; none from a release that knows but one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Its file, relative to the home; none if the program does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line that lists show for it; none if the program does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}

/// Settings in force after the operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Model name.
    pub model: String,
    /// Model provider.
    pub provider: String,
    /// Working folder.
    pub cwd: String,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Same bytes, same time of change.
    Untouched,
    /// Same bytes, another time of change.
    Touched,
    /// The old bytes are a prefix of the new ones.
    Appended {
        /// A missing final newline was written first.
        newline_first: bool,
        /// The new records.
        records: Vec<Written>,
    },
    /// A new file.
    Created {
        /// Its records.
        records: Vec<Written>,
    },
    /// Old bytes changed.
    Rewritten,
    /// The file is gone.
    Removed,
}

/// One record that an operation wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// `event_msg/task_started`, `response_item/message/user`, `attachment/date`, …; `damaged` if it
    /// is no record.
    pub kind: String,
    /// Its own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// The record that it follows or points to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Id>,
    /// The thread that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<Id>,
    /// Its place in a paginated file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ordinal: Option<u64>,
    /// When it says that it was written.
    #[serde(default, skip_serializing_if = "Time::is_absent")]
    pub time: Time,
    /// The turn that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Id>,
    /// What it adds to the context, or says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<Item>,
}

/// A point in time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Time {
    /// None is said.
    #[default]
    Absent,
    /// A time in the program's own format.
    New,
    /// Anything else, as it stands.
    Other(String),
}

impl Time {
    fn is_absent(&self) -> bool {
        *self == Time::Absent
    }
}

impl Outcome {
    /// Names ids that earlier operations of the scenario made, in the order of `drawn`: they differ
    /// from run to run.
    pub(crate) fn name_drawn<'o>(&'o mut self, drawn: &[String]) {
        let turns = self.turns.iter_mut().flatten().map(|turn| &mut turn.id);
        let threads = self
            .identity
            .iter_mut()
            .flat_map(|it| std::iter::once(&mut it.thread).chain(it.forked_from.as_mut()));
        let records =
            self.disk.iter_mut().flat_map(BTreeMap::values_mut).flat_map(|effect| match effect {
                Effect::Appended { records, .. } | Effect::Created { records } => &mut records[..],
                _ => &mut [],
            });
        let named = |record: &'o mut Written| {
            let Written { id, parent, thread, turn, .. } = record;
            [id, parent, thread, turn].into_iter().flatten()
        };
        for id in turns.chain(threads).chain(records.flat_map(named)) {
            if let Id::Known(text) = id
                && let Some(n) = drawn.iter().position(|drawn| drawn == text)
            {
                *id = Id::Earlier(n);
            }
        }
    }

    /// Whether `aspect` was seen.
    pub fn shows(&self, aspect: Aspect) -> bool {
        match aspect {
            Aspect::Answer => self.answer.is_some(),
            Aspect::Context => self.context.is_some(),
            Aspect::Turns => self.turns.is_some(),
            Aspect::Identity => self.identity.is_some(),
            Aspect::Settings => self.settings.is_some(),
            Aspect::Disk => self.disk.is_some(),
        }
    }
}
