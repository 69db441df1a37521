//! What the oracle says of an operation before it happens.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Edition, Fate, Home, Markers, Observed, Operation, Outcome, codex};

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
    codex::predict(edition, planted, home, operation, markers)
}

/// The canonical outcome of what was observed.
pub fn outcome(observed: &Observed, operation: &Operation, markers: &Markers) -> Outcome {
    codex::extract(observed, operation, markers)
}

/// Names ids and injected messages in `outcome` that earlier operations of a scenario made: they
/// stand in the session files `before` it, and not in those that were `planted` before the first.
pub fn name_earlier(outcome: &mut Outcome, planted: &Home, before: &Home) {
    codex::name_earlier(outcome, planted, before);
}

/// The rules of which one choice, changed alone, changes the outcome of the scenario.
pub fn exercised(
    edition: &Edition,
    planted: &Home,
    home: &Home,
    operation: &Operation,
    markers: &Markers,
) -> BTreeSet<&'static str> {
    codex::exercised(edition, planted, home, operation, markers)
}
