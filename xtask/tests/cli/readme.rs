//! The README shows what the tool says.

use crate::support::{project, tool};

/// The blocks of code of the README.
fn blocks() -> Vec<String> {
    let text = std::fs::read_to_string(project().join("README.md")).expect("a README");
    text.split("```").skip(1).step_by(2).map(|block| block.trim().to_owned()).collect()
}

fn block_with(text: &str) -> String {
    blocks().into_iter().find(|block| block.contains(text)).expect("the README has it")
}

#[test]
fn the_divergence_of_the_readme_is_what_the_tool_prints() {
    let shown = block_with("divergent: golden/codex/load-two-turns");
    let call = "conform --target tripwire:dropped-message --filter golden/codex/load-two-turns";
    let ended = tool(call).kept().run();
    ended.ends_with(1);
    assert!(ended.out.contains(&shown), "{}", ended.out);
}

#[test]
fn the_summary_of_the_readme_has_the_lines_of_a_real_one() {
    let shown = block_with("$ cargo xtask conform --target codex");
    let ended = tool("conform --target oracle").kept().run();
    ended.ends_with(0);
    let labels = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.chars().take(11).collect()).collect()
    };
    let (_, shown) = shown.split_once('\n').expect("more than the command");
    assert_eq!(labels(shown), labels(ended.out.trim_end()));
    // Scenarios and rules of the default run do not depend on the target.
    for label in ["generated", "rules"] {
        let line =
            |text: &str| text.lines().find(|line| line.starts_with(label)).expect(label).to_owned();
        assert_eq!(line(shown), line(&ended.out));
    }
}

#[test]
fn every_command_of_the_readme_is_one() {
    let text = blocks().join("\n");
    let commands = text.lines().filter_map(|line| line.strip_prefix("cargo xtask "));
    let mut count = 0;
    for command in commands {
        let name = command.split_whitespace().next().expect("a name");
        tool(&format!("{name} --help")).run().ends_with(0);
        count += 1;
    }
    assert!(count >= 7, "only {count} commands");
}
