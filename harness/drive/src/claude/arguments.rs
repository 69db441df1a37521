//! An operation as a command line.

use forkproof_oracle::{CONFIGURED_MODEL, Entry, Operation, PROBE};

use super::MARK;
use crate::fault::Fault;
use crate::worker::Call;

/// The arguments that make the program carry out `operation` and take the turn that shows its
/// context.
pub(super) fn arguments(operation: &Operation, call: &Call<'_>) -> Result<Vec<String>, Fault> {
    let mut out = vec!["-p".to_owned(), PROBE.to_owned()];
    out.extend(session(operation, |path| call.file(path))?);
    out.push(flag("output-format", "json"));
    out.extend(usual());
    Ok(out)
}

/// What holds in every run: nothing but two tools and a system prompt of our own.
pub(super) fn usual() -> [String; 4] {
    [
        flag("system-prompt", MARK),
        flag("tools", "Bash,Read"),
        "--disable-slash-commands".to_owned(),
        flag("model", CONFIGURED_MODEL),
    ]
}

/// Which session, and on which terms; `file` is the place of a session file.
fn session(
    operation: &Operation,
    file: impl Fn(&str) -> Result<String, Fault>,
) -> Result<Vec<String>, Fault> {
    let Operation::Resume { thread, entry, terms } = operation;
    let mut out = Vec::new();
    match entry {
        Entry::Id => out.push(flag("resume", thread)),
        Entry::Path(path) => out.push(flag("resume", &file(path)?)),
        Entry::Title(title) => out.push(flag("resume", title)),
        Entry::Latest => out.push("--continue".to_owned()),
        Entry::New => {}
    }
    out.extend(terms.at.iter().map(|at| flag("resume-session-at", at)));
    out.extend(terms.id.iter().map(|id| flag("session-id", id)));
    out.extend(terms.unsaved.then(|| "--no-session-persistence".to_owned()));
    Ok(out)
}

/// In one piece: a value that starts with a dash is a value too.
pub(super) fn flag(name: &str, value: &str) -> String {
    format!("--{name}={value}")
}

#[cfg(test)]
mod tests {
    use forkproof_oracle::{Entry, Operation, Terms};

    use super::session;

    #[track_caller]
    fn becomes(entry: Entry, terms: Terms, expected: &[&str]) {
        let operation = Operation::Resume { thread: "t".to_owned(), entry, terms };
        let words = session(&operation, |path| Ok(format!("/home/{path}"))).expect("arguments");
        assert_eq!(words, expected);
    }

    #[test]
    fn every_entry_has_its_flag() {
        let usual = Terms::default;
        becomes(Entry::Id, usual(), &["--resume=t"]);
        becomes(Entry::Path("projects/a".to_owned()), usual(), &["--resume=/home/projects/a"]);
        becomes(Entry::Title("--tools x".to_owned()), usual(), &["--resume=--tools x"]);
        becomes(Entry::Latest, usual(), &["--continue"]);
        becomes(Entry::New, usual(), &[]);
    }

    #[test]
    fn every_term_has_its_flag() {
        let terms = Terms { at: Some("-m".to_owned()), id: Some("u".to_owned()), unsaved: true };
        let expected = ["--resume-session-at=-m", "--session-id=u", "--no-session-persistence"];
        becomes(Entry::New, terms, &expected);
    }
}
