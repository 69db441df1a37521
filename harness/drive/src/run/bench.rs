//! The harness against a bare client of the same program, in the same run.

use std::sync::atomic::AtomicBool;

use forkproof_generators::Scenario;
use forkproof_generators::codex::{Program, sample};
use forkproof_judge::Verdict;
use forkproof_oracle::{Family, Markers};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::conform::through;
use super::session::{filled, program};
use super::suite::generated;
use super::{Choice, Failure, Plan, Suite, Target};
use crate::{Case, bare_loop};

/// What was measured. Rates are scenarios a second, each the median of the rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Bench {
    /// What was measured; the ratio is called after it.
    pub family: Family,
    /// Scenarios a round.
    pub cases: usize,
    /// Rounds; in each, bare client and harness run one after the other.
    pub rounds: usize,
    /// Processes of the target at once.
    pub jobs: usize,
    /// The bare client.
    pub bare_per_s: f64,
    /// The harness.
    pub scenarios_per_s: f64,
    /// Harness ÷ bare client, median of the rounds.
    pub rate_ratio: f64,
    /// The same ratio in the worst and the best round.
    pub rate_ratio_spread: [f64; 2],
    /// Processor time of the harness ÷ that of the target.
    pub harness_cpu_share: f64,
}

impl Serialize for Bench {
    /// An object of version 1.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ratio = format!("{}_rate_ratio", self.family.name());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &1)?;
        map.serialize_entry("cases", &self.cases)?;
        map.serialize_entry("rounds", &self.rounds)?;
        map.serialize_entry("jobs", &self.jobs)?;
        map.serialize_entry("bare_per_s", &self.bare_per_s)?;
        map.serialize_entry("scenarios_per_s", &self.scenarios_per_s)?;
        map.serialize_entry(&ratio, &self.rate_ratio)?;
        map.serialize_entry(&format!("{ratio}_spread"), &self.rate_ratio_spread)?;
        map.serialize_entry("harness_cpu_share", &self.harness_cpu_share)?;
        map.end()
    }
}

/// Measures `rounds` rounds of `cases` generated scenarios.
pub fn bench(
    choice: &Choice,
    cases: usize,
    rounds: usize,
    stop: &AtomicBool,
) -> Result<Bench, Failure> {
    let Target::Real { family, version } = &choice.target else {
        return Err(Failure::Usage(
            "only a real program can be measured, --target codex or claude".to_owned(),
        ));
    };
    let (program, _) = program(choice, *family, version.as_deref())?;
    let markers = Markers::stand_in();
    let scenarios = workload(choice, *family, cases)?;
    let bare_cases: Vec<Case> = scenarios
        .iter()
        .zip(0..)
        .map(|(scenario, id)| Case {
            id,
            files: filled(&scenario.home, &markers),
            operations: scenario.operations.clone(),
            alone: false,
        })
        .collect();
    let (mut bare, mut ours, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.max(1) {
        bare.push(bare_loop(&program, &bare_cases, &choice.options)?);
        let plan = Plan {
            choice: choice.clone(),
            suites: vec![Suite::Generated],
            seed: 0,
            cases,
            filter: None,
            rule: None,
            time: None,
            today: "0000-00-00".to_owned(),
        };
        let report = through(&plan, scenarios.clone(), stop, &mut |_| ())?;
        let Some(footer) = report.footer else {
            return Err(Failure::Interrupted("nothing was measured".to_owned()));
        };
        if report.tally.of(Verdict::Conformant) != report.tally.scenarios() {
            return Err(Failure::NoTarget(
                "the target is not conformant, run conform before measuring".to_owned(),
            ));
        }
        ours.push(report.tally.scenarios() as f64 / report.busy.as_secs_f64());
        shares.push(footer.harness_cpu_s / footer.target_cpu_s);
    }
    let mut ratios: Vec<f64> = ours.iter().zip(&bare).map(|(ours, bare)| ours / bare).collect();
    ratios.sort_by(f64::total_cmp);
    Ok(Bench {
        family: *family,
        cases,
        rounds: ratios.len(),
        jobs: choice.options.jobs,
        bare_per_s: median(bare),
        scenarios_per_s: median(ours),
        rate_ratio_spread: [ratios[0], ratios[ratios.len() - 1]],
        rate_ratio: median(ratios),
        harness_cpu_share: median(shares),
    })
}

/// What both are given.
fn workload(choice: &Choice, family: Family, cases: usize) -> Result<Vec<Scenario>, Failure> {
    let made = match family {
        Family::Claude => generated(family, 0, cases),
        // A second resume costs the harness a process that the bare client does not start.
        Family::Codex => {
            let single = |program| Scenario::generated(Program { resumes: 1, ..program });
            sample(0, cases).into_iter().map(single).collect()
        }
    };
    if !made.is_empty() {
        return Ok(made);
    }
    // As long as nothing makes any, stored ones in turn.
    let stored = Suite::Golden.scenarios(&choice.root, family, 0, 0)?;
    Ok(stored.iter().cycle().take(cases).cloned().collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
