//! Each way to be wrong is found by each suite alone.

use crate::support::{tool, verdicts};

fn names() -> Vec<String> {
    let list = tool("list targets").run();
    let wires = list.out.lines().filter(|line| line.starts_with("tripwire:"));
    wires.map(|line| line.trim_end_matches("[/TARGET]").to_owned()).collect()
}

/// A transcript has no turns to show.
#[test]
fn a_tripwire_that_a_family_cannot_show_is_refused() {
    let ended = tool("conform --target tripwire:extra-turn --edition claude-2.1.332").run();
    ended.ends_with(2);
    assert!(ended.err.contains("changes what claude does not show"), "{}", ended.err);
}

#[track_caller]
fn all_are_found(suite: &str, edition: &str) {
    let mut names = names();
    assert!(names.len() >= 12, "{names:?}");
    names.retain(|name| !(name == "tripwire:extra-turn" && edition.starts_with("claude")));
    for name in names {
        let call = format!("conform --target {name} --suite {suite} --edition {edition}");
        let ended = tool(&call).kept().run();
        assert_eq!(ended.code, Some(1), "{name} in {suite}: {}", ended.err);
        let events = ended.place.events();
        let found = verdicts(&events, "divergent");
        let rest = verdicts(&events, "conformant");
        assert!(found > 0 && found + rest + 2 == events.len(), "{name} in {suite}");
        assert!(ended.out.contains(&format!("not conformant to {edition}")), "{}", ended.out);
    }
}

#[test]
fn each_tripwire_is_found_in_the_golden_suite() {
    all_are_found("golden", "codex-0.171");
    all_are_found("golden", "claude-2.1.332");
}

#[test]
fn each_tripwire_is_found_in_the_generated_suite() {
    all_are_found("generated", "codex-0.171");
    all_are_found("generated", "claude-2.1.332");
}

#[test]
fn a_tripwire_with_a_listed_divergence_of_another_target_is_divergent() {
    // Lists are by target: what is known of codex excuses nobody else.
    let project = crate::support::small_project();
    let entry = "schema = 1\n[[divergence]]\nid = \"D\"\nrules = [\"CX-REC-10\"]\nversions = \"*\"\n\
                 aspect = \"disk\"\nkind = \"extra\"\nscenarios = \"*\"\nevidence = \"x\"\n\
                 reason = \"x\"\nreview = \"9999-01-01\"\n";
    let run = |list: &str| {
        let path = project.path().join("targets").join(list);
        std::fs::write(path, entry).expect("written");
        let arguments = "conform --target tripwire:extra-line --suite golden";
        tool(arguments).within(project.path()).kept().run()
    };
    run("codex.divergences.toml").ends_with(1);
    let ended = run("tripwire.divergences.toml");
    ended.ends_with(0);
    assert!(ended.out.contains("1 listed divergences hit"), "{}", ended.out);
}
