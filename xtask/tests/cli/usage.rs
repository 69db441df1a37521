//! What cannot be done is refused with one line, a code, and nothing left behind.

use std::fs;
use std::process::Command;

use crate::support::{program, project, small_project, through, tool};

/// Runs it in a project without any run: there must be none afterwards.
#[track_caller]
fn refused(arguments: &str, code: i32, text: &str) {
    let project = small_project();
    tool(arguments).within(project.path()).run().is_refused(code, text);
    assert!(!project.path().join("target/forkproof/runs").exists(), "a run was begun");
}

#[test]
fn an_unknown_target_is_a_mistake_of_use() {
    refused("conform --target claud", 2, "target claud is unknown");
    refused("conform --target tripwire:none", 2, "target tripwire:none is unknown");
    refused("replay golden/codex/tool-orphans --target codex:1", 2, "codex:1 is unknown");
}

#[test]
fn a_malformed_version_is_a_mistake_of_use() {
    refused("conform --target codex@new", 2, "`new` is not a version");
    refused("conform --target tripwire:extra-line/codex@1.2", 2, "`1.2` is not a version");
    refused("conform --target claude@new", 2, "`new` is not a version");
}

#[test]
fn an_unpublished_version_cannot_be_had() {
    // Offline it cannot be had either.
    refused("conform --target codex@9.9.9", 4, "regist");
    refused("conform --target claude@9.9.9", 4, "regist");
}

#[test]
fn an_unknown_case_is_a_mistake_of_use() {
    for command in ["replay", "shrink", "record"] {
        refused(&format!("{command} golden/codex/none --target codex"), 2, "is unknown");
    }
    refused("replay generated/0000000000000000 --target oracle", 2, "--seed and --cases");
}

#[test]
fn an_unknown_word_is_a_mistake_of_use() {
    refused("conform --target oracle --edition codex-9", 2, "edition codex-9 is unknown");
    refused("conform --target oracle --suite golden,silver", 2, "suite silver is unknown");
    refused("conform --target oracle --colour", 2, "unexpected argument '--colour'");
    refused("conform --target oracle --cases many", 2, "invalid value 'many'");
    refused("conform --target oracle --jobs 0", 2, "invalid value '0'");
    refused("conform --target oracle --filter [", 2, "glob");
    refused("conform", 2, "required arguments were not provided: --target");
    refused("confirm --target oracle", 2, "unrecognized subcommand 'confirm'");
    refused("list everything", 2, "possible values: cases, rules, targets, editions");
}

#[test]
fn a_target_is_given_what_its_family_knows_only() {
    refused("replay golden/codex/tool-orphans --target claude", 2, "is a scenario of codex");
    refused("conform --target claude --edition codex-0.171", 2, "is an edition of codex");
    refused("interrupt --target codex", 2, "only --target claude");
}

#[test]
fn a_run_without_a_scenario_is_a_mistake_of_use() {
    refused("conform --target oracle --filter nothing", 2, "no scenario is left");
    refused("conform --target oracle --rule CX-NONE", 2, "no scenario is left");
}

#[test]
fn golden_values_come_from_a_real_program_only() {
    refused("record --target oracle", 2, "oracle is not a real program");
    refused("record --target tripwire:extra-line/codex", 2, "is not a real program");
}

#[test]
fn a_missing_executable_cannot_be_had() {
    refused("conform --target codex --bin /no/such", 4, "no program at /no/such");
}

#[test]
fn another_program_is_told_from_the_real_one() {
    for bin in ["/bin/true", "/bin/cat", "/bin", "/proc/self/environ"] {
        refused(&format!("conform --target codex --bin {bin}"), 4, "is not codex");
        refused(&format!("conform --target claude --bin {bin}"), 4, "is not claude");
    }
    let text = project().join("Cargo.toml");
    refused(&format!("conform --target codex --bin {}", text.display()), 4, "cannot be executed");
}

#[test]
fn what_another_program_says_does_not_command_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program");
    fs::write(&path, "#!/bin/sh\nprintf '\\033[2Jhello\\nworld'\n").expect("written");
    let made = Command::new("chmod").arg("+x").arg(&path).status().expect("chmod");
    assert!(made.success());
    let ended = tool("conform --target codex --bin").arg(&path).run();
    ended.is_refused(4, "`\\u{1b}[2Jhello`");
}

#[test]
fn outside_of_a_project_nothing_is_done() {
    let folder = tempfile::tempdir().expect("a folder");
    tool("conform --target oracle").within(folder.path()).run().is_refused(2, "not inside");
}

#[test]
fn a_folder_that_cannot_be_written_is_a_mistake_of_use() {
    let project = small_project();
    let file = project.path().join("spec/codex.md");
    for folder in [file.join("run"), "/proc/none/run".into()] {
        let ended = tool("conform --target oracle --out").arg(&folder).run();
        ended.is_refused(2, "cannot be written");
        assert!(!folder.exists());
    }
}

#[test]
fn a_run_is_never_overwritten() {
    let first = tool("conform --target oracle --suite golden").kept().run();
    first.ends_with(0);
    let file = first.place.run().join("run.jsonl");
    let before = fs::read(&file).expect("a run file");
    tool("conform --target oracle --out")
        .arg(first.place.run())
        .run()
        .is_refused(2, "a run already");
    assert_eq!(fs::read(&file).expect("a run file"), before);
}

#[test]
fn a_refused_run_takes_away_the_folders_that_it_made_and_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let refuse = |out: &std::path::Path| {
        let command = tool("conform --target codex --bin /bin/true --out");
        command.arg(out).run().is_refused(4, "is not codex");
    };
    refuse(&folder.path().join("a/b/c"));
    assert!(!folder.path().join("a").exists());
    let own = folder.path().join("own");
    fs::create_dir(&own).expect("a folder");
    refuse(&own);
    assert!(own.is_dir());
}

/// The tool where no namespace can be made.
fn confined() -> Command {
    let script = "for kind in user net; do echo 0 > /proc/sys/user/max_${kind}_namespaces; done
        exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "sh", "-ec", script, "sh"]).arg(program());
    command
}

#[test]
fn without_a_namespace_a_real_run_is_refused_unless_it_is_permitted() {
    let arguments = "conform --target codex --suite golden --filter */tool-orphans";
    through(confined(), arguments).kept().real().run().is_refused(4, "--no-namespace goes on");
    let ended = through(confined(), arguments).arg("--no-namespace").kept().real().run();
    ended.ends_with(0);
    assert!(ended.out.contains("without namespace"), "{}", ended.out);
    let events = ended.place.events();
    assert_eq!(events[0]["header"]["namespace"], false);
    assert_eq!(events[1]["scenario"]["verdict"], "conformant");
}

#[test]
fn a_missing_folder_for_temporary_files_is_named() {
    let mut command = Command::new("env");
    command.arg("TMPDIR=/no/such").arg(program());
    let ended = through(command, "conform --target codex --bin /bin/true").run();
    ended.is_refused(5, "/no/such");
}
