//! What the oracle predicts is what the real program did, for every stored scenario.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use forkproof_generators::{Scenario, read};
use forkproof_judge::{Expected, readable, readable_fates};
use forkproof_oracle::{
    Edition, Family, Home, Markers, Prediction, RULES, exercised, outcome, predict,
};
use similar::{ChangeTag, TextDiff};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn golden(family: Family) -> Vec<(Scenario, PathBuf)> {
    let folder = root().join("corpora/golden").join(family.name());
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the corpora are there")
        .map(|entry| entry.expect("readable").path())
        .collect();
    folders.sort();
    let case = |folder: PathBuf| {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        (read(&folder, &name).expect("a scenario"), folder)
    };
    folders.into_iter().map(case).collect()
}

/// The prediction of a scenario's first operation. The second one acts on what the first has left
/// on a disk, which only a real program shows.
fn first(edition: &Edition, scenario: &Scenario) -> Prediction {
    let markers = Markers::stand_in();
    let home = filled(scenario);
    predict(edition, &home, &home, &scenario.operations[0], &markers)
}

fn filled(scenario: &Scenario) -> Home {
    let mut home = scenario.home.clone();
    for file in home.values_mut() {
        file.content.0 = Markers::stand_in().fill(&file.content.0);
    }
    home
}

#[test]
fn predictions_equal_what_the_real_programs_did() {
    for family in Family::ALL {
        let golden = golden(family);
        assert!(golden.len() >= 110, "only {} scenarios of {}", golden.len(), family.name());
        for edition in family.editions() {
            golden.iter().for_each(|(scenario, folder)| equals(edition, scenario, folder));
        }
    }
}

fn equals(edition: &Edition, scenario: &Scenario, folder: &Path) {
    let name = format!("{} by {}", scenario.name, edition.name);
    let expected = Expected::read(folder, edition.name).expect("readable");
    let expected = expected.unwrap_or_else(|| panic!("{name}: nothing recorded"));
    assert_eq!(expected.version, edition.release, "{name}");
    assert_eq!(expected.outcomes.len(), scenario.operations.len(), "{name}");
    assert_eq!(first(edition, scenario).outcome, expected.outcomes[0], "{name}");
}

/// The newest edition in full, each older one as what differs from the one after it.
#[test]
fn what_a_resume_sees_is_reviewed() {
    Family::ALL.into_iter().for_each(review);
}

fn review(family: Family) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots").join(family.name()));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (scenario, _) in golden(family) {
        let text = |edition: &Edition| {
            let prediction = first(edition, &scenario);
            let fates = readable_fates(&prediction.fates);
            format!("{}fates:\n{fates}", readable(&prediction.outcome))
        };
        let mut editions = family.editions().rev();
        let newest = editions.next().expect("an edition");
        let mut newer = text(newest);
        let mut shown = format!("{}\n{newer}", newest.name);
        for edition in editions {
            let this = text(edition);
            let diff = TextDiff::from_lines(&newer, &this);
            let _ = write!(shown, "\n{}, other than above\n", edition.name);
            for change in diff.iter_all_changes().filter(|it| it.tag() != ChangeTag::Equal) {
                let _ = write!(shown, "{}{change}", change.tag());
            }
            newer = this;
        }
        settings.set_description(&scenario.about.title);
        settings.bind(|| insta::assert_snapshot!(scenario.name.as_str(), shown));
    }
}

#[test]
fn every_rule_with_a_choice_is_exercised_by_a_scenario_in_an_edition_that_follows_it() {
    let markers = Markers::stand_in();
    for family in Family::ALL {
        let golden = golden(family);
        let unstored = |id: &&str| RULES.iter().any(|it| it.id == *id && it.unstored.is_some());
        let rules = family.editions().flat_map(Edition::rules);
        let mut missing: BTreeSet<&str> = rules.filter(|id| !unstored(id)).collect();
        for edition in family.editions() {
            for (scenario, _) in &golden {
                let (home, operation) = (filled(scenario), &scenario.operations[0]);
                for rule in exercised(edition, &home, &home, operation, &markers) {
                    missing.remove(rule);
                }
            }
        }
        assert_eq!(missing, BTreeSet::new(), "{}", family.name());
    }
}

#[test]
fn an_observation_of_nothing_has_no_context() {
    let (scenario, _) = golden(Family::Codex).swap_remove(0);
    let observed = forkproof_oracle::Observed {
        root: "/home".to_owned(),
        before: scenario.home.clone(),
        after: scenario.home.clone(),
        reply: forkproof_oracle::Reply::Result(forkproof_oracle::Json::Null),
        request: None,
    };
    let seen = outcome(scenario.family, &observed, &scenario.operations[0], &Markers::stand_in());
    assert_eq!((seen.context, seen.turns, seen.identity), (None, None, None));
}
