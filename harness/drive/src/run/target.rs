//! Names of targets.

use std::fmt;
use std::str::FromStr;

use forkproof_oracle::Family;

use crate::Tripwire;

/// The families, in the order of lists.
pub const FAMILIES: [Family; 2] = [Family::Codex, Family::Claude];

/// A program under test, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// `codex` or `codex@VERSION`, `claude` or `claude@VERSION`: a real program.
    Real {
        /// Which one.
        family: Family,
        /// The release; the pinned one if none.
        version: Option<String>,
    },
    /// `oracle`: the self-check of the harness.
    Oracle,
    /// `tripwire:NAME` or `tripwire:NAME/TARGET`: wrong on purpose, over the oracle or a target.
    Tripwire {
        /// How it is wrong.
        tripwire: Tripwire,
        /// What it is laid over.
        over: Box<Target>,
    },
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Target, String> {
        let unknown = || {
            format!("target {name} is unknown, `cargo xtask list targets` names those there are")
        };
        if let Some(wire) = name.strip_prefix("tripwire:") {
            let (wire, over) = wire.split_once('/').unwrap_or((wire, "oracle"));
            let tripwire = Tripwire::named(wire).ok_or_else(unknown)?;
            return match over.parse()? {
                Target::Tripwire { .. } => Err(unknown()),
                over => Ok(Target::Tripwire { tripwire, over: Box::new(over) }),
            };
        }
        if name == "oracle" {
            return Ok(Target::Oracle);
        }
        let (product, version) = match name.split_once('@') {
            Some((product, version)) => (product, Some(version.to_owned())),
            None => (name, None),
        };
        let family = FAMILIES.into_iter().find(|family| family.name() == product);
        family.map(|family| Target::Real { family, version }).ok_or_else(unknown)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Real { family, version: None } => f.write_str(family.name()),
            Target::Real { family, version: Some(version) } => {
                write!(f, "{}@{version}", family.name())
            }
            Target::Oracle => f.write_str("oracle"),
            Target::Tripwire { tripwire, over } if **over == Target::Oracle => {
                write!(f, "tripwire:{}", tripwire.name())
            }
            Target::Tripwire { tripwire, over } => {
                write!(f, "tripwire:{}/{over}", tripwire.name())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for name in [
            "codex",
            "codex@0.145.0",
            "claude",
            "claude@2.1.197",
            "oracle",
            "tripwire:extra-line",
            "tripwire:extra-line/codex",
            "tripwire:extra-line/claude@2.1.197",
        ] {
            assert_eq!(
                name.parse::<Target>().map(|target| target.to_string()),
                Ok(name.to_owned())
            );
        }
    }

    #[test]
    fn an_unknown_name_is_refused_in_one_line() {
        for name in [
            "",
            "claud",
            "codex:1",
            "tripwire:",
            "tripwire:x",
            "tripwire:extra-line/tripwire:extra-line",
        ] {
            let error = name.parse::<Target>().expect_err(name);
            assert_eq!(error.lines().count(), 1);
        }
    }
}
