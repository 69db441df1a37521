//! Named states of a family's rules, each proven on a real release.

use std::collections::BTreeSet;

use semver::Version;

use crate::codex::{self, Adoption, Tail};
use crate::{Choice, Choices, RULES, claude};

/// Which of the two semantics a session follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Claude Code transcripts: DAGs of messages.
    Claude,
    /// Codex rollouts: logs of events.
    Codex,
}

impl Family {
    /// Both of them.
    pub const ALL: [Family; 2] = [Family::Claude, Family::Codex];

    /// Its editions, oldest first.
    pub fn editions(self) -> impl DoubleEndedIterator<Item = &'static Edition> {
        EDITIONS.iter().copied().filter(move |edition| edition.family == self)
    }

    /// The name used in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Family::Claude => "claude",
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
    pub choices: Choices,
    /// What the release gets wrong.
    pub defects: &'static [Defect],
}

/// Behaviour of a release that breaks a promise of its own documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// Its id, such as `CX-DEFECT-01`.
    pub id: &'static str,
    /// The choice that keeps the promise; its rule says what the release does instead.
    pub repair: Choice,
    /// What people lose by it.
    pub harm: &'static str,
    /// The promise, quoted.
    pub promise: &'static str,
    /// The document that makes it.
    pub source: &'static str,
}

const ROLLBACK_OVER_CHECKPOINT: Defect = Defect {
    id: "CX-DEFECT-01",
    repair: Choice::Codex(codex::Choice::Adoption(Adoption::Survivor)),
    harm: "a rollback over a turn that holds a checkpoint loses everything before that turn",
    promise: "drop the last N turns from the agent’s in-memory context and persist a rollback \
              marker in the rollout so future resumes see the pruned history",
    source: "openai/codex, codex-rs/app-server/README.md, thread/rollback",
};

const GLUED_TAIL: Defect = Defect {
    id: "CX-DEFECT-02",
    repair: Choice::Codex(codex::Choice::Tail(Tail::NewlineFirst)),
    harm: "the first record after a last line without newline is lost with that line",
    promise: "reopen an existing thread by id so subsequent `turn/start` calls append to it",
    source: "openai/codex, codex-rs/app-server/README.md, thread/resume",
};

/// Every edition, oldest first in each family.
pub const EDITIONS: &[&Edition] = &[
    &CLAUDE_2_1_87,
    &CLAUDE_2_1_100,
    &CLAUDE_2_1_197,
    &CLAUDE_2_1_332,
    &CODEX_0_138,
    &CODEX_0_145,
    &CODEX_0_171,
];

/// Claude Code 2.1.87: the newest entry, and links that lead nowhere end there.
pub const CLAUDE_2_1_87: Edition = Edition {
    name: "claude-2.1.87",
    family: Family::Claude,
    release: "2.1.87",
    choices: Choices::Claude(claude::Choices::CLAUDE_2_1_87),
    defects: &[],
};

/// Claude Code 2.1.100: the newest entry, and gaps are bridged.
pub const CLAUDE_2_1_100: Edition = Edition {
    name: "claude-2.1.100",
    family: Family::Claude,
    release: "2.1.100",
    choices: Choices::Claude(claude::Choices::CLAUDE_2_1_100),
    defects: &[],
};

/// Claude Code 2.1.197: the last entry in the file, unless a `last-prompt` line names another.
pub const CLAUDE_2_1_197: Edition = Edition {
    name: "claude-2.1.197",
    family: Family::Claude,
    release: "2.1.197",
    choices: Choices::Claude(claude::Choices::CLAUDE_2_1_197),
    defects: &[],
};

/// Claude Code 2.1.332: the last entry in the file, then down to its newest descendant.
pub const CLAUDE_2_1_332: Edition = Edition {
    name: "claude-2.1.332",
    family: Family::Claude,
    release: "2.1.332",
    choices: Choices::Claude(claude::Choices::CLAUDE_2_1_332),
    defects: &[],
};

/// Codex 0.138: one history mode, and a baseline in `turn_context`.
pub const CODEX_0_138: Edition = Edition {
    name: "codex-0.138",
    family: Family::Codex,
    release: "0.138.0",
    choices: Choices::Codex(codex::Choices::CODEX_0_138),
    defects: &[ROLLBACK_OVER_CHECKPOINT, GLUED_TAIL],
};

/// Codex 0.145: two history modes, and the rollback of before.
pub const CODEX_0_145: Edition = Edition {
    name: "codex-0.145",
    family: Family::Codex,
    release: "0.145.0",
    choices: Choices::Codex(codex::Choices::CODEX_0_145),
    defects: &[ROLLBACK_OVER_CHECKPOINT],
};

/// Codex 0.171: rollback and compaction in both history modes.
pub const CODEX_0_171: Edition = Edition {
    name: "codex-0.171",
    family: Family::Codex,
    release: "0.171.0",
    choices: Choices::Codex(codex::Choices::CODEX_0_171),
    defects: &[],
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
        let edition = family.editions().rfind(not_newer).or_else(|| family.editions().next())?;
        Some((edition, edition.release != version))
    }

    /// The rules that a scenario can be shown to exercise: those of this edition with a choice.
    pub fn rules(&self) -> BTreeSet<&'static str> {
        let follows = |id: &&str| {
            RULES.iter().any(|rule| rule.id == *id && rule.editions.contains(&self.name))
        };
        self.choices.alternatives().into_iter().map(Choice::rule).filter(follows).collect()
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
        assert_eq!(pick("0.144.9"), Some(("codex-0.138", true)));
        assert_eq!(pick("0.9.0"), Some(("codex-0.138", true)));
    }

    #[test]
    fn every_alternative_differs_from_the_edition_in_one_choice() {
        for edition in EDITIONS {
            for choice in edition.choices.alternatives() {
                assert_ne!(edition.choices.with(choice), edition.choices, "{choice:?}");
            }
        }
    }

    #[test]
    fn a_defect_is_a_choice_that_the_release_makes_otherwise() {
        for edition in EDITIONS {
            for defect in edition.defects {
                let repaired = edition.choices.with(defect.repair);
                assert_ne!(repaired, edition.choices, "{} of {}", defect.id, edition.name);
            }
        }
    }
}
