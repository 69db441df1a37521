//! One scenario through a session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use forkproof_generators::Scenario;
use forkproof_judge::{Judgement, judge};
use forkproof_oracle::Observed;

use super::Session;
use crate::Ending;

/// How often a wait looks whether it should go on.
pub(super) const TICK: Duration = Duration::from_millis(100);

/// What came out.
#[derive(Debug, Clone)]
pub enum Attempt {
    /// Observations and what they are worth.
    Judged(Judgement, Vec<Observed>),
    /// The target crashed, hung or broke its protocol.
    TargetFault(String),
    /// We failed.
    HarnessFault(String),
    /// Somebody asked to stop.
    Stopped,
}

impl Attempt {
    /// What an ending of `scenario` is worth.
    pub(super) fn of(ending: Ending, scenario: &Scenario, session: &Session) -> Attempt {
        match ending {
            Ending::Observed(observed) => {
                let (edition, expect) = (session.edition, session.expect);
                let judgement = judge(scenario, &observed, edition, expect, &session.markers);
                Attempt::Judged(judgement, observed)
            }
            Ending::TargetFault(why) => Attempt::TargetFault(why),
            Ending::HarnessFault(why) => Attempt::HarnessFault(why),
        }
    }
}

/// Runs `scenario`; `alone` means in a home and a process of its own.
pub fn attempt(
    session: &mut Session,
    scenario: &Scenario,
    alone: bool,
    stop: &AtomicBool,
) -> Attempt {
    session.submit(0, scenario, alone);
    while !stop.load(Ordering::Relaxed) {
        if let Some((_, ending)) = session.wait(TICK) {
            return Attempt::of(ending, scenario, session);
        }
    }
    Attempt::Stopped
}
