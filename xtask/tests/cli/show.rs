//! Commands that show something.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};

use crate::support::{Ended, tool};

#[test]
fn a_replay_shows_input_fates_and_verdict() {
    let ended = tool("replay golden/codex/tool-orphans --target oracle").run();
    ended.ends_with(0);
    let mut rest = ended.out.as_str();
    for part in [
        "golden/codex/tool-orphans: ",
        "operation 0: ",
        "model input:\n",
        "\"role\":\"user\"",
        "fates of the lines:\n",
        "CX-REC-10",
        "predicted:\n  answer: ok\n",
        "function_call_output c1 \"aborted\"",
        "observed:\n  answer: ok\n",
        "function_call_output c1 \"aborted\"",
        "rules exercised: ",
        "verdict: conformant\n",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("no `{part}` in {rest}"));
        rest = &rest[at + part.len()..];
    }
    assert_eq!(rest, "");
}

#[test]
fn the_repository_is_tidy() {
    tool("tidy").run().ends_with(0);
}

#[test]
fn a_closed_pipe_is_no_reason_to_panic() {
    let commands = [
        "replay golden/codex/tool-orphans --target oracle",
        "list cases",
        "conform --target oracle",
        "conform --target tripwire:dropped-message",
        "shrink golden/codex/tool-orphans --target tripwire:dropped-message",
        "--help",
    ];
    for arguments in commands {
        let project = crate::support::small_project();
        let mut running = tool(arguments).within(project.path()).start();
        let output = running.child.stdout.take().expect("an output");
        let mut first = String::new();
        BufReader::with_capacity(16, output).read_line(&mut first).expect("a line");
        let ended = running.end();
        assert!(!first.is_empty(), "{arguments}");
        assert_eq!(ended.err, "", "{arguments}");
        // What is not read changes nothing about the verdict.
        let code = i32::from(arguments.contains("tripwire"));
        assert_eq!(ended.code, Some(code), "{arguments}");
    }
}

#[test]
fn a_closed_error_output_is_no_reason_to_panic() {
    let mut running = tool("conform --target tripwire:extra-line --json").kept().start();
    drop(running.child.stderr.take());
    running.end().ends_with(1);
    let mut running = tool("conform --target none").start();
    drop(running.child.stderr.take());
    running.end().ends_with(2);
}

#[test]
fn an_output_that_cannot_be_written_is_a_fault() {
    let full = std::fs::File::create("/dev/full").expect("a full disk");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "exec \"$@\" > /dev/full", "sh"]).arg(crate::support::program());
    drop(full);
    let ended = crate::support::through(command, "list rules").run();
    ended.is_refused(5, "the output cannot be written");
}

#[test]
fn lists_are_columns_with_tabs() {
    check("list cases", 3, 200);
    check("list rules", 6, 40);
    check("list targets", 1, 14);
    check("list editions", 3, 3);
    check("list defects", 6, 2);
}

#[test]
fn the_list_of_cases_has_each_id_once_and_does_not_change() {
    let list = check("list cases --cases 50 --seed 3", 3, 50);
    let ids: Vec<&str> = list.out.lines().filter_map(|line| line.split('\t').next()).collect();
    assert!(ids.iter().all(|id| id.len() == 16 && id.bytes().all(|b| b.is_ascii_hexdigit())));
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    assert_eq!(tool("list cases --cases 50 --seed 3").run().out, list.out);
    assert!(list.out.contains("\tgolden/codex/tool-orphans\tCX-REC-10\n"), "{}", list.out);
}

#[track_caller]
fn check(arguments: &str, columns: usize, least: usize) -> Ended {
    let ended = tool(arguments).run();
    ended.ends_with(0);
    assert_eq!(ended.err, "");
    assert!(ended.out.lines().count() >= least, "{}", ended.out);
    for line in ended.out.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), columns, "{line:?}");
        assert!(!fields[0].is_empty() && line.trim() == line.trim_matches('\t'), "{line:?}");
    }
    ended
}

#[test]
fn the_command_that_a_run_prints_repeats_the_disagreement() {
    for options in ["--cases 3", "--seed 5 --cases 3", "--seed 5 --cases 203"] {
        let run = "conform --target tripwire:extra-line --edition codex-0.171 --suite generated";
        let ended = tool(&format!("{run} {options}")).kept().run();
        ended.ends_with(1);
        let lines = ended.out.lines();
        let repeat =
            lines.filter_map(|line| line.strip_prefix("  repeat: cargo xtask ")).next_back();
        let again = tool(repeat.expect("a command")).run();
        again.ends_with(1);
        assert!(again.out.contains("verdict: divergent"), "{}", again.out);
    }
}

#[test]
fn tidy_names_what_is_missing_and_counts_it() {
    let project = crate::support::small_project();
    std::fs::remove_dir_all(project.path().join("corpora")).expect("removed");
    let ended = tool("tidy").within(project.path()).run();
    let count = ended.out.lines().count();
    ended.is_refused(2, &format!("{count} things to tidy up"));
    assert!(ended.out.contains("no golden scenario is for CX-REC-10\n"), "{}", ended.out);
}

#[test]
fn help_names_the_exit_codes() {
    let ended = tool("--help").run();
    ended.ends_with(0);
    for code in ["0 conformant", "2 usage", "4 target not available", "6 incomplete"] {
        let text = ended.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(code), "{text}");
    }
}
