//! `cargo xtask list`

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use forkproof_drive::{DEFAULT_CASES, FAMILIES, Failure, Suite, Tripwire};
use forkproof_judge::Exit;
use forkproof_oracle::{Defect, EDITIONS, Edition, RULES};

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
    /// Rules: id, level, status, editions, title, why no generated scenario exercises it
    Rules,
    /// Targets
    Targets,
    /// Editions: name, release, defects
    Editions,
    /// Defects of releases: id, rule, editions, harm, the promise that is broken, its document
    Defects,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match arguments.what {
        What::Cases => {
            let root = root()?;
            let (seed, cases) = (arguments.seed, arguments.cases);
            for (family, suite) in
                FAMILIES.iter().flat_map(|family| Suite::ALL.map(|suite| (*family, suite)))
            {
                for scenario in suite.scenarios(&root, family, seed, cases)? {
                    let rules = scenario.about.rules.join(",");
                    line(&format!("{}\t{}\t{rules}", scenario.id(), scenario.name));
                }
            }
        }
        What::Rules => {
            for rule in RULES {
                line(&format!(
                    "{}\t{}\t{}\t{}\t{}\t{}",
                    rule.id,
                    rule.level.name(),
                    rule.status.name(),
                    rule.editions.join(","),
                    rule.title,
                    rule.idle.unwrap_or_default()
                ));
            }
        }
        What::Targets => {
            for family in FAMILIES {
                line(&format!("{}[@VERSION]", family.name()));
            }
            line("oracle");
            for tripwire in Tripwire::ALL {
                line(&format!("tripwire:{}[/TARGET]", tripwire.name()));
            }
        }
        What::Editions => {
            for edition in EDITIONS {
                let defects: Vec<&str> = edition.defects.iter().map(|it| it.id).collect();
                line(&format!("{}\t{}\t{}", edition.name, edition.release, defects.join(",")));
            }
        }
        What::Defects => {
            let all: BTreeMap<&str, &Defect> = EDITIONS
                .iter()
                .flat_map(|edition| edition.defects)
                .map(|defect| (defect.id, defect))
                .collect();
            for defect in all.into_values() {
                let has = |edition: &&&Edition| edition.defects.contains(defect);
                let editions: Vec<&str> =
                    EDITIONS.iter().filter(has).map(|edition| edition.name).collect();
                line(&format!(
                    "{}\t{}\t{}\t{}\t{}\t{}",
                    defect.id,
                    defect.repair.rule(),
                    editions.join(","),
                    defect.harm,
                    defect.promise,
                    defect.source
                ));
            }
        }
    }
    Ok(Exit::Conformant)
}
