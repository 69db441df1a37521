//! The smallest scenario with the same disagreement.

use std::fs;

use serde_json::Value;

use crate::support::{small_project, tool};

const WIRE: &str = "tripwire:dropped-message";

/// A generated scenario that disagrees, and the number of its operations.
fn disagreeing() -> (String, u64) {
    let arguments = format!("conform --target {WIRE} --suite generated --cases 40");
    let events = tool(&arguments).kept().run().place.events();
    let size = |line: &Value| -> u64 {
        let ops = line["ops"].as_object().expect("operations");
        ops.values().filter_map(Value::as_u64).sum()
    };
    let lines = events.iter().map(|event| &event["scenario"]);
    let lines = lines.filter(|line| line["verdict"] == "divergent");
    let largest = lines.max_by_key(|line| size(line)).expect("a disagreement");
    (largest["name"].as_str().expect("a name").to_owned(), size(largest))
}

#[test]
fn a_disagreement_shrinks_to_a_program_that_can_be_saved_and_replayed() {
    let project = small_project();
    let (name, size) = disagreeing();
    let shrink = format!("shrink {name} --cases 40 --target {WIRE} --save");
    let ended = tool(&shrink).within(project.path()).run();
    ended.ends_with(1);
    let program = ended.out.lines().nth(1).expect("a program");
    let program: Value = serde_json::from_str(program).expect("a program");
    let ops = program["codex"]["ops"].as_array().expect("operations").len();
    assert!(size > 3 && (1..=2).contains(&ops), "{size} became {ops}: {program}");

    let saved = ended.out.lines().last().and_then(|line| line.strip_prefix("saved as "));
    let saved = saved.expect("a name");
    let folder = project.path().join("corpora").join(saved);
    let case = fs::read_to_string(folder.join("case.toml")).expect("a case");
    assert!(case.contains(&format!("title = \"{WIRE} disagrees\"")), "{case}");
    let replay = |target: &str| {
        tool(&format!("replay {saved} --target {target}")).within(project.path()).run()
    };
    replay("oracle").ends_with(0);
    let again = replay(WIRE);
    again.ends_with(1);
    assert!(again.out.contains("verdict: divergent"), "{}", again.out);

    tool(&shrink).within(project.path()).run().is_refused(2, "remove its folder first");
    assert_eq!(fs::read_to_string(folder.join("case.toml")).expect("a case"), case);
    let listed = tool("list cases").within(project.path()).run();
    assert!(listed.out.contains(&format!("\t{saved}\t")), "{}", listed.out);
}

#[test]
fn a_stored_scenario_shrinks_by_its_lines() {
    let ended = tool(&format!("shrink golden/codex/tool-orphans --target {WIRE}")).run();
    ended.ends_with(1);
    let left = ended.out.lines().filter(|line| line.starts_with("{\"timestamp\"")).count();
    assert!((1..7).contains(&left), "{}", ended.out);
}

#[test]
fn what_agrees_cannot_be_shrunk() {
    let ended = tool("shrink golden/codex/tool-orphans --target oracle").run();
    ended.is_refused(2, "there is nothing to shrink");
}
