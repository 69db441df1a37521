//! Named states of a family's rules, each proven on a real release.

use std::collections::BTreeSet;

use semver::Version;

use crate::codex::Choices;

/// Which of the two semantics a session follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Rollouts: logs of events.
    Codex,
}

impl Family {
    /// The name used in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Family::Codex => "codex",
        }
    }
}

/// A named state of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edition {
    /// Its name, such as `codex-0.171`.
    pub name: &'static str,
    /// The family.
    pub family: Family,
    /// The release that it is proven on.
    pub release: &'static str,
    /// One field a choice that releases make differently.
    pub codex: Choices,
}

/// Every edition, oldest first in each family.
pub const EDITIONS: &[&Edition] = &[&CODEX_0_171];

/// Codex 0.171: rollback and compaction in both history modes.
pub const CODEX_0_171: Edition = Edition {
    name: "codex-0.171",
    family: Family::Codex,
    release: "0.171.0",
    codex: Choices::CODEX_0_171,
};

impl Edition {
    /// The edition of this name.
    pub fn named(name: &str) -> Option<&'static Edition> {
        EDITIONS.iter().copied().find(|edition| edition.name == name)
    }

    /// The newest edition not newer than `version`, else the oldest; and whether the pairing is
    /// unproven. `None` if the family has no edition.
    pub fn of_release(family: Family, version: &str) -> Option<(&'static Edition, bool)> {
        let wanted = Version::parse(version).ok();
        let not_newer = |edition: &&Edition| {
            Version::parse(edition.release).ok().is_some_and(|it| Some(it) <= wanted)
        };
        let of_family = || EDITIONS.iter().copied().filter(move |edition| edition.family == family);
        let edition = of_family().rfind(not_newer).or_else(|| of_family().next())?;
        Some((edition, edition.release != version))
    }

    /// The edition with one choice changed, for each choice and each other value of it, with the
    /// rule that the choice belongs to.
    ///
    /// A rule is exercised by a scenario only if one of its alternatives changes the outcome.
    pub fn alternatives(&self) -> Vec<(&'static str, Edition)> {
        let with = |(rule, codex)| (rule, Edition { codex, ..self.clone() });
        self.codex.alternatives().into_iter().map(with).collect()
    }

    /// The rules that a scenario can be shown to exercise: those with a choice.
    pub fn rules(&self) -> BTreeSet<&'static str> {
        self.alternatives().into_iter().map(|(rule, _)| rule).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_picks_the_newest_edition_not_newer_than_it() {
        let pick = |version| {
            Edition::of_release(Family::Codex, version).map(|(edition, far)| (edition.name, far))
        };
        assert_eq!(pick("0.171.0"), Some(("codex-0.171", false)));
        assert_eq!(pick("0.172.1"), Some(("codex-0.171", true)));
        assert_eq!(pick("0.9.0"), Some(("codex-0.171", true)));
    }

    #[test]
    fn every_alternative_differs_from_the_edition_in_one_choice() {
        for (rule, other) in CODEX_0_171.alternatives() {
            assert_ne!(other, CODEX_0_171, "{rule}");
        }
    }
}
