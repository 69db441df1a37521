//! Signals.

use std::fs::File;
use std::time::{Duration, Instant, SystemTime};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{Ended, Running, tool, until};

const RUN: &str = "conform --target codex --suite generated --cases 60";

fn send(running: &Running, signal: Signal) {
    kill(Pid::from_raw(running.pid().cast_signed()), signal).expect("it runs");
}

/// How long a run that is asked to stop may go on.
const LIMIT: Duration = Duration::from_secs(60);

/// Sends `signal`, after which the tool ends by itself.
#[track_caller]
fn ends_soon(running: Running, signal: Signal) -> Ended {
    send(&running, signal);
    let since = Instant::now();
    let ended = running.end();
    // Far more than it takes, so that a busy machine is no failure, and far less than going on.
    assert!(since.elapsed() < LIMIT, "{:?}", since.elapsed());
    ended.leaves_nothing();
    ended
}

#[test]
fn an_interrupted_run_is_incomplete_and_leaves_a_readable_file() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let running = tool(RUN).kept().real().start();
        until("the middle of the run", || running.place().events().len() > 3);
        let ended = ends_soon(running, signal);
        ended.ends_with(6);
        let file = ended.place.run().join("run.jsonl");
        let text = std::fs::read_to_string(file).expect("a run file");
        assert!(text.ends_with('\n'), "half a line");
        let events = ended.place.events();
        assert!(events[0]["header"].is_object(), "{}", events[0]);
        assert!((4..60).contains(&events.len()), "{}", events.len());
        assert!(events[1..].iter().all(|event| event["scenario"].is_object()));
        assert!(ended.out.contains("interrupted"), "{}", ended.out);
    }
}

#[test]
fn a_run_that_is_interrupted_at_its_start_leaves_nothing_but_a_header() {
    for delay in [0, 2, 5, 10, 20, 50, 100, 200, 400, 800] {
        let running = tool(RUN).kept().real().start();
        std::thread::sleep(Duration::from_millis(delay));
        let ended = ends_soon(running, Signal::SIGINT);
        // Before it listens to signals it simply dies.
        assert!(matches!(ended.code, None | Some(6)), "after {delay} ms: {}", ended.err);
        let events = ended.place.events();
        assert!(events.iter().all(|event| event["footer"].is_null()), "after {delay} ms");
        assert!(events.first().is_none_or(|event| event["header"].is_object()));
        assert!(!ended.err.contains("panicked"), "after {delay} ms: {}", ended.err);
    }
}

#[test]
fn a_program_that_hangs_at_the_start_can_be_interrupted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("codex");
    // It tells its version and then waits for ever.
    let text = "#!/bin/sh\n[ \"$1\" = --version ] && echo codex-cli 0.171.0 && exit\nsleep 1000\n";
    std::fs::write(&path, text).expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("executable");
    let running = tool("conform --target codex --bin").arg(&path).kept().start();
    std::thread::sleep(Duration::from_millis(500));
    let ended = ends_soon(running, Signal::SIGINT);
    ended.is_refused(6, "interrupted");
    assert!(!ended.place.run().exists());
}

#[test]
fn other_commands_can_be_interrupted_too() {
    for arguments in ["record --check --target codex", "bench --target codex --cases 60"] {
        let running = tool(arguments).real().start();
        std::thread::sleep(Duration::from_millis(2500));
        let ended = ends_soon(running, Signal::SIGINT);
        ended.ends_with(6);
        assert!(format!("{}{}", ended.out, ended.err).contains("interrupted"), "{arguments}");
    }
}

#[test]
fn a_killed_run_leaves_no_process_and_the_next_start_takes_its_folder() {
    for mode in ["", " --no-namespace"] {
        let running = tool(&format!("{RUN}{mode}")).kept().real().start();
        until("the middle of the run", || running.place().events().len() > 3);
        assert!(running.place().processes().len() > 2);
        send(&running, Signal::SIGKILL);
        let ended = running.end();
        let gone = || ended.place.processes().is_empty();
        let in_time = crate::support::within(LIMIT, gone);
        assert!(in_time, "{:?}{mode}", ended.place.processes());
        // A young folder might belong to a run that begins.
        for folder in ended.place.leftovers() {
            let hour = SystemTime::now() - Duration::from_secs(3600);
            let folder = File::open(folder).expect("a folder");
            folder.set_modified(hour).expect("an older folder");
        }
        let mut next = std::process::Command::new("env");
        next.arg(format!("TMPDIR={}", ended.place.temp().display()));
        next.arg(crate::support::program());
        let next = crate::support::through(next, "conform --target codex --bin /bin/true").run();
        next.is_refused(4, "is not codex");
        assert_eq!(ended.place.leftovers(), Vec::<std::path::PathBuf>::new());
    }
}

#[test]
fn a_killed_start_leaves_no_process() {
    for delay in [1, 5, 10, 20, 50, 100, 300] {
        let running = tool(RUN).kept().real().start();
        std::thread::sleep(Duration::from_millis(delay));
        send(&running, Signal::SIGKILL);
        let ended = running.end();
        let gone = || ended.place.processes().is_empty();
        let in_time = crate::support::within(Duration::from_secs(5), gone);
        assert!(in_time, "after {delay} ms: {:?}", ended.place.processes());
    }
}
