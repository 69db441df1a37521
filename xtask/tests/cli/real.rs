//! The pinned release. Without npm or the network these fail with the tool's own line.

use std::fs;
use std::path::PathBuf;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{processes, project, through, tool, until, verdicts};

#[test]
fn the_pinned_release_is_conformant() {
    let ended = tool("conform --target codex --cases 20").kept().real().run();
    ended.ends_with(0);
    let events = ended.place.events();
    assert_eq!(events[0]["header"]["pinned"], true);
    assert_eq!(events[0]["header"]["namespace"], true);
    assert_eq!(verdicts(&events, "conformant") + 2, events.len(), "{}", ended.out);
    assert!(events.len() > 22, "{}", events.len());
    assert!(ended.out.contains("conformant to codex-0.171, 0 known"), "{}", ended.out);
}

#[test]
fn a_tripwire_over_the_pinned_release_is_found() {
    for (name, cases) in [("dropped-message", "4"), ("touched-time", "12")] {
        let arguments = format!("conform --target tripwire:{name}/codex --suite generated --cases");
        let ended = tool(&arguments).arg(cases).kept().real().run();
        ended.ends_with(1);
        let events = ended.place.events();
        assert!(verdicts(&events, "divergent") > 0, "{name}: {}", ended.out);
        assert_eq!(events[0]["header"]["target"], format!("tripwire:{name}/codex"));
    }
}

#[test]
fn recorded_values_are_what_the_pinned_release_does() {
    let ended = tool("record --check --target codex").real().run();
    ended.ends_with(0);
    let cases = ended.out.lines().filter(|line| line.ends_with(": unchanged, conformant")).count();
    let last = ended.out.lines().last();
    assert!(cases > 0);
    assert_eq!(last, Some(format!("{cases} of {cases} recorded").as_str()), "{}", ended.out);
}

#[test]
fn the_pinned_claude_does_with_golden_sessions_what_was_recorded() {
    let ended = tool("conform --target claude --suite golden").kept().real().run();
    ended.ends_with(0);
    let events = ended.place.events();
    assert_eq!(verdicts(&events, "conformant") + 2, events.len(), "{}", ended.out);
    assert!(ended.out.contains("conformant to claude-2.1.332, 0 known"), "{}", ended.out);
}

/// A parent cycle makes this release walk for ever, deaf to SIGTERM.
#[test]
fn a_release_that_spins_for_ever_is_a_target_fault_at_its_deadline() {
    let filter = "golden/claude/{cycle-2,linear}";
    let call = "conform --target claude@2.1.29 --suite golden --deadline 12 --filter";
    let ended = tool(call).arg(filter).kept().real().run();
    ended.ends_with(1);
    let events = ended.place.events();
    assert_eq!((verdicts(&events, "target-fault"), events.len()), (1, 4), "{}", ended.out);
    let fault = events.iter().find(|event| event["scenario"]["fault"].is_string());
    let fault = fault.expect("a fault");
    assert_eq!(fault["scenario"]["name"], "golden/claude/cycle-2");
    assert!(fault["scenario"]["ms"].as_u64().is_some_and(|ms| ms < 20_000), "{fault}");
}

#[test]
fn a_case_has_one_name_however_its_folder_is_reached() {
    let corpora = project().join("corpora");
    let ended = tool("record --check --target codex golden/codex/tool-orphans/ ./tool-orphans")
        .arg(corpora.join("golden/codex/tool-orphans"))
        .within(&corpora.join("golden/codex"))
        .real()
        .run();
    ended.ends_with(0);
    let line = "golden/codex/tool-orphans: unchanged, conformant\n";
    assert_eq!(ended.out, format!("{line}{line}{line}3 of 3 recorded\n"));
}

#[test]
fn an_executable_of_another_release_than_the_named_one_is_refused() {
    let binary = binary();
    let ended = tool("conform --target codex@0.170.0 --bin").arg(&binary).real().run();
    ended.is_refused(4, "is codex 0.171.0, not 0.170.0");
}

