//! Where scenarios come from.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use forkproof_generators::{Scenario, read, sample};
use forkproof_oracle::Family;

use super::{FAMILIES, Failure};

/// The folder of stored scenarios, relative to the project.
pub const CORPORA: &str = "corpora";

/// A set of scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suite {
    /// Stored scenarios with recorded outcomes of real programs.
    Golden,
    /// Stored scenarios that once showed a disagreement.
    Regressions,
    /// Scenarios made from a seed.
    Generated,
}

impl Suite {
    /// All of them, in the order in which they run.
    pub const ALL: [Suite; 3] = [Suite::Regressions, Suite::Golden, Suite::Generated];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Suite::Golden => "golden",
            Suite::Regressions => "regressions",
            Suite::Generated => "generated",
        }
    }

    /// The scenarios of this suite that are of `family`, for the project at `root`.
    pub fn scenarios(
        self,
        root: &Path,
        family: Family,
        seed: u64,
        cases: usize,
    ) -> Result<Vec<Scenario>, Failure> {
        match self {
            Suite::Generated => Ok(generated(family, seed, cases)),
            stored => {
                let corpora = root.join(CORPORA);
                let mut folders = BTreeSet::new();
                cases_below(&corpora.join(stored.name()).join(family.name()), &mut folders)?;
                folders.iter().map(|folder| read_case(&corpora, folder)).collect()
            }
        }
    }
}

/// Scenarios made from a seed.
pub(super) fn generated(family: Family, seed: u64, cases: usize) -> Vec<Scenario> {
    sample(family, seed, cases).into_iter().map(Scenario::generated).collect()
}

impl FromStr for Suite {
    type Err = String;

    fn from_str(name: &str) -> Result<Suite, String> {
        let found = Suite::ALL.into_iter().find(|suite| suite.name() == name);
        found.ok_or_else(|| {
            format!("suite {name} is unknown, there are golden, regressions and generated")
        })
    }
}

/// The scenario called `name`: a path below `corpora`, a path of a folder, or `generated/ID` of
/// the scenarios of `seed`.
pub fn find(root: &Path, name: &str, seed: u64, cases: usize) -> Result<Scenario, Failure> {
    let corpora = root.join(CORPORA);
    let stored = corpora.join(name);
    for folder in [stored.as_path(), Path::new(name)] {
        if folder.join("case.toml").is_file() {
            return read_case(&corpora, folder);
        }
    }
    let mut generated = FAMILIES.into_iter().flat_map(|family| generated(family, seed, cases));
    generated.find(|scenario| scenario.name == name).ok_or_else(|| {
        Failure::Usage(format!(
            "case {name} is unknown, `cargo xtask list cases` names those there are \
             (a generated one needs the --seed and --cases of its run)"
        ))
    })
}

/// Folder of the golden scenario called `name`.
pub fn golden(root: &Path, name: &str) -> PathBuf {
    root.join(CORPORA).join(name)
}

fn read_case(corpora: &Path, folder: &Path) -> Result<Scenario, Failure> {
    // One case has one name, however its folder was reached.
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (corpora, folder) = (whole(corpora), whole(folder));
    let name = folder.strip_prefix(corpora).unwrap_or(&folder).to_string_lossy().into_owned();
    let scenario = read(&folder, &name)?;
    let place = Path::new(&scenario.name).components().nth(1).map(|part| part.as_os_str());
    match FAMILIES.into_iter().find(|family| place.is_some_and(|place| place == family.name())) {
        Some(family) if family != scenario.family => Err(Failure::Usage(format!(
            "{name} is of family {} and lies among those of {}, move it",
            scenario.family.name(),
            family.name()
        ))),
        _ => Ok(scenario),
    }
}

/// Folders with a `case.toml`, at any depth; an absent folder has none.
fn cases_below(folder: &Path, out: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::Usage(format!("{}: {error}", folder.display()))),
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.join("case.toml").is_file() {
            out.insert(path);
        } else if path.is_dir() {
            cases_below(&path, out)?;
        }
    }
    Ok(())
}
