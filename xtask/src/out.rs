//! The output of commands.

use std::io::{ErrorKind, Write as _};

/// Prints one line. A reader who has seen enough ends the command, without a complaint.
pub(crate) fn line(text: &str) {
    if let Err(error) = writeln!(std::io::stdout(), "{text}")
        && error.kind() == ErrorKind::BrokenPipe
    {
        std::process::exit(0);
    }
}

/// A value as one line of JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}
