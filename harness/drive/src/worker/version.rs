//! Whether the program is the one we can drive, and which release.

use std::process::Stdio;
use std::time::Duration;

use crate::StartError;
use crate::codex::{Launch, Place};
use crate::protocol::Setup;

/// A program that needs longer to tell its version is another one.
const PATIENCE: Duration = Duration::from_secs(8);

/// The version that the program tells.
pub(super) async fn ask(setup: &Setup) -> Result<String, StartError> {
    let harness = |error| StartError::Harness(format!("cannot make a home: {error}"));
    let not = |what: String| StartError::NotCodex { binary: setup.binary.clone(), what };
    let place = Place::create(&setup.root.join("version")).map_err(harness)?;
    let launch = Launch { binary: setup.binary.clone(), namespace: setup.namespace };
    let child = launch
        .command(&place)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| not(format!("it cannot be executed ({error})")))?;
    let output = tokio::time::timeout(PATIENCE, child.wait_with_output())
        .await
        .map_err(|_| not(format!("no answer to --version within {} s", PATIENCE.as_secs())))?
        .map_err(|error| StartError::Harness(format!("cannot read its version: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if let Some(version) = parse(&text) {
        return Ok(version.to_owned());
    }
    let said = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
    let said = String::from_utf8_lossy(said);
    let first: String = said.lines().next().unwrap_or_default().chars().take(80).collect();
    Err(not(format!("its answer to --version is `{first}` ({})", output.status)))
}

fn parse(text: &str) -> Option<&str> {
    let version = text.trim().strip_prefix("codex-cli ")?;
    let fine = version.starts_with(|c: char| c.is_ascii_digit())
        && version.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c));
    fine.then_some(version)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn only_one_program_says_this() {
        assert_eq!(parse("codex-cli 0.171.0\n"), Some("0.171.0"));
        assert_eq!(parse("codex-cli 0.172.0-alpha.3"), Some("0.172.0-alpha.3"));
        for text in ["", "true (GNU coreutils) 9.1", "codex-cli ", "codex-cli 1 2", "0.171.0"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
