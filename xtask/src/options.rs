//! Options that several commands share.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use forkproof_drive::{Choice, DEFAULT_CASES, Failure, Options, Target, find};
use forkproof_generators::Scenario;
use forkproof_judge::Expect;

/// Which target, and how to run it.
#[derive(Args)]
pub(crate) struct TargetOptions {
    /// codex[@VERSION], claude[@VERSION], oracle, tripwire:NAME[/TARGET]
    #[arg(long)]
    pub(crate) target: String,
    /// Judge by this edition instead of that of the target's version
    #[arg(long)]
    pub(crate) edition: Option<String>,
    /// Judge by what the edition does or by what it should do
    #[arg(long, value_enum, default_value_t = Outcomes::Does)]
    expect: Outcomes,
    /// Use this executable instead of an installed release
    #[arg(long)]
    pub(crate) bin: Option<PathBuf>,
    /// Target processes at once
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) jobs: u16,
    /// Seconds that one scenario may take
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) deadline: u64,
    /// Go on where no network namespace can be made, with proxies that lead nowhere
    #[arg(long)]
    pub(crate) no_namespace: bool,
}

/// Which outcomes of an edition a target is held to.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Outcomes {
    /// What its release does, defects included
    Does,
    /// What it should do by its own documents
    Should,
}

/// One scenario.
#[derive(Args)]
pub(crate) struct CaseOptions {
    /// Name of a scenario, or the path of its folder
    case: String,
    /// Seed of the run that a generated scenario comes from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of generated scenarios of that run
    #[arg(long, default_value_t = DEFAULT_CASES)]
    cases: usize,
}

impl CaseOptions {
    pub(crate) fn scenario(&self, root: &Path) -> Result<Scenario, Failure> {
        find(root, &self.case, self.seed, self.cases)
    }
}

impl TargetOptions {
    /// The target and how it is judged, as words of a command.
    pub(crate) fn words(&self) -> String {
        let mut out = self.target.clone();
        if let Some(edition) = &self.edition {
            out += &format!(" --edition {edition}");
        }
        if self.expect == Outcomes::Should {
            out += " --expect should";
        }
        if let Some(bin) = &self.bin {
            let bin = bin.display().to_string();
            // A path with a NUL byte, which cannot be quoted, names no executable.
            let quoted = shlex::try_quote(&bin).unwrap_or_default();
            out += &format!(" --bin {quoted}");
        }
        if self.no_namespace {
            out += " --no-namespace";
        }
        out
    }

    pub(crate) fn choice(&self) -> Result<Choice, Failure> {
        Ok(Choice {
            root: root()?,
            target: self.target.parse::<Target>().map_err(Failure::Usage)?,
            bin: self.bin.clone(),
            edition: self.edition.clone(),
            expect: match self.expect {
                Outcomes::Does => Expect::Does,
                Outcomes::Should => Expect::Should,
            },
            options: Options {
                jobs: self.jobs.into(),
                namespace: !self.no_namespace,
                deadline: Duration::from_secs(self.deadline),
                ..Options::default()
            },
        })
    }
}

/// The project's folder: the nearest one above that holds the corpora and targets.
pub(crate) fn root() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir()
        .map_err(|error| Failure::Usage(format!("the current folder is gone: {error}")))?;
    let is_root =
        |path: &&std::path::Path| path.join("targets").is_dir() && path.join("spec").is_dir();
    here.ancestors().find(is_root).map(std::path::Path::to_owned).ok_or_else(|| {
        Failure::Usage(format!("{} is not inside the Forkproof project", here.display()))
    })
}
