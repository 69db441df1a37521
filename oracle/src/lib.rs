//! The reference semantics of resuming agent sessions.
//!
//! Bytes in, values out: the oracle knows no file system, clock, process or network. A session is
//! a [`Home`], an operation on it is predicted by [`predict`] and an observation of a real program
//! is brought into the same form by [`outcome`]; the two are then compared with plain equality.
//! No input makes it fail or panic.

mod choices;
pub mod claude;
pub mod codex;
mod disk;
mod edition;
mod fate;
mod home;
mod json;
mod markers;
mod observed;
mod operation;
mod outcome;
mod prediction;
mod rules;

pub use choices::{Choice, Choices};
pub use edition::{
    CLAUDE_2_1_87, CLAUDE_2_1_100, CLAUDE_2_1_197, CLAUDE_2_1_332, CODEX_0_138, CODEX_0_145,
    CODEX_0_171, Defect, EDITIONS, Edition, Family,
};
pub use fate::{End, Fate};
pub use home::{Bytes, File, Home};
pub use json::Json;
pub use markers::Markers;
pub use observed::{Observed, Reply};
pub use operation::{
    ANSWER, CONFIGURED_MODEL, CONFIGURED_PROVIDER, Entry, Operation, PROBE, Terms,
};
pub use outcome::{
    Answer, Aspect, Effect, Id, Identity, Injected, Item, Outcome, Settings, Time, Turn, TurnItem,
    Written,
};
pub use prediction::{Prediction, Should, exercised, name_earlier, outcome, predict};
pub use rules::{Level, RULES, Rule, Status};