#[test]
fn a_killed_program_is_a_target_fault_and_the_run_goes_on() {
    let running = tool("conform --target codex --suite generated --cases 60").kept().real().start();
    let faults =
        |running: &crate::support::Running| verdicts(&running.place().events(), "target-fault");
    until("the middle of the run", || running.place().events().len() > 10);
    let mut kills = 0;
    // A process between two scenarios is replaced without a trace.
    until("a target fault", || {
        if faults(&running) > 0 {
            return true;
        }
        if kills < 10
            && let Some(program) = program_of(running.pid())
        {
            kills += usize::from(kill(program, Signal::SIGKILL).is_ok());
            crate::support::within(std::time::Duration::from_secs(2), || faults(&running) > 0);
        }
        false
    });
    let ended = running.end();
    ended.leaves_nothing();
    ended.ends_with(1);
    let events = ended.place.events();
    let faults = verdicts(&events, "target-fault");
    assert!((1..=kills).contains(&faults), "{faults} faults of {kills} kills");
    assert_eq!(faults + verdicts(&events, "conformant"), 60);
    assert_eq!(events.len(), 62);
    assert_eq!(events[61]["footer"]["exit"], 1);
    assert!(ended.out.contains("target fault: generated/"), "{}", ended.out);
    assert!(ended.out.contains("signal: 9"), "{}", ended.out);
}

#[test]
fn a_closed_output_ends_in_order() {
    use std::io::{BufRead as _, BufReader};
    let arguments = "replay golden/codex/tool-orphans --target codex";
    let mut running = tool(arguments).real().start();
    let output = running.child.stdout.take().expect("an output");
    let mut first = String::new();
    BufReader::new(output).read_line(&mut first).expect("a line");
    assert!(first.starts_with("golden/codex/tool-orphans: "), "{first}");
    let ended = running.end();
    ended.leaves_nothing();
    ended.ends_with(0);
    assert_eq!(ended.err, "");
}

#[test]
fn another_executable_on_the_path_is_named_and_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = folder.path().join("codex");
    fs::write(&other, "").expect("written");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(
        std::iter::once(folder.path().to_owned()).chain(std::env::split_paths(&path)),
    );
    let mut assignment = std::ffi::OsString::from("PATH=");
    assignment.push(path.expect("a search path"));
    let mut command = std::process::Command::new("env");
    command.arg(assignment).arg(crate::support::program());
    let arguments = "conform --target codex --suite golden --filter */tool-orphans";
    let ended = through(command, arguments).kept().real().run();
    ended.ends_with(0);
    let line = format!("on PATH    {}, not used\n", other.display());
    assert!(ended.out.contains(&line), "{}", ended.out);
    assert!(ended.out.starts_with("target     codex 0.171.0 (pinned)"), "{}", ended.out);
}

#[test]
fn without_npm_the_line_says_so() {
    let project = crate::support::small_project();
    let mut command = std::process::Command::new("env");
    command.arg("PATH=/no/such").arg(crate::support::program());
    let ended = through(command, "conform --target codex").within(project.path()).run();
    ended.is_refused(4, "npm is not installed");
    assert!(!project.path().join("target/forkproof/runs").exists());
}

/// The installed executable; a run has installed it if need be.
fn binary() -> PathBuf {
    let arguments = "conform --target codex --suite golden --filter */tool-orphans";
    tool(arguments).kept().real().run().ends_with(0);
    let packages = project().join("target/forkproof/codex-0.171.0/node_modules/@openai");
    let mut open = vec![packages];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("readable").flatten() {
            let path = entry.path();
            match path.is_dir() {
                true => open.push(path),
                false if path.ends_with("bin/codex") => return path,
                false => {}
            }
        }
    }
    panic!("no executable is installed");
}

/// A server of the program that descends from the process `ancestor`.
fn program_of(ancestor: u32) -> Option<Pid> {
    let is_program = |process: &u32| {
        let command = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        command.ends_with(b"/codex\0app-server\0")
    };
    let descends = |process: &u32| {
        let line = std::iter::successors(Some(*process), |process| parent(*process));
        line.take(20).any(|process| process == ancestor)
    };
    let program = processes().into_iter().filter(is_program).find(descends)?;
    Some(Pid::from_raw(program.cast_signed()))
}

fn parent(process: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:")?.trim().parse().ok())
}
