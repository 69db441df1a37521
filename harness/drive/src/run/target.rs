//! Names of targets.

use std::fmt;
use std::str::FromStr;

use crate::Tripwire;

/// A program under test, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// `codex` or `codex@VERSION`: the real program.
    Codex {
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
        match name.split_once('@') {
            None if name == "codex" => Ok(Target::Codex { version: None }),
            None if name == "oracle" => Ok(Target::Oracle),
            Some(("codex", version)) => Ok(Target::Codex { version: Some(version.to_owned()) }),
            _ => Err(unknown()),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Codex { version: None } => f.write_str("codex"),
            Target::Codex { version: Some(version) } => write!(f, "codex@{version}"),
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
        for name in
            ["codex", "codex@0.145.0", "oracle", "tripwire:extra-line", "tripwire:extra-line/codex"]
        {
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
