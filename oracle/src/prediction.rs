//! What the oracle says of an operation before it happens.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    Choices, Defect, Edition, Family, Fate, Home, Markers, Observed, Operation, Outcome, claude,
    codex,
};

/// A prediction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prediction {
    /// What the edition does, canonical.
    pub outcome: Outcome,
    /// What it should do, where a defect of it changes the outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub should: Option<Should>,
    /// What becomes of each line of the session, in file order.
    pub fates: Vec<Fate>,
}

/// An outcome that keeps the promises of a release, where the release itself breaks some.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Should {
    /// The outcome, canonical.
    pub outcome: Outcome,
    /// Ids of the defects that make the difference, see [`Edition::defects`].
    pub defects: Vec<String>,
}

/// Predicts `operation` on a home with these session files; `planted` are those before the first
/// operation of the scenario: what an earlier one has opened, the program knows.
///
/// Never fails and never panics, whatever the bytes are.
pub fn predict(
    edition: &Edition,
    planted: &Home,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> Prediction {
    read(edition.family, planted, home, operation, markers, |reading| {
        let mut prediction = reading(edition.choices);
        let changes = |choices: Choices| {
            let outcome = reading(choices).outcome;
            (outcome != prediction.outcome).then_some(outcome)
        };
        let alone = |defect: &&Defect| changes(edition.choices.with(defect.repair)).is_some();
        let defects: Vec<&Defect> = edition.defects.iter().filter(alone).collect();
        let repaired = defects.iter().fold(edition.choices, |all, defect| all.with(defect.repair));
        prediction.should = changes(repaired).map(|outcome| Should {
            outcome,
            defects: defects.iter().map(|defect| defect.id.to_owned()).collect(),
        });
        prediction
    })
}

/// The canonical outcome of what was observed.
pub fn outcome(
    family: Family,
    observed: &Observed,
    operation: &Operation,
    markers: &Markers,
) -> Outcome {
    match family {
        Family::Claude => claude::extract(observed, operation),
        Family::Codex => codex::extract(observed, operation, markers),
    }
}

/// Names ids and injected messages in `outcome` that earlier operations of a scenario made: they
/// stand in the session files `before` it, and not in those that were `planted` before the first.
pub fn name_earlier(family: Family, outcome: &mut Outcome, planted: &Home, before: &Home) {
    match family {
        Family::Claude => claude::name_earlier(outcome, planted, before),
        Family::Codex => codex::name_earlier(outcome, planted, before),
    }
}

/// The rules of which one choice, changed alone, changes the outcome of the scenario.
pub fn exercised(
    edition: &Edition,
    planted: &Home,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> BTreeSet<&'static str> {
    read(edition.family, planted, home, operation, markers, |reading| {
        let outcome = reading(edition.choices).outcome;
        let all = edition.choices.alternatives().into_iter();
        let rules = edition.rules();
        all.filter(|choice| rules.contains(choice.rule()))
            .filter(|choice| reading(edition.choices.with(*choice)).outcome != outcome)
            .map(|choice| choice.rule())
            .collect()
    })
}

/// Reads a home once, for the predictions by many choices that `ask` wants of it.
fn read<T>(
    family: Family,
    planted: &Home,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
    ask: impl FnOnce(&dyn Fn(Choices) -> Prediction) -> T,
) -> T {
    match family {
        Family::Claude => claude::read(planted, home, operation, ask),
        Family::Codex => codex::read(planted, home, operation, markers, ask),
    }
}
