//! The whole way, on the pinned release and on programs that misbehave.
//!
//! The worker is this executable, started again: hence no standard harness.

mod claude;
mod genuine;
mod misbehaving;
mod support;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use forkproof_drive::worker_main;
use libtest_mimic::{Arguments, Failed, Trial};

use crate::support::check;

/// Set when the folder for temporary files is ours alone, so that what is left in it is ours too.
const OWN_FOLDER: &str = "FORKPROOF_TEST_OWN_FOLDER";

fn main() -> ExitCode {
    if let Some(code) = worker_main() {
        return code;
    }
    if env::var_os(OWN_FOLDER).is_none() {
        return again().unwrap_or(ExitCode::FAILURE);
    }
    let mut arguments = Arguments::from_args();
    // What one leaves another must not have made.
    arguments.test_threads = Some(1);
    let tests = genuine::TESTS.iter().chain(claude::TESTS).chain(misbehaving::TESTS);
    let trials = tests.map(|&(name, test)| Trial::test(name, move || leaving_nothing(test)));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Runs this executable with a folder for temporary files of its own.
fn again() -> std::io::Result<ExitCode> {
    let folder = tempfile::tempdir()?;
    let status = Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env("TMPDIR", folder.path())
        .env(OWN_FOLDER, "yes")
        .status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs a test; no sandbox folder and no process may be left.
fn leaving_nothing(test: fn() -> Result<(), Failed>) -> Result<(), Failed> {
    test()?;
    let left: Vec<String> = fs::read_dir(env::temp_dir())?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("forkproof-"))
        .collect();
    check(left.is_empty(), &format!("left: {left:?}"))?;
    let mut programs = Vec::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).into_owned();
        if command.contains(&*env::temp_dir().to_string_lossy()) && own(&entry.path()) {
            programs.push(command);
        }
    }
    check(programs.is_empty(), &format!("still running: {programs:?}"))
}

/// Whether a process was started by a worker: it sees no other environment.
fn own(process: &Path) -> bool {
    let environment = fs::read(process.join("environ")).unwrap_or_default();
    String::from_utf8_lossy(&environment).contains("_API_KEY=made-up")
}
