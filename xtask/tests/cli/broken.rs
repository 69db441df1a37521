//! Malformed files of a project.

use std::fs;

use crate::support::{small_project, tool};

#[track_caller]
fn refused(file: &str, text: &str, arguments: &str) {
    let project = small_project();
    let path = project.path().join(file);
    fs::write(&path, text).expect("written");
    let ended = tool(arguments).within(project.path()).run();
    ended.is_refused(2, file);
    assert!(!project.path().join("target").exists(), "something was begun");
}

#[test]
fn a_malformed_case_is_named() {
    let case = "corpora/golden/codex/tool-orphans/case.toml";
    for text in ["", "schema = 2", "schema = ", "schema = 1\nfamily = \"none\"\n", "\0"] {
        for target in ["oracle", "codex", "tripwire:extra-line"] {
            refused(case, text, &format!("conform --target {target}"));
        }
        refused(case, text, "replay golden/codex/tool-orphans --target oracle");
        refused(case, text, "shrink golden/codex/tool-orphans --target oracle");
        refused(case, text, "record --target codex");
        refused(case, text, "list cases");
        refused(case, text, "tidy");
    }
}

#[test]
fn a_malformed_divergence_list_is_named() {
    let entry = "[[divergence]]\nid = \"D\"\nrules = []\nversions = \"new\"\naspect = \"context\"\n\
                 kind = \"extra\"\nscenarios = \"*\"\nevidence = \"\"\nreason = \"\"\n\
                 review = \"2027-01-01\"\n";
    for text in ["schema = 2", "x", "schema = 1\n[[divergence]]\n", &format!("schema = 1\n{entry}")]
    {
        let targets =
            [("oracle", "oracle"), ("codex", "codex"), ("tripwire", "tripwire:extra-line")];
        for (name, target) in targets {
            let file = format!("targets/{name}.divergences.toml");
            refused(&file, text, &format!("conform --target {target}"));
        }
    }
}

#[test]
fn a_malformed_pin_is_told_before_anything_is_installed() {
    let project = small_project();
    let path = project.path().join("targets/codex/package.json");
    for text in ["", "{}", "{\"dependencies\":{\"@openai/codex\":\"^0.171.0\"}}"] {
        fs::write(&path, text).expect("written");
        let ended = tool("conform --target codex").within(project.path()).run();
        ended.is_refused(4, "targets/codex/package.json");
        assert!(!project.path().join("target").exists(), "something was begun");
    }
}
