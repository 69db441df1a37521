//! `claude -p`, a process an operation.

mod arguments;
mod engine;
mod interrupt;
mod lines;
mod process;
mod reply;
mod slug;

pub(crate) use engine::{perform, repeat};
pub(crate) use interrupt::interruptions;
pub(crate) use slug::slug;

/// Where it keeps sessions, below its home.
pub(crate) const FOLDERS: &[&str] = &["projects"];

/// The system prompt: it tells the request of a turn from others that the program makes.
const MARK: &str = "MARK";

/// What its processes find in their environment, beside what every program does.
pub(crate) const ENVIRONMENT: [(&str, &str); 8] = [
    ("ANTHROPIC_API_KEY", "made-up"),
    ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ("DISABLE_AUTO_COMPACT", "1"),
    ("DISABLE_AUTOUPDATER", "1"),
    ("DISABLE_ERROR_REPORTING", "1"),
    ("DISABLE_TELEMETRY", "1"),
    ("LANG", "C.UTF-8"),
    ("TZ", "UTC"),
];
