//! One scenario, judged.

use std::collections::BTreeSet;

use forkproof_generators::Scenario;
use forkproof_oracle::{
    Edition, Markers, Observed, Outcome, exercised, name_earlier, outcome, predict,
};

use serde::{Deserialize, Serialize};

use crate::{Difference, Verdict, compare};

/// Which outcome a target is held to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// What the release of the edition does, defects included.
    #[default]
    Does,
    /// What it should do by its own documents.
    Should,
}

/// What came out of one scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The verdict, before listed divergences and repetitions are looked at.
    pub verdict: Verdict,
    /// Where prediction and observation differ.
    pub differences: Vec<Difference>,
    /// The canonical observation of each operation.
    pub outcomes: Vec<Outcome>,
    /// Defects of the release without which the outcome would be another.
    pub defects: BTreeSet<String>,
    /// Rules of which one choice, changed alone, changes the outcome.
    pub rules: BTreeSet<&'static str>,
}

/// Judges what was observed of each operation of `scenario` by what `edition` does, or should.
///
/// Each operation is predicted from the files as they were observed just before it.
pub fn judge(
    scenario: &Scenario,
    observed: &[Observed],
    edition: &Edition,
    expect: Expect,
    markers: &Markers,
) -> Judgement {
    let mut out = Judgement {
        verdict: Verdict::Conformant,
        differences: Vec::new(),
        outcomes: Vec::new(),
        defects: BTreeSet::new(),
        rules: BTreeSet::new(),
    };
    let Some(planted) = observed.first().map(|first| &first.before) else {
        return Judgement { verdict: Verdict::Unobserved, ..out };
    };
    let mut blind = observed.len() < scenario.operations.len();
    for (index, (operation, observed)) in scenario.operations.iter().zip(observed).enumerate() {
        let prediction = predict(edition, planted, &observed.before, operation, markers);
        let mut predicted = prediction.outcome;
        if let Some(should) = prediction.should {
            out.defects.extend(should.defects);
            if expect == Expect::Should {
                predicted = should.outcome;
            }
        }
        let mut seen = outcome(edition.family, observed, operation, markers);
        for outcome in [&mut predicted, &mut seen] {
            name_earlier(edition.family, outcome, planted, &observed.before);
        }
        let comparison = compare(index, &predicted, &seen);
        blind |= !comparison.unobserved.is_empty();
        out.differences.extend(comparison.differences);
        out.rules.extend(exercised(edition, planted, &observed.before, operation, markers));
        out.outcomes.push(seen);
    }
    out.verdict = match (out.differences.is_empty(), blind) {
        (false, _) => Verdict::Divergent,
        (true, true) => Verdict::Unobserved,
        (true, false) => Verdict::Conformant,
    };
    out
}
