//! What the oracle predicts is what the real program did, for every stored scenario.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use forkproof_generators::{Scenario, read};
use forkproof_judge::{Expected, readable, readable_fates};
use forkproof_oracle::{EDITIONS, Markers, Prediction, outcome, predict};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn golden() -> Vec<(Scenario, PathBuf)> {
    let folder = root().join("corpora/golden/codex");
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

/// The predictions of a scenario's operations. The second one acts on what the first has left on
/// a disk, which only a real program shows; here the first one has to do.
fn first(scenario: &Scenario) -> Prediction {
    let markers = Markers::stand_in();
    let mut home = scenario.home.clone();
    for file in home.values_mut() {
        file.content.0 = markers.fill(&file.content.0);
    }
    predict(EDITIONS[0], &home, &scenario.operations[0], &markers)
}

#[test]
fn predictions_equal_what_the_real_program_did() {
    let golden = golden();
    assert!(golden.len() >= 46, "only {} scenarios", golden.len());
    for (scenario, folder) in golden {
        let expected = Expected::read(&folder, EDITIONS[0].name).expect("readable");
        let expected = expected.unwrap_or_else(|| panic!("{}: nothing recorded", scenario.name));
        assert_eq!(expected.version, EDITIONS[0].release, "{}", scenario.name);
        assert_eq!(expected.outcomes.len(), scenario.operations.len(), "{}", scenario.name);
        assert_eq!(first(&scenario).outcome, expected.outcomes[0], "{}", scenario.name);
    }
}

#[test]
fn what_a_resume_sees_is_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/codex-0.171"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (scenario, _) in golden() {
        let prediction = first(&scenario);
        let mut text = readable(&prediction.outcome);
        let _ = write!(text, "fates:\n{}", readable_fates(&prediction.fates));
        settings.set_description(&scenario.about.title);
        settings.bind(|| insta::assert_snapshot!(scenario.name.as_str(), text));
    }
}

#[test]
fn every_rule_with_a_choice_is_exercised_by_a_scenario() {
    let edition = EDITIONS[0];
    // What a resume injected shows in the next one: the second operation of resume-twice.
    let by_later_operations = BTreeSet::from(["CX-REC-12"]);
    let markers = Markers::stand_in();
    let mut missing = edition.rules();
    for (scenario, _) in golden() {
        let mut home = scenario.home.clone();
        for file in home.values_mut() {
            file.content.0 = markers.fill(&file.content.0);
        }
        let operation = &scenario.operations[0];
        for rule in forkproof_oracle::exercised(edition, &home, operation, &markers) {
            missing.remove(rule);
        }
    }
    assert_eq!(missing, by_later_operations);
}

#[test]
fn an_observation_of_nothing_has_no_context() {
    let (scenario, _) = golden().swap_remove(0);
    let observed = forkproof_oracle::Observed {
        root: "/home".to_owned(),
        before: scenario.home.clone(),
        after: scenario.home.clone(),
        reply: forkproof_oracle::Reply::Result(forkproof_oracle::Json::Null),
        request: None,
    };
    let seen = outcome(&observed, &scenario.operations[0], &Markers::stand_in());
    assert_eq!((seen.context, seen.turns, seen.identity), (None, None, None));
}
