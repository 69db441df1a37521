//! Whether the program is the one we can drive, and which release.

use std::process::Stdio;
use std::time::Duration;

use forkproof_oracle::Family;

use crate::StartError;
use crate::launch::{Launch, Place};
use crate::protocol::Setup;

/// A program that needs longer to tell its version is another one.
const PATIENCE: Duration = Duration::from_secs(12);

/// The version that the program tells.
pub(super) async fn ask(setup: &Setup) -> Result<String, StartError> {
    let harness = |error| StartError::Harness(format!("cannot make a home: {error}"));
    let family = setup.program.family;
    let not = |what: String| StartError::Other { family, path: setup.program.path.clone(), what };
    let place = Place::create(&setup.root.join("version"), family).map_err(harness)?;
    let launch = Launch::new(setup);
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
    if let Some(version) = parse(family, &text) {
        return Ok(version.to_owned());
    }
    let said = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
    let said = String::from_utf8_lossy(said);
    let first: String = said.lines().next().unwrap_or_default().chars().take(80).collect();
    Err(not(format!("its answer to --version is `{first}` ({})", output.status)))
}

fn parse(family: Family, text: &str) -> Option<&str> {
    let version = match family {
        Family::Claude => text.trim().strip_suffix(" (Claude Code)")?,
        Family::Codex => text.trim().strip_prefix("codex-cli ")?,
    };
    let fine = version.starts_with(|c: char| c.is_ascii_digit())
        && version.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c));
    fine.then_some(version)
}

#[cfg(test)]
mod tests {
    use forkproof_oracle::Family;

    use super::parse;

    #[test]
    fn only_one_program_says_this() {
        let codex = |text| parse(Family::Codex, text);
        assert_eq!(codex("codex-cli 0.171.0\n"), Some("0.171.0"));
        assert_eq!(codex("codex-cli 0.172.0-alpha.3"), Some("0.172.0-alpha.3"));
        let claude = |text| parse(Family::Claude, text);
        assert_eq!(claude("2.1.332 (Claude Code)\n"), Some("2.1.332"));
        for text in ["", "true (GNU coreutils) 9.1", "codex-cli ", "codex-cli 1 2", "0.171.0"] {
            assert_eq!(codex(text), None, "{text:?}");
            assert_eq!(claude(text), None, "{text:?}");
        }
        assert_eq!(codex("2.1.332 (Claude Code)"), None);
        assert_eq!(claude("codex-cli 0.171.0"), None);
    }
}
