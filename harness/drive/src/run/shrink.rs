//! The smallest scenario with the same disagreement.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use forkproof_generators::{Scenario, smaller};
use forkproof_judge::{Difference, Verdict};
use forkproof_oracle::Aspect;

use super::{Attempt, Failure, Session, attempt};

/// What shrinking found.
#[derive(Debug)]
pub struct Shrunk {
    /// The smallest scenario found.
    pub scenario: Scenario,
    /// Its differences.
    pub differences: Vec<Difference>,
    /// Rules that it exercises.
    pub rules: BTreeSet<&'static str>,
    /// How many scenarios were run.
    pub runs: usize,
}

/// Makes `scenario` smaller as long as it disagrees in the same way, at most `budget` runs.
pub fn shrink(
    session: &mut Session,
    scenario: Scenario,
    budget: usize,
    stop: &AtomicBool,
) -> Result<Shrunk, Failure> {
    let mut runs = 1;
    let (differences, rules) = match attempt(session, &scenario, false, stop) {
        Attempt::Judged(judgement, _) if judgement.verdict == Verdict::Divergent => {
            (judgement.differences, judgement.rules)
        }
        Attempt::Judged(..) => {
            return Err(Failure::Usage(format!(
                "{} agrees with {}, there is nothing to shrink",
                scenario.name, session.edition.name
            )));
        }
        Attempt::TargetFault(why) => {
            return Err(Failure::NoTarget(format!("{}: {why}", scenario.name)));
        }
        Attempt::HarnessFault(why) => return Err(Failure::Harness(why)),
        Attempt::Stopped => return Err(Failure::Interrupted("nothing was found".to_owned())),
    };
    let wanted = shape(&differences);
    let mut best = Shrunk { scenario, differences, rules, runs };
    'smaller: loop {
        for candidate in smaller(&best.scenario) {
            if runs >= budget || stop.load(Ordering::Relaxed) {
                break 'smaller;
            }
            runs += 1;
            if let Some((differences, rules)) = disagreement(session, &candidate, stop)?
                && shape(&differences) == wanted
            {
                best = Shrunk { scenario: candidate, differences, rules, runs };
                continue 'smaller;
            }
        }
        break;
    }
    best.runs = runs;
    Ok(best)
}

/// What makes two disagreements the same kind: aspects and kinds of their differences.
fn shape(differences: &[Difference]) -> BTreeSet<(Aspect, String)> {
    differences.iter().map(|difference| (difference.aspect, difference.kind.clone())).collect()
}

type Disagreement = (Vec<Difference>, BTreeSet<&'static str>);

fn disagreement(
    session: &mut Session,
    scenario: &Scenario,
    stop: &AtomicBool,
) -> Result<Option<Disagreement>, Failure> {
    match attempt(session, scenario, false, stop) {
        Attempt::Judged(judgement, _) => Ok((judgement.verdict == Verdict::Divergent)
            .then_some((judgement.differences, judgement.rules))),
        // A smaller scenario that crashes the target is another disagreement.
        Attempt::TargetFault(_) | Attempt::Stopped => Ok(None),
        Attempt::HarnessFault(why) => Err(Failure::Harness(why)),
    }
}
