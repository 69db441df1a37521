//! `cargo xtask`: parses arguments, calls the libraries, prints, and ends with an exit code.

mod bench;
mod conform;
mod interrupt;
mod list;
mod options;
mod out;
mod record;
mod replay;
mod run_file;
mod shrink;
mod stop;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use forkproof_drive::Failure;
use forkproof_judge::Exit;

/// Proves whether a program resumes and forks agent sessions correctly.
///
/// Exit codes: 0 conformant, 1 divergent, unstable or target fault, 2 usage, 3 stale divergence
/// entry, 4 target not available, 5 harness fault, 6 incomplete.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run scenarios through a target and give a verdict
    Conform(conform::Arguments),
    /// Run one scenario and show everything
    Replay(replay::Arguments),
    /// Write down what the real program does with stored scenarios
    Record(record::Arguments),
    /// Find the smallest scenario with the same disagreement
    Shrink(shrink::Arguments),
    /// Show what there is
    List(list::Arguments),
    /// Measure the harness against a bare client in the same run
    Bench(bench::Arguments),
    /// Measure what interrupted turns of a release leave
    Interrupt(interrupt::Arguments),
    /// Check the rules of the repository
    Tidy,
}

fn main() -> ExitCode {
    // A worker is this executable, started again inside the sandbox.
    if let Some(code) = forkproof_drive::worker_main() {
        return code;
    }
    let result = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(error) => return explain(&error),
    };
    let exit = match result.and_then(|exit| out::complete().map(|()| exit)) {
        Ok(exit) => exit,
        // Ctrl-C reaches what we started too, an installer for one; its failure is no news.
        Err(failure) if stop::requested() && !matches!(failure, Failure::Interrupted(_)) => {
            out::mistake("error: interrupted");
            Exit::Incomplete
        }
        Err(failure) => {
            out::mistake(&format!("error: {failure}"));
            failure.exit()
        }
    };
    ExitCode::from(exit.code())
}

fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Conform(arguments) => conform::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Record(arguments) => record::run(&arguments),
        Command::Shrink(arguments) => shrink::run(&arguments),
        Command::List(arguments) => list::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Interrupt(arguments) => interrupt::run(&arguments),
        Command::Tidy => tidy::run(),
    }
}

/// Help goes out whole, a mistake as one line.
fn explain(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind::{
        DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion,
    };
    if let DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand | DisplayVersion = error.kind() {
        // If nobody reads the help there is nobody to tell.
        let _ = error.print();
        return ExitCode::from(
            if error.use_stderr() { Exit::Usage } else { Exit::Conformant }.code(),
        );
    }
    out::mistake(&one_line(&error.to_string()));
    ExitCode::from(Exit::Usage.code())
}

/// What is wrong, without the advice to read more.
fn one_line(text: &str) -> String {
    let parts = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty());
    parts.fold(String::new(), |line, part| match line.as_str() {
        "" => part.to_owned(),
        list if list.ends_with(':') => format!("{list} {part}"),
        list => format!("{list}, {part}"),
    })
}
