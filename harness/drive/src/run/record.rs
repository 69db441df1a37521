//! Golden values from the real program.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use forkproof_judge::{Expected, Judgement};

use super::{Attempt, Choice, Failure, Session, Target, attempt, find, golden};

/// One scenario, recorded.
#[derive(Debug)]
pub struct Recorded {
    /// Its name.
    pub name: String,
    /// The golden file.
    pub path: PathBuf,
    /// Whether the file is new or has another content than before.
    pub changed: bool,
    /// What the oracle says of it.
    pub judgement: Judgement,
}

/// Runs the scenarios called `names` and writes what the program did beside each.
///
/// With `check` nothing is written, only compared.
pub fn record(
    choice: &Choice,
    names: &[String],
    check: bool,
    stop: &AtomicBool,
) -> Result<Vec<Recorded>, Failure> {
    let root = &choice.root;
    if !matches!(choice.target, Target::Real { .. }) {
        return Err(Failure::Usage(format!(
            "{} is not a real program, golden values come from --target codex or claude",
            choice.target
        )));
    }
    // A name that is not there is told before anything starts.
    let scenarios: Vec<_> =
        names.iter().map(|name| find(root, name, 0, 0)).collect::<Result<_, _>>()?;
    for scenario in &scenarios {
        choice.takes(scenario)?;
    }
    let mut session = Session::start(choice, stop)?;
    if session.extrapolated {
        return Err(Failure::Usage(format!(
            "{} {} is not the release that {} is proven on, its values are not golden",
            session.edition.family.name(),
            session.version,
            session.edition.name
        )));
    }
    let mut out = Vec::new();
    for scenario in scenarios {
        let judgement = match attempt(&mut session, &scenario, true, stop) {
            Attempt::Judged(judgement, _) => judgement,
            Attempt::TargetFault(why) => {
                return Err(Failure::NoTarget(format!("{}: {why}", scenario.name)));
            }
            Attempt::HarnessFault(why) => {
                return Err(Failure::Harness(format!("{}: {why}", scenario.name)));
            }
            Attempt::Stopped => break,
        };
        let folder = golden(root, &scenario.name);
        let expected = Expected {
            schema: Expected::SCHEMA,
            target: scenario.family.name().to_owned(),
            version: session.version.clone(),
            outcomes: judgement.outcomes.clone(),
        };
        let changed = Expected::read(&folder, session.edition.name)?.as_ref() != Some(&expected);
        let path = write(&folder, &expected, session.edition.name, check || !changed)?;
        out.push(Recorded { name: scenario.name, path, changed, judgement });
    }
    session.finish();
    Ok(out)
}

fn write(
    folder: &Path,
    expected: &Expected,
    edition: &str,
    keep: bool,
) -> Result<PathBuf, Failure> {
    match keep {
        true => Ok(Expected::path(folder, edition)),
        false => Ok(expected.write(folder, edition)?),
    }
}
