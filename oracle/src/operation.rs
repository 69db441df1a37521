//! What a program is asked to do with a session.

use serde::{Deserialize, Serialize};

/// The user message of the turn that makes a restored context visible.
///
/// A program shows its context only in a request to its model, so each operation that restores a
/// context is followed by one turn with this message.
pub const PROBE: &str = "PROBE";

/// The model that a program under test is configured to use.
pub const CONFIGURED_MODEL: &str = "mock-model";

/// The name of the model provider that it is configured to use.
pub const CONFIGURED_PROVIDER: &str = "mock";

/// The assistant's answer to [`PROBE`].
pub const ANSWER: &str = "ANSWER";

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Continue a thread in a process that has not loaded it, then take one turn.
    Resume {
        /// Id of the thread.
        thread: String,
        /// How the thread is named.
        entry: Entry,
        /// What else is asked for.
        #[serde(default, skip_serializing_if = "Terms::are_usual")]
        terms: Terms,
    },
}

/// How an operation names its session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Entry {
    /// By id alone.
    Id,
    /// By a file, relative to the home.
    Path(String),
    /// By its title.
    Title(String),
    /// Whichever was used last.
    Latest,
    /// None: a new one is begun.
    New,
}

/// What else is asked for when a session is resumed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// Go on behind this message and leave out what follows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Give the session this id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Write nothing down.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsaved: bool,
}

impl Operation {
    /// A resume on the usual terms.
    pub fn resume(thread: impl Into<String>, entry: Entry) -> Operation {
        Operation::Resume { thread: thread.into(), entry, terms: Terms::default() }
    }
}

impl Terms {
    fn are_usual(&self) -> bool {
        *self == Terms::default()
    }
}
