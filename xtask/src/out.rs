//! The output of commands.

use std::io::{self, ErrorKind, Write as _};
use std::sync::OnceLock;

use forkproof_drive::Failure;

/// Why the output cannot be written any more.
static BROKEN: OnceLock<io::Error> = OnceLock::new();

/// Prints one line. When the output is closed the command goes on in silence: it still cleans up,
/// and its exit code stays true.
pub(crate) fn line(text: &str) {
    if BROKEN.get().is_none()
        && let Err(error) = writeln!(io::stdout(), "{text}")
    {
        // Only the first reason counts.
        let _ = BROKEN.set(error);
    }
}

/// Prints for people, beside the output.
pub(crate) fn aside(text: &str) {
    // If nobody listens there is nobody to tell.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints a mistake as one line, whatever is in it: names of files and words of programs are not
/// commands for a terminal.
pub(crate) fn mistake(text: &str) {
    aside(&plain(text));
}

/// An error if somebody misses a part of the output. A reader who has seen enough does not.
pub(crate) fn complete() -> Result<(), Failure> {
    match BROKEN.get() {
        Some(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Harness(format!("the output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// A value as one line of JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data")
}

fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.trim_end().chars() {
        match c.is_control() {
            true => out.extend(c.escape_debug()),
            false => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_mistake_is_one_line_without_commands_for_a_terminal() {
        assert_eq!(plain("a\nb\u{1b}[2J\n"), "a\\nb\\u{1b}[2J");
        assert_eq!(plain("it's \"é\""), "it's \"é\"");
    }
}
