//! The self-check of the harness.

use serde_json::Value;

use crate::support::{tool, verdicts};

/// Members of the object that `--json` prints: an interface.
const MEMBERS: [&str; 21] = [
    "schema",
    "target",
    "version",
    "edition",
    "extrapolated",
    "scenarios",
    "conformant",
    "divergent",
    "known",
    "unstable",
    "unsupported",
    "unobserved",
    "target_fault",
    "harness_fault",
    "defects",
    "rules_total",
    "rules_exercised",
    "seconds",
    "target_cpu_s",
    "harness_cpu_s",
    "exit",
];

#[test]
fn a_rule_selects_the_generated_scenarios_that_exercise_it() {
    // This one depends on a product text, for which scenarios hold a token.
    let call = "conform --target oracle --suite generated --rule CX-REC-02";
    let ended = tool(call).kept().run();
    ended.ends_with(0);
    let events = ended.place.events();
    let scenarios: Vec<_> = events.iter().filter(|it| it["scenario"].is_object()).collect();
    assert!(!scenarios.is_empty());
    for event in scenarios {
        let rules = event["scenario"]["rules"].as_array().expect("a list");
        assert!(rules.contains(&Value::from("CX-REC-02")), "{rules:?}");
    }
}

#[test]
fn the_oracle_is_conformant_to_itself_in_a_complete_run_file() {
    let ended = tool("conform --target oracle --suite golden,generated --cases 200").kept().run();
    ended.ends_with(0);
    assert!(ended.out.contains("conformant to codex-0.171"), "{}", ended.out);
    let events = ended.place.events();
    let (header, footer) = (&events[0]["header"], &events[events.len() - 1]["footer"]);
    let scenarios = usize::try_from(header["scenarios"].as_u64().expect("a number")).expect("few");
    assert!(scenarios > 200, "{header}");
    assert_eq!(events.len(), scenarios + 2);
    assert_eq!(verdicts(&events, "conformant"), scenarios);
    assert_eq!(footer["exit"], 0);
}

#[test]
fn the_oracle_is_conformant_to_itself_in_every_edition() {
    for edition in forkproof_oracle::EDITIONS {
        let call = format!("conform --target oracle --edition {} --cases 100", edition.name);
        let ended = tool(&call).kept().run();
        ended.ends_with(0);
        assert!(ended.out.contains(&format!("conformant to {}", edition.name)), "{}", ended.out);
    }
}

#[test]
fn the_same_seed_gives_the_same_scenarios() {
    let names = |seed: &str| -> Vec<Value> {
        let ended = tool("conform --target oracle --suite generated --cases 20 --seed").arg(seed);
        let events = ended.kept().run().place.events();
        events.iter().map(|event| event["scenario"]["name"].clone()).collect()
    };
    assert_eq!(names("5"), names("5"));
    assert_ne!(names("5"), names("6"));
}

#[test]
fn an_edition_with_defects_is_judged_by_what_it_does_or_by_what_it_should_do() {
    let run = |more: &str| {
        let call = "conform --target oracle --edition codex-0.145 --cases 50";
        tool(call).arg("--seed=3").arg(format!("--expect={more}")).kept().run()
    };
    let does = run("does");
    does.ends_with(0);
    assert!(does.out.contains("\ndefects    CX-DEFECT-01 "), "{}", does.out);
    let should = run("should");
    should.ends_with(1);
    assert!(should.out.contains("meets the defects CX-DEFECT-01"), "{}", should.out);
    assert!(should.out.contains("not conformant to what codex-0.145 should do"), "{}", should.out);
    assert!(should.out.contains("--expect should"), "{}", should.out);
}

#[test]
fn json_is_one_object_and_the_only_output() {
    let ended = tool("conform --target oracle --cases 20 --json").kept().run();
    ended.ends_with(0);
    assert_eq!(ended.out.lines().count(), 1, "{}", ended.out);
    let object: serde_json::Map<String, Value> =
        serde_json::from_str(&ended.out).expect("an object");
    let at = |name: &str| ended.out.find(&format!("\"{name}\":"));
    let mut places: Vec<Option<usize>> = MEMBERS.into_iter().map(at).collect();
    assert!(places.is_sorted() && places.remove(0) == Some(1), "{}", ended.out);
    assert_eq!(object.len(), MEMBERS.len());
    assert_eq!(object["exit"], 0);
    assert_eq!(object["scenarios"], object["conformant"]);
    assert_eq!(object["schema"], 1);
}

#[test]
fn json_of_a_divergent_run_is_the_only_output_too() {
    let ended = tool("conform --target tripwire:extra-line --cases 5 --json").kept().run();
    ended.ends_with(1);
    let object: Value = serde_json::from_str(&ended.out).expect("an object");
    assert_eq!(object["exit"], 1);
    assert!(object["divergent"].as_u64() > Some(0), "{object}");
    assert!(ended.err.contains("divergent: golden/"), "{}", ended.err);
}

#[test]
fn a_run_out_of_time_is_incomplete_and_says_so() {
    let ended = tool("conform --target oracle --time 0").kept().run();
    ended.ends_with(6);
    assert!(ended.out.contains("the run is incomplete"), "{}", ended.out);
    let events = ended.place.events();
    assert_eq!(events[events.len() - 1]["footer"]["exit"], 6);
}

#[test]
fn without_a_folder_a_run_gets_one_of_its_own() {
    let project = crate::support::small_project();
    let ended = tool("conform --target oracle --cases 1").within(project.path()).run();
    ended.ends_with(0);
    let runs = std::fs::read_dir(project.path().join("target/forkproof/runs")).expect("runs");
    let names: Vec<String> =
        runs.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(names.len(), 1);
    assert!(names[0].ends_with(&format!("-{}", ended.pid)), "{names:?}");
    assert!(ended.out.contains(&names[0]), "{}", ended.out);
}
