//! The fuzz target under its engine, by the command that a contributor types.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::support::project;

#[test]
fn the_fuzz_target_runs_as_a_contributor_starts_it() {
    let tools = project().join("target/forkproof/tools");
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = env::split_paths(&path).chain([tools.join("bin")]).collect();
    let path = env::join_paths(&folders).expect("a search path");
    if !folders.iter().any(|folder| folder.join("cargo-fuzz").is_file()) {
        let install = ["install", "cargo-fuzz", "--version", "0.13.2", "--locked", "--root"];
        let mut command = typed(&path);
        let output = command.args(install).arg(&tools).output().expect("cargo starts");
        assert!(output.status.success(), "{}", text(&output));
    }
    let mut command = typed(&path);
    let output = command.args(["fuzz", "run", "reconstruct", "--", "-runs=2000"]).output();
    let output = output.expect("cargo starts");
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.lines().any(|line| line.starts_with("Done 2000 runs in ")), "{text}");
}

/// `cargo` in a shell: whatever runs this test has chosen a toolchain, which the project's file
/// should choose.
fn typed(path: &OsString) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(project()).env("PATH", path);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let by_cargo = ["CARGO_MANIFEST_", "CARGO_PKG_", "CARGO_BIN_", "CARGO_CRATE_"];
        let chosen = ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH"];
        if chosen.contains(&text.as_ref()) || by_cargo.iter().any(|start| text.starts_with(start)) {
            command.env_remove(name);
        }
    }
    command
}

fn text(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!("{}{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err))
}
