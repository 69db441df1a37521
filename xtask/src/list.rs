//! `cargo xtask list`

use clap::{Args, ValueEnum};
use forkproof_drive::{DEFAULT_CASES, Failure, Suite, Tripwire};
use forkproof_judge::Exit;
use forkproof_oracle::{EDITIONS, RULES};

use crate::options::root;
use crate::out::line;

#[derive(Args)]
pub(crate) struct Arguments {
    /// What to list
    what: What,
    /// Seed of generated scenarios
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of generated scenarios
    #[arg(long, default_value_t = DEFAULT_CASES)]
    cases: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Scenarios: id, name, rules
    Cases,
    /// Rules: id, level, title
    Rules,
    /// Targets
    Targets,
    /// Editions: name, release
    Editions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match arguments.what {
        What::Cases => {
            let root = root()?;
            for suite in Suite::ALL {
                for scenario in suite.scenarios(&root, arguments.seed, arguments.cases)? {
                    let rules = scenario.about.rules.join(",");
                    line(&format!("{}\t{}\t{rules}", scenario.id(), scenario.name));
                }
            }
        }
        What::Rules => {
            for rule in RULES {
                line(&format!("{}\t{}\t{}", rule.id, rule.level.name(), rule.title));
            }
        }
        What::Targets => {
            line("codex[@VERSION]\noracle");
            for tripwire in Tripwire::ALL {
                line(&format!("tripwire:{}[/TARGET]", tripwire.name()));
            }
        }
        What::Editions => {
            for edition in EDITIONS {
                line(&format!("{}\t{}", edition.name, edition.release));
            }
        }
    }
    Ok(Exit::Conformant)
}
